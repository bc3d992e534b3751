"""The commands that start servers, as the tests start them: their environment, and waiting for what they do."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx
import pytest

from scripts.build import build, build_sandbox
from scripts.project import ROOT
from tests.patience import PATIENCE
from walletmodal.config import SETTING_NAMES

SECRET = "hunter2-of-the-database"


def environment(tmp_path: Path, **settings: str) -> dict[str, str]:
    """The caller's environment without any setting of ours, then `settings`."""
    kept = {name: value for name, value in os.environ.items() if name not in SETTING_NAMES}
    return kept | {"DATABASE_URL": f"sqlite:///{tmp_path / 'test.db'}"} | settings


def until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.05)


def answers(url: str) -> bool:
    try:
        return httpx.get(url, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


@contextmanager
def started(
    command: str, settings: dict[str, str], *, stdout: IO[str] | None = None, stderr: IO[str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A command that stays, which is asked to end afterwards.

    Args:
        command: its name.
        settings: its environment.
        stdout, stderr: where its output goes; where that of the tests goes by default.
    """
    with subprocess.Popen(
        [sys.executable, "-m", "walletmodal", command],
        cwd=ROOT,
        env=settings,
        start_new_session=True,
        stdout=stdout,
        stderr=stderr,
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def built() -> None:
    build()
    build_sandbox()
