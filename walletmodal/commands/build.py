"""`walletmodal build [--force]`: builds the front end of the project. Skipped when no input has changed."""

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

from walletmodal.commands.project import (
    PACKAGE,
    PROJECT,
    CommandError,
    exclusive,
    require_project,
    say,
    shorten,
    tool_environment,
    web_directory,
)
from walletmodal.commands.stamp import digest, files, is_fresh, record
from walletmodal.reflex_internals.any_origin import PLACEHOLDER_URL

FRONTEND_LOCK = PROJECT / "reflex.lock"
"""Which npm packages the front end is built with: Reflex's name for the folder."""

RAISED = "raised: "
"""Before each line of the export's output about a part of the project's that has raised."""

_BUNDLED_LOCK = PACKAGE / "commands" / "frontend" / "reflex.lock"
_LOCK_OF = "walletmodal.sha256"
"""Beside the lock: which of the product's it was made from."""

OTHERS = frozenset(
    (
        *(
            "alembic",
            "bench",
            "build",
            "data",
            "dist",
            "docs",
            "examples",
            "loader",
            "node_modules",
            "reflex.lock",
            "sandbox",
        ),
        *("scripts", "secure", "test-results", "tests", "uploaded_files"),
    )
)
"""Folders of a project from which no page comes."""


def sources() -> list[Path]:
    """The project's modules and folders from which its pages come; none that a build or a start makes, as Python and Reflex do."""
    return [
        path
        for path in sorted(PROJECT.iterdir())
        if not path.name.startswith(".")
        and path.name not in OTHERS
        and (path.suffix == ".py" if path.is_file() else not (path / "pyvenv.cfg").exists())
        and any(files(path))
    ]


def static_directory() -> Path:
    """The folder of built files that the production server serves."""
    return web_directory() / "build" / "client"


def _stamp() -> Path:
    return web_directory() / "build" / ".stamp"


def _source_digest() -> str:
    return digest(dict.fromkeys((PACKAGE, *sources())))


def is_built() -> bool:
    """Whether a front end has been built, of whatever sources."""
    return (static_directory() / "index.html").exists() and _stamp().exists()


def is_current() -> bool:
    """Whether the built front end is that of the sources as they are now."""
    return is_built() and is_fresh(_stamp(), _source_digest() + digest([FRONTEND_LOCK]))


def bring_lock() -> None:
    """Let the project's lock of npm packages be that of the product that is installed, unless it was made from this one already.

    What the project's own pages need besides is added by the build.
    """
    current, made_from = digest([_BUNDLED_LOCK]), FRONTEND_LOCK / _LOCK_OF
    if FRONTEND_LOCK.resolve() == _BUNDLED_LOCK.resolve() or is_fresh(made_from, current):
        return
    say(f"taking the product's npm packages into {shorten(FRONTEND_LOCK)}/")
    shutil.copytree(_BUNDLED_LOCK, FRONTEND_LOCK, dirs_exist_ok=True)
    record(made_from, current)


def export() -> None:
    """Compile the Reflex app and build its client for any origin.

    Raises CommandError when the export fails.
    """
    done = subprocess.run(
        [sys.executable, "-m", "walletmodal.commands.export"],
        check=False,
        cwd=PROJECT,
        env=tool_environment({"REFLEX_API_URL": PLACEHOLDER_URL}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    lines = done.stdout.strip().splitlines()
    for line in lines:
        if line.startswith(RAISED):
            say(f"{line.removeprefix(RAISED)}; visitors get a sentence in its place, or the view that it replaces")
    if done.returncode or not (static_directory() / "index.html").exists():
        raise CommandError("reflex export failed:\n" + "\n".join(lines[-40:]))


def forget_registry(lock: Path) -> bool:
    """Take out of an npm lock file where each package was fetched from; the integrity hashes stay. True when it changed.

    The lock then says what to install and not from which registry, which is each machine's own setting.
    """
    if not lock.exists():
        return False
    data = json.loads(lock.read_text())
    found = [entry for entry in data.get("packages", {}).values() if "resolved" in entry and not entry.get("link")]
    for entry in found:
        del entry["resolved"]
    if found:
        lock.write_text(json.dumps(data, indent=2) + "\n")
    return bool(found)


def build(*, force: bool = False) -> None:
    """Build the front end if something has changed since the last build, or with `force`.

    Raises CommandError when this is no project, and when it cannot be built.
    """
    require_project()
    with exclusive("build"):
        if not force and is_current():
            return
        started = time.monotonic()
        bring_lock()
        current = _source_digest()
        _stamp().unlink(missing_ok=True)
        say("building the front end")
        export()
        forget_registry(FRONTEND_LOCK / "package-lock.json")
        record(_stamp(), current + digest([FRONTEND_LOCK]))
        say(f"built in {time.monotonic() - started:.0f} s")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--force", action="store_true", help="also where nothing has changed")


def command(asked: argparse.Namespace) -> None:
    """Run the command."""
    build(force=asked.force)
