"""Everything that the commands need, installed from the package registries: virtual environment, Python and npm packages.

Runs on the standard library of any Python 3.11: `python3 -m scripts.setup [--server | --dev]`. A second run finds its stamps and is instant.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.project import (
    ROOT,
    VENV,
    VENV_BIN,
    VENV_PYTHON,
    CommandError,
    die,
    exclusive,
    say,
    shorten,
    tool_environment,
)
from scripts.stamp import digest, is_fresh, record
from scripts.venv_files import damaged_packages

MINIMUM_PYTHON = (3, 11)
SERVER_PACKAGES = (ROOT / "loader",)
SANDBOX_PACKAGES = (ROOT / "sandbox",)
DEVELOPMENT_PACKAGES = (ROOT / "scripts" / "typescript", ROOT / "tests" / "browser")

_SHOWN_LINES = 15
_LOCK_INCOMPLETE = "from lock file"


def run_quietly(command: Sequence[str | Path], *, what: str, cwd: Path = ROOT, timeout: float = 1200) -> None:
    """Run a tool without its chatter.

    Raises CommandError with the last lines of its output when it fails, and when it takes longer than `timeout` seconds.
    """
    try:
        done = subprocess.run(
            [str(part) for part in command],
            check=False,
            cwd=cwd,
            env=tool_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout,
        )
    except subprocess.TimeoutExpired as slow:
        raise CommandError(f"{what}: not done within {timeout:.0f} s") from slow
    except OSError as missing:
        raise CommandError(f"{what}: {missing}") from missing
    if done.returncode:
        lines = done.stdout.strip().splitlines()
        # npm says what is wrong first, pip and Node say it last.
        cut = [*lines[:_SHOWN_LINES], "…", *lines[-_SHOWN_LINES:]] if len(lines) > 2 * _SHOWN_LINES else lines
        shown = "\n".join(cut)
        raise CommandError(f"{what} failed with status {done.returncode}:\n{shown}")


def _works(python: Path) -> bool:
    probe = [str(python), "-c", "import sys; sys.exit(sys.version_info < (3, 11))"]
    return python.exists() and subprocess.run(probe, check=False, capture_output=True).returncode == 0


def _has_pip(python: Path) -> bool:
    return subprocess.run([str(python), "-c", "import pip"], check=False, capture_output=True).returncode == 0


def create_virtual_environment() -> None:
    """Make `.venv` with pip in it, unless a working one is there.

    Debian ships Python without `ensurepip`; then the pip of that Python serves, or its package is installed when we are root.
    Raises CommandError that names the missing package otherwise.
    """
    if _works(VENV_PYTHON) and _has_pip(VENV_PYTHON):
        return
    say(f"creating the virtual environment with Python {sys.version.split()[0]}")
    shutil.rmtree(VENV, ignore_errors=True)
    if importlib.util.find_spec("ensurepip") is not None:
        run_quietly([sys.executable, "-m", "venv", VENV], what="creating .venv")
        return
    if importlib.util.find_spec("pip") is not None:
        run_quietly([sys.executable, "-m", "venv", "--without-pip", VENV], what="creating .venv")
        run_quietly([sys.executable, "-m", "pip", "--python", VENV_PYTHON, "install", "pip"], what="installing pip")
        return
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise CommandError(
            f"this Python has neither ensurepip nor pip: install the package {package}, then run the command again"
        )
    say(f"installing {package}")
    run_quietly(["apt-get", "update"], what="apt-get update")
    run_quietly(["apt-get", "install", "-y", "--no-install-recommends", package], what=f"installing {package}")
    run_quietly([sys.executable, "-m", "venv", VENV], what="creating .venv")


def _stamp(file: Path) -> tuple[Path, str]:
    """The stamp of the packages of a requirements file, and what it says when they are installed."""
    return VENV / f"{file.stem}.stamp", digest([file], sys.version)


def discard_damaged_environment(requirements: Sequence[Path]) -> None:
    """Make `.venv` anew where an installation was cut off within a package, as a full disk does; pip would take that for installed."""
    # A stamp is written last: where all are there, nothing was cut off.
    if all(is_fresh(*_stamp(file)) for file in requirements):
        return
    damaged = damaged_packages(VENV)
    if damaged:
        say(f"the virtual environment is damaged ({', '.join(damaged[:3])}) and is made anew")
        shutil.rmtree(VENV)
        create_virtual_environment()


def install_python_packages(requirements: Sequence[Path]) -> None:
    """Bring the virtual environment to the pins of `requirements`, unless a stamp says that it is there already."""
    for file in requirements:
        stamp, current = _stamp(file)
        if is_fresh(stamp, current):
            continue
        say(f"installing the Python packages of {shorten(file)}")
        install: list[str | Path] = [
            VENV_PYTHON,
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--no-input",
            "-q",
            "-r",
            file,
        ]
        run_quietly(install, what=f"pip install -r {shorten(file)}")
        record(stamp, current)


def install_npm_packages(folder: Path) -> None:
    """Install what `folder/package-lock.json` pins, with the virtual environment's npm; nothing to do without a package.json."""
    manifest, lock = folder / "package.json", folder / "package-lock.json"
    if not manifest.exists():
        return
    manifest_data = json.loads(manifest.read_text())
    if not any(manifest_data.get(kind) for kind in ("dependencies", "devDependencies", "optionalDependencies")):
        return
    if not lock.exists():
        raise CommandError(f"{shorten(lock)} is missing: it pins the packages of {shorten(manifest)}")
    stamp = folder / "node_modules" / ".stamp"
    current = digest([manifest, lock])
    if is_fresh(stamp, current):
        return
    say(f"installing the npm packages of {shorten(folder)}/")
    # No package of ours needs its install script, and one that ran would be code that nobody has read.
    options = ["--ignore-scripts", "--loglevel=error"]
    what = f"npm packages of {shorten(folder)}/"
    try:
        run_quietly([VENV_BIN / "npm", "ci", *options], what=what, cwd=folder)
    except CommandError as error:
        if _LOCK_INCOMPLETE not in str(error):
            raise
        # Where a registry lacks the optional binaries of other platforms the lock lacks them too, and `ci` insists on them.
        run_quietly([VENV_BIN / "npm", "install", "--no-save", *options], what=what, cwd=folder)
    record(stamp, current)


def prepare(*, development: bool = False, sandbox: bool = True) -> None:
    """Install all that running needs; with `development` also what tests and checks need, without `sandbox` only the server."""
    create_virtual_environment()
    requirements = [ROOT / "requirements.txt"]
    folders = list(SERVER_PACKAGES)
    if sandbox:
        folders.extend(SANDBOX_PACKAGES)
    if development:
        requirements.append(ROOT / "requirements-dev.txt")
        folders.extend(DEVELOPMENT_PACKAGES)
    discard_damaged_environment(requirements)
    install_python_packages(requirements)
    for folder in folders:
        install_npm_packages(folder)


def main() -> None:
    """Run the command."""
    if sys.version_info < MINIMUM_PYTHON:
        die(f"Python 3.11 or newer is needed, this is {sys.version.split()[0]} ({sys.executable})")
    try:
        with exclusive("setup"):
            prepare(development="--dev" in sys.argv[1:], sandbox="--server" not in sys.argv[1:])
    except CommandError as error:
        die(str(error))
    except OSError as error:
        die(f"{error}; run the command again when that is mended")


if __name__ == "__main__":
    main()
