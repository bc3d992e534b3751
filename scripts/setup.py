"""Everything that the commands need, installed from the package registries: virtual environment, Python and npm packages.

Runs on the standard library of any Python 3.11 to 3.14: `python3 -m scripts.setup [--server|--dev]`. A second run finds its stamps and
is instant.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.project import ROOT, VENV, VENV_BIN, VENV_PYTHON
from scripts.venv_files import damaged_packages
from walletmodal.commands.project import CommandError, die, exclusive, say, shorten
from walletmodal.commands.stamp import digest, is_fresh, record
from walletmodal.commands.tools import install_npm_packages, run_quietly

OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON = (3, 14)
# What production needs; `make run` and `make dev` too; and tests and checks too.
REQUIREMENTS = {
    "server": ROOT / "requirements.txt",
    "run": ROOT / "requirements-sandbox.txt",
    "dev": ROOT / "requirements-dev.txt",
}
# Packages of the tests that have no wheel. All others are installed from wheels alone, which run nothing while they are installed.
FROM_SOURCE = ("embit",)
_SCRIPTS = (ROOT / "loader", ROOT / "secure" / "web")
NPM_FOLDERS = {
    "server": _SCRIPTS,
    "run": (*_SCRIPTS, ROOT / "sandbox"),
    "dev": (*_SCRIPTS, ROOT / "sandbox", ROOT / "scripts" / "typescript", ROOT / "tests" / "browser"),
}


def lock_of(requirements: Path) -> Path:
    """The file with every package that a requirements file comes to, and its hashes; `make lock` writes it."""
    return requirements.with_suffix(".lock")


def is_supported(version: tuple[int, ...]) -> bool:
    """Whether every package has a wheel for this Python."""
    return OLDEST_PYTHON <= version[:2] <= NEWEST_PYTHON


def _version_of(python: Path) -> tuple[int, ...] | None:
    """The version of an interpreter, or None where it does not run."""
    probe = [str(python), "-c", "import sys; print(*sys.version_info[:3])"]
    if not python.exists():
        return None
    done = subprocess.run(probe, check=False, capture_output=True, text=True)
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else None


def _works(python: Path) -> bool:
    version = _version_of(python)
    return version is not None and is_supported(version)


def _has_pip(python: Path) -> bool:
    return subprocess.run([str(python), "-c", "import pip"], check=False, capture_output=True).returncode == 0


def _pip() -> list[str | Path]:
    """The pip that installs into `.venv`: its own, or that of the Python which runs us."""
    if _has_pip(VENV_PYTHON):
        return [VENV_PYTHON, "-m", "pip"]
    return [sys.executable, "-m", "pip", "--python", VENV_PYTHON]


def create_virtual_environment() -> None:
    """Make `.venv`, unless a working one is there.

    Debian ships Python without `ensurepip`; then the pip of that Python serves, or its package is installed when we are root.
    Raises CommandError that names the missing package otherwise.
    """
    has_pip = importlib.util.find_spec("pip") is not None
    if _works(VENV_PYTHON) and (has_pip or _has_pip(VENV_PYTHON)):
        return
    say(f"creating the virtual environment with Python {sys.version.split()[0]}")
    shutil.rmtree(VENV, ignore_errors=True)
    if importlib.util.find_spec("ensurepip") is not None:
        run_quietly([sys.executable, "-m", "venv", VENV], what="creating .venv")
        return
    if has_pip:
        run_quietly([sys.executable, "-m", "venv", "--without-pip", VENV], what="creating .venv")
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


def _stamp(lock: Path) -> tuple[Path, str]:
    """The stamp of the packages of a lock, and what it says when they are installed."""
    return VENV / f"{lock.stem}.stamp", digest([lock], str(_version_of(VENV_PYTHON)))


def discard_damaged_environment(lock: Path) -> None:
    """Make `.venv` anew where an installation was cut off within a package, as a full disk does; pip would take that for installed."""
    # A stamp is written last: where it is there, nothing was cut off.
    if is_fresh(*_stamp(lock)):
        return
    damaged = damaged_packages(VENV)
    if damaged:
        say(f"the virtual environment is damaged ({', '.join(damaged[:3])}) and is made anew")
        shutil.rmtree(VENV)
        create_virtual_environment()


def install_python_packages(lock: Path) -> None:
    """Bring the virtual environment to what `lock` pins, each file by its hash, unless a stamp says that it is there already."""
    stamp, current = _stamp(lock)
    if is_fresh(stamp, current):
        return
    say(f"installing the Python packages of {shorten(lock)}")
    source = [part for name in FROM_SOURCE for part in ("--no-binary", name)]
    options = ["--disable-pip-version-check", "--no-input", "-q", "--require-hashes", "--only-binary", ":all:", *source]
    run_quietly([*_pip(), "install", *options, "-r", lock], what=f"pip install -r {shorten(lock)}")
    record(stamp, current)


def prepare(purpose: str = "run") -> None:
    """Install all that `server` (production), `run` (with the sandbox) or `dev` (with tests and checks) needs."""
    create_virtual_environment()
    lock = lock_of(REQUIREMENTS[purpose])
    discard_damaged_environment(lock)
    install_python_packages(lock)
    for folder in NPM_FOLDERS[purpose]:
        install_npm_packages(folder, npm=VENV_BIN / "npm")


def require_supported_python(version: tuple[int, ...]) -> None:
    """Check the Python that runs us.

    Raises CommandError that says which ones do.
    """
    if is_supported(version):
        return
    oldest, newest, this = (".".join(map(str, numbers)) for numbers in (OLDEST_PYTHON, NEWEST_PYTHON, version[:3]))
    text = f"Python {oldest} to {newest} is needed, this is {this} ({sys.executable})"
    if version[:2] > NEWEST_PYTHON:
        text += (
            ": not every package that is locked has a wheel for it yet. Install one of those beside it; make finds it"
        )
    raise CommandError(text)


def main() -> None:
    """Run the command."""
    purpose = "dev" if "--dev" in sys.argv[1:] else "server" if "--server" in sys.argv[1:] else "run"
    try:
        require_supported_python(tuple(sys.version_info[:3]))
        with exclusive("setup"):
            prepare(purpose)
    except CommandError as error:
        die(str(error))
    except OSError as error:
        die(f"{error}; run the command again when that is mended")


if __name__ == "__main__":
    main()
