"""`make lock`: writes what each requirements file comes to, with the hashes of every platform's files, to the lock beside it.

Keeps the versions that are locked already, unless `--upgrade` asks for the newest that are allowed. Then, or with `--check` alone, tells
on which Python and which platform each lock can be installed.
"""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from scripts.project import ROOT, VENV_BIN
from scripts.setup import FROM_SOURCE, NEWEST_PYTHON, OLDEST_PYTHON, REQUIREMENTS, lock_of
from walletmodal.commands.project import CommandError, die, say, shorten, tool_environment

PYTHONS: Final = tuple(f"{OLDEST_PYTHON[0]}.{minor}" for minor in range(OLDEST_PYTHON[1], NEWEST_PYTHON[1] + 1))
PLATFORMS: Final = {
    "Linux x86-64": "x86_64-manylinux_2_28",
    "Linux ARM64": "aarch64-manylinux_2_28",
    "macOS Intel": "x86_64-apple-darwin",
    "macOS ARM64": "aarch64-apple-darwin",
}


def _uv(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [str(part) for part in (VENV_BIN / "uv", *arguments)]
    return subprocess.run(command, check=False, cwd=ROOT, env=tool_environment(), capture_output=True, text=True)


def write_lock(requirements: Path, *, below: Path | None = None, upgrade: bool = False) -> None:
    """Resolve a requirements file for every platform and every Python that is supported.

    `below`: the lock of a smaller set, whose versions are taken. `upgrade`: see above.

    Raises CommandError when no set of versions fits.
    """
    arguments = [
        "--universal",
        "--generate-hashes",
        # For pip up to 23.2, `a[b]` is another package than the `a` of the lock, and it would take its newest.
        "--no-strip-extras",
        "--python-version",
        PYTHONS[0],
        "--custom-compile-command",
        "make lock",
    ]
    if below:
        arguments += ["--constraint", shorten(below)]
    if upgrade:
        arguments.append("--upgrade")
    done = _uv("pip", "compile", *arguments, "-o", shorten(lock_of(requirements)), shorten(requirements))
    if done.returncode:
        raise CommandError(f"{shorten(requirements)} cannot be locked:\n{done.stderr.strip()}")


def why_not_installable(lock: Path, python: str, platform: str) -> str:
    """What keeps a lock from being installed without compiling anything, or "".

    Args:
        lock: the file.
        python: such as `3.14`.
        platform: one of `PLATFORMS`.
    """
    source = [part for name in FROM_SOURCE for part in ("--no-binary", name)]
    with TemporaryDirectory() as nowhere:
        done = _uv(
            *("pip", "install", "--dry-run", "--require-hashes", "--only-binary", ":all:", *source),
            *("--target", nowhere, "--python-version", python, "--python-platform", PLATFORMS[platform], "-r", lock),
        )
    return done.stderr.strip() if done.returncode else ""


def check(locks: Sequence[Path]) -> bool:
    """Print on which Python and platform each lock can be installed; whether all can everywhere."""
    good = True
    for lock in locks:
        print(f"\n{shorten(lock):26}" + "".join(f"{name:>14}" for name in PLATFORMS))
        for python in PYTHONS:
            problems = [why_not_installable(lock, python, platform) for platform in PLATFORMS]
            print(f"  Python {python:17}" + "".join(f"{'no' if problem else 'yes':>14}" for problem in problems))
            for problem in filter(None, problems):
                good = False
                print(problem, file=sys.stderr)
    return good


def main() -> None:
    """Run the command."""
    below: Path | None = None
    try:
        for requirements in REQUIREMENTS.values() if "--check" not in sys.argv[1:] else ():
            say(f"locking {shorten(requirements)}")
            write_lock(requirements, below=below, upgrade="--upgrade" in sys.argv[1:])
            below = lock_of(requirements)
    except CommandError as error:
        die(str(error))
    if not check([lock_of(requirements) for requirements in REQUIREMENTS.values()]):
        die("not every lock can be installed everywhere")


if __name__ == "__main__":
    main()
