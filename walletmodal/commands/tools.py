"""Running tools without their chatter, and npm's installation of what a lock pins. Standard library alone: see `project`."""

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path

from walletmodal.commands.project import PROGRAMS, PROJECT, CommandError, say, shorten, tool_environment
from walletmodal.commands.stamp import digest, is_fresh, record

_SHOWN_LINES = 15
_LOCK_INCOMPLETE = "from lock file"


def captured(
    command: Sequence[str | Path], *, cwd: Path = PROJECT, timeout: float | None = None, apart: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a tool to its end, with its output as text; what it says of errors stands within it, or `apart`.

    Raises subprocess.TimeoutExpired after so many seconds, and OSError when the tool cannot be started.
    """
    return subprocess.run(
        [str(part) for part in command],
        check=False,
        cwd=cwd,
        env=tool_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if apart else subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout,
    )


def run_quietly(command: Sequence[str | Path], *, what: str, cwd: Path = PROJECT, timeout: float = 1200) -> None:
    """Run a tool without its chatter.

    Raises CommandError with the last lines of its output when it fails, and when it takes longer than `timeout` seconds.
    """
    try:
        done = captured(command, cwd=cwd, timeout=timeout)
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


def install_npm_packages(folder: Path, *options: str, npm: Path = PROGRAMS / "npm") -> None:
    """Install what `folder/package-lock.json` pins; nothing to do without a package.json.

    `options` go to npm.
    """
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
    what = f"npm packages of {shorten(folder)}/"
    try:
        run_quietly([npm, "ci", "--loglevel=error", *options], what=what, cwd=folder)
    except CommandError as error:
        if _LOCK_INCOMPLETE not in str(error):
            raise
        # Where a registry lacks the optional binaries of other platforms the lock lacks them too, and `ci` insists on them.
        run_quietly([npm, "install", "--no-save", "--loglevel=error", *options], what=what, cwd=folder)
    record(stamp, current)
