"""Where things lie in a project, how commands speak, and the environment that their children get.

Standard library alone: the set-up of a checkout imports it before anything is installed.
"""

import fcntl
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn

PACKAGE = Path(__file__).resolve().parents[1]
"""The product as it is installed. Nothing is written there."""
PROJECT = Path.cwd()
"""The project: the folder with `rxconfig.py` and `.env`, in which every command is run and writes."""
DATA = PROJECT / "data"
DEV = PROJECT / ".dev"
PROGRAMS = Path(sys.prefix) / "bin"
"""What the environment of this Python has: npm, granian."""

MODAL_PORT = "WALLETMODAL_PORT"
SANDBOX_PORT = "SANDBOX_PORT"
SECURE_PORT = "SECURE_PORT"
EVM_PORT = "EVM_PORT"
SOLANA_PORT = "SOLANA_PORT"
BACKEND_PORT = "WALLETMODAL_BACKEND_PORT"

DEFAULT_PORTS = {
    MODAL_PORT: 3000,
    SANDBOX_PORT: 8700,
    SECURE_PORT: 8701,
    EVM_PORT: 8545,
    SOLANA_PORT: 8899,
    BACKEND_PORT: 8000,
}


class CommandError(Exception):
    """A command cannot go on; the text tells the reader what is missing or wrong, and what to do."""


def say(message: str) -> None:
    """Print one progress line at once, also when the output is a pipe."""
    print(f"· {message}", flush=True)


def die(message: str, status: int = 1) -> NoReturn:
    """Print one plain error and leave with `status`."""
    print(f"error: {message}", file=sys.stderr, flush=True)
    raise SystemExit(status)


def require_project() -> None:
    """Check that the command is run in a project.

    Raises CommandError that says how one is made.
    """
    if not (PROJECT / "rxconfig.py").is_file():
        raise CommandError(f"no rxconfig.py in {PROJECT}: `walletmodal new NAME` makes a project")


def web_directory() -> Path:
    """The folder into which Reflex compiles and builds (`REFLEX_WEB_WORKDIR`, default `.web`)."""
    return PROJECT / os.environ.get("REFLEX_WEB_WORKDIR", ".web")


def port(name: str) -> int:
    """The port that the environment variable `name` sets, or its default.

    Raises CommandError when it is no port number.
    """
    text = os.environ.get(name, "").strip()
    if not text:
        return DEFAULT_PORTS[name]
    if not (text.isascii() and text.isdigit()) or not 1 <= int(text) <= 65535:
        raise CommandError(f"{name} must be a port number from 1 to 65535, not {text!r}")
    return int(text)


def workspace() -> Path:
    """Where this copy's development server keeps its files, apart from the production build; one folder per modal port."""
    return DEV / str(port(MODAL_PORT))


def failure_file() -> Path:
    """What is wrong with the project's Python, as Vite shows an error; there while it does not load."""
    return workspace() / "failure.json"


def tool_environment(extra: dict[str, str] | None = None) -> dict[str, str]:
    """The environment for Python and Node tools: the programs of this Python's environment come first."""
    environment = dict(os.environ)
    # A virtual environment is found by its program path; these two of the caller's would point elsewhere.
    for name in ("PYTHONHOME", "VIRTUAL_ENV"):
        environment.pop(name, None)
    environment["PATH"] = os.pathsep.join([str(PROGRAMS), environment.get("PATH", os.defpath)])
    environment.update(
        PYTHONUNBUFFERED="1",
        REFLEX_USE_NPM="1",
        REFLEX_TELEMETRY_ENABLED="false",
        REFLEX_CHECK_LATEST_VERSION="false",
        NPM_CONFIG_UPDATE_NOTIFIER="false",
        NPM_CONFIG_FUND="false",
        NPM_CONFIG_AUDIT="false",
        # No package that we build or run with needs its install script, and one that ran would be code that nobody has read.
        NPM_CONFIG_IGNORE_SCRIPTS="true",
    )
    environment.update(extra or {})
    return environment


def keep_private() -> None:
    """What this process and its children write from now on, and what lies in the folders of data already, is for their user alone.

    Not for a build, which another user may serve. A volume that a cluster lends is somebody else's, and stays as it is.
    """
    os.umask(0o077)
    for folder in existing([DEV]):
        folder.chmod(0o700)
    for folder in existing([DATA, PROJECT / ".states", *DEV.glob("*/.states")]):
        for path in (folder, *folder.rglob("*")):
            with suppress(FileNotFoundError, PermissionError):
                if not path.is_symlink():
                    path.chmod(stat.S_IMODE(path.stat().st_mode) & 0o700)


def shorten(path: Path) -> str:
    """A path as the reader of a message types it: relative to the project where it lies inside."""
    return str(path.relative_to(PROJECT)) if path.is_relative_to(PROJECT) else str(path)


def existing(paths: Iterable[Path]) -> list[Path]:
    """Those of `paths` that are there, in order."""
    return [path for path in paths if path.exists()]


@contextmanager
def exclusive(work: str) -> Iterator[None]:
    """Hold `work` for this process alone, so that two commands started at once do not write the same files."""
    DATA.mkdir(mode=0o700, exist_ok=True)
    with (DATA / f".{work}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another command's {work}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
