"""Commands leave no process behind, whatever ends them. Real processes, small ones."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from scripts.project import ROOT
from tests.patience import PATIENCE
from walletmodal.commands.processes import require_free
from walletmodal.commands.project import MODAL_PORT, SANDBOX_PORT, CommandError

# A command with two processes, of which each starts one more and does not stop it.
COMMAND = """
import os, sys
from pathlib import Path
from walletmodal.commands.processes import Family, StopRequestedError
child = [sys.executable, "-c", "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)', sys.argv[1]]); time.sleep(600)"]
try:
    with Family(grace=5) as family:
        for name in ("one", "two"):
            family.start(name, [*child, sys.argv[1]], dict(os.environ))
        family.watch()
except StopRequestedError:
    print("stopped")
"""


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.02)


def marked(mark: str) -> list[psutil.Process]:
    return [
        process
        for process in psutil.process_iter(["cmdline", "status"])
        if mark in (process.info["cmdline"] or []) and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


@pytest.fixture
def mark(tmp_path: Path) -> Iterator[str]:
    """An argument that every process of one test carries."""
    name = f"mark-{tmp_path.name}-{os.getpid()}"
    yield name
    for process in marked(name):
        process.kill()


@pytest.fixture
def command(mark: str) -> Iterator[subprocess.Popen[str]]:
    arguments = [sys.executable, "-c", COMMAND, mark]
    with subprocess.Popen(arguments, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        until(lambda: len(marked(mark)) == 5, "the start of the command, its two processes and theirs")
        yield process
        if process.poll() is None:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_to_its_group_ends_every_process(command: subprocess.Popen[str], mark: str, number: int) -> None:
    os.killpg(command.pid, number)
    assert command.wait(PATIENCE) == 0
    until(lambda: marked(mark) == [], "the end of every process")


def test_a_second_interrupt_does_not_cut_the_stop_short(command: subprocess.Popen[str], mark: str) -> None:
    os.killpg(command.pid, signal.SIGINT)
    os.killpg(command.pid, signal.SIGINT)
    assert command.wait(PATIENCE) == 0
    until(lambda: marked(mark) == [], "the end of every process")


def test_a_process_that_ends_by_itself_ends_the_others(command: subprocess.Popen[str], mark: str) -> None:
    psutil.Process(command.pid).children()[0].kill()
    assert command.wait(PATIENCE) != 0
    until(lambda: marked(mark) == [], "the end of every process")


def test_processes_do_not_outlive_a_command_that_was_killed(command: subprocess.Popen[str], mark: str) -> None:
    direct = psutil.Process(command.pid).children()
    command.kill()
    until(lambda: not any(process.is_running() for process in direct), "the end of what the command started")


def test_a_taken_port_is_named_with_its_setting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        number = taken.getsockname()[1]
        with pytest.raises(CommandError, match=rf"port {number} .*{SANDBOX_PORT}"):
            require_free({SANDBOX_PORT: number})


def test_one_port_for_two_things_is_refused() -> None:
    with pytest.raises(CommandError, match=f"{MODAL_PORT} and {SANDBOX_PORT}"):
        require_free({MODAL_PORT: 8869, SANDBOX_PORT: 8869})
