"""The two apps that are measured, ours and the empty one: built and served the same way, one worker each."""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psutil

from scripts.build import build
from scripts.project import ROOT, VENV_BIN, VENV_PYTHON
from walletmodal.commands.build import FRONTEND_LOCK
from walletmodal.commands.processes import LOOPBACK, answers, describe_status, spawn
from walletmodal.commands.project import DATA, CommandError, say, tool_environment
from walletmodal.commands.serve import migrate, server_command, server_environment
from walletmodal.commands.stamp import digest, is_fresh, record
from walletmodal.config import Settings, load_settings
from walletmodal.reflex_internals.any_origin import PLACEHOLDER_URL

SCRATCH = DATA / "bench"
_EMPTY_SOURCE = ROOT / "bench" / "empty_app"
_EMPTY = SCRATCH / "empty_app"
# It is in a folder of its own, and built by the same plugin as ours.
_OF_THE_EMPTY_APP = {"REFLEX_WEB_WORKDIR": ".web", "PYTHONPATH": str(ROOT)}
_START_SECONDS = 60.0
_STOP_SECONDS = 20.0


@dataclass(frozen=True)
class App:
    """How one of the two is served.

    Attributes:
        name: for messages.
        folder: the working directory of its server.
        environment: of its server.
        command: its server.
        url: its origin.
    """

    name: str
    folder: Path
    environment: Mapping[str, str]
    command: tuple[str, ...]
    url: str

    def names(self, *states: str) -> dict[str, Any]:
        """The names that states (`module:Class`) have on the socket; see `bench.event_names`.

        Raises:
            CommandError: they cannot be imported.
        """
        environment = {**self.environment, "PYTHONPATH": os.pathsep.join([str(ROOT), str(self.folder)])}
        done = subprocess.run(
            [str(VENV_PYTHON), "-m", "bench.event_names", *states],
            check=False,
            cwd=self.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise CommandError(f"{self.name}: its states cannot be read:\n{done.stderr[-2000:]}")
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return found


def our_app(port: int, host_origin: str, stores: Mapping[str, str] | None = None) -> App:
    """Ours, built as `make build` builds it.

    Args:
        port: where it listens.
        host_origin: the host page that may embed it.
        stores: settings of its workers and of where they keep things; default: one worker with its state in memory, and SQLite.

    Raises:
        CommandError: the build fails, or `.env` sets what would change the figures.
        SettingsError: `.env` has a wrong setting.
    """
    build()
    SCRATCH.mkdir(parents=True, exist_ok=True)
    database = SCRATCH / "walletmodal.db"
    for leftover in SCRATCH.glob(database.name + "*"):
        leftover.unlink()
    settings = _settings(
        {
            "WALLETMODAL_HOST": LOOPBACK,
            "WALLETMODAL_PORT": str(port),
            "PUBLIC_URL": f"http://localhost:{port}",
            "ALLOWED_ORIGINS": host_origin,
            "NETWORKS": "eip155:1,eip155:137",
            "DATABASE_URL": f"sqlite:///{database}",
            "WORKERS": "1",
            "LOG_LEVEL": "WARNING",
            **(stores or {}),
        }
    )
    if settings.redis_url and not stores:
        raise CommandError("the figures are those of one worker with its state in memory: unset REDIS_URL")
    migrate(settings)
    command = tuple(server_command(settings))
    return App("ours", ROOT, server_environment(settings, None), command, settings.own_origin)


def empty_app(port: int, ours: App) -> App:
    """The empty one, built with the package versions of ours and served by the same command.

    Raises:
        CommandError: the build fails.
    """
    _build_empty()
    *command, _ = ours.command
    command[command.index("--port") + 1] = str(port)
    # Its form of the log is our package's, which this app has not.
    logs = command.index("--log-config")
    del command[logs : logs + 2]
    environment = {**ours.environment, **_OF_THE_EMPTY_APP}
    return App("the empty app", _EMPTY, environment, (*command, "empty_app.empty_app:app"), f"http://localhost:{port}")


def _settings(chosen: Mapping[str, str]) -> Settings:
    # The workers read the same settings from the environment that they inherit.
    os.environ.update(chosen)
    return load_settings()


def _build_empty() -> None:
    inputs = digest(
        [
            _EMPTY_SOURCE,
            FRONTEND_LOCK,
            ROOT / "requirements.lock",
            ROOT / "walletmodal" / "reflex_internals" / "any_origin.py",
        ]
    )
    stamp, client = _EMPTY / ".stamp", _EMPTY / ".web" / "build" / "client"
    if is_fresh(stamp, inputs) and (client / "index.html").exists():
        return
    say("building the empty app")
    _EMPTY.mkdir(parents=True, exist_ok=True)
    stamp.unlink(missing_ok=True)
    shutil.copytree(_EMPTY_SOURCE, _EMPTY, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(FRONTEND_LOCK, _EMPTY / FRONTEND_LOCK.name, dirs_exist_ok=True)
    done = subprocess.run(
        [str(VENV_BIN / "reflex"), "export", "--frontend-only", "--no-zip"],
        check=False,
        cwd=_EMPTY,
        env=tool_environment({"REFLEX_API_URL": PLACEHOLDER_URL, **_OF_THE_EMPTY_APP}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if done.returncode or not (client / "index.html").exists():
        raise CommandError("the empty app cannot be built:\n" + "\n".join(done.stdout.strip().splitlines()[-40:]))
    record(stamp, inputs)


_ANONYMOUS: Final = re.compile(r"^Pss_Anon: +(\d+) kB$", re.MULTILINE)


def _anonymous(process: psutil.Process) -> int:
    found = _ANONYMOUS.search(Path(f"/proc/{process.pid}/smaps_rollup").read_text("ascii"))
    if found is None:
        raise CommandError("Linux does not tell the memory of processes here")
    return int(found[1]) * 1024


class Running:
    """A served app, and what its workers use."""

    def __init__(self, app: App, workers: list[psutil.Process]) -> None:
        self.app = app
        self._workers = workers

    @property
    def url(self) -> str:
        """Its origin."""
        return self.app.url

    @property
    def worker_pid(self) -> int:
        """The process that serves, of several the first."""
        return self._workers[0].pid

    def memory(self) -> int:
        """Bytes of the workers: their share of pages of no file. That of the libraries' depends on who else has them open."""
        return sum(map(_anonymous, self._workers))

    def cpu_seconds(self) -> float:
        """Processor time of the workers so far."""
        used = [worker.cpu_times() for worker in self._workers]
        return float(sum(one.user + one.system for one in used))


@contextmanager
def served(app: App) -> Iterator[Running]:
    """Serve an app for the length of the block.

    Raises:
        CommandError: it does not start.
    """
    # Reflex takes the app of the folder in which it is started.
    child = spawn(app.name, ["env", "-C", app.folder, *app.command], app.environment)
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not answers(app.url + "/_health"):
            status = child.process.poll()
            if status is not None:
                raise CommandError(f"{app.name} ended at its start ({describe_status(status)}): is its port free?")
            if time.monotonic() > deadline:
                raise CommandError(f"{app.name} did not answer within {_START_SECONDS:.0f} s")
            time.sleep(0.1)
        # Beside the workers granian has a small process of multiprocessing's own.
        below = psutil.Process(child.process.pid).children(recursive=True)
        workers = sorted(below, key=lambda process: process.memory_info().rss, reverse=True)
        yield Running(app, workers[: int(app.command[app.command.index("--workers") + 1])])
    finally:
        if child.process.poll() is None:
            child.process.terminate()
        try:
            child.process.wait(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            say(f"{app.name} did not end in time and is killed")
        child.kill_group()
        child.process.wait()
