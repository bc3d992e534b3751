"""`make wheel`: the wheel in `dist/`, with what is built of TypeScript in it. Its build needs neither Node nor a checkout's packages."""

import argparse
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.build import LOADER_LATER, LOADER_OUTPUT, SECURE_STATIC, build_sandbox, build_scripts
from scripts.project import ROOT, VENV_PYTHON
from walletmodal.commands.project import CommandError, die, say, shorten
from walletmodal.commands.tools import run_quietly

DIST = ROOT / "dist"

_NAMES = ("pyproject.toml", "README.md", "LICENSE", "NOTICE.md")
_LEFT_OUT = shutil.ignore_patterns("__pycache__", "node_modules", "external", ".stamp")
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)#\s:]+)(#[^)\s]*)?\)")


def copy_sources(folder: Path) -> Path:
    """Copy what of the checkout the wheel is made from, links followed; returns the folder, which is made."""
    shutil.copytree(ROOT / "walletmodal", folder / "walletmodal", ignore=_LEFT_OUT)
    for name in _NAMES:
        shutil.copy(ROOT / name, folder)
    # Errors, settings and docstrings name them, and who has the wheel has nothing else.
    copy_pages(folder / "walletmodal" / "docs")
    return folder


def copy_pages(target: Path) -> None:
    """Write the pages of `docs/`, the host page's options, dashboard and alerts into a new folder beside copied packages.

    Without pictures, which would be a sixth of the wheel; of a link to what is not there its text stays.
    """
    shutil.copytree(ROOT / "docs" / "monitoring", target / "monitoring")
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "loader" / "OPTIONS.md"]
    for page in pages:

        def linked(link: re.Match[str], page: Path = page) -> str:
            picture, text, path, part = link.groups(default="")
            if (page.parent / path).resolve() in pages:
                return f"[{text}]({Path(path).name}{part})"
            return link[0] if (target / path).exists() else "" if picture else text

        (target / page.name).write_text(_LINK.sub(linked, page.read_text("utf-8")), "utf-8")


def make_wheel(target: Path, *, sandbox: bool = True) -> Path:
    """Write the wheel of what is built into a folder; returns it.

    `sandbox`: whether it must have the sandbox's pages.

    Raises CommandError when something is not built, or the wheel cannot be.
    """
    for needed in (
        LOADER_OUTPUT,
        *LOADER_LATER,
        SECURE_STATIC / "frame.js",
        *([ROOT / "sandbox" / "static" / "build" / "demo.js"] if sandbox else []),
    ):
        if not needed.exists():
            raise CommandError(f"{shorten(needed)} is not built: make build")
    with TemporaryDirectory() as folder:
        # From a copy: building leaves files behind.
        return wheel_of(copy_sources(Path(folder) / "walletmodal"), target)


def wheel_of(sources: Path, target: Path) -> Path:
    """Write the wheel of a copy of the sources into an empty folder; returns it. Raises CommandError when it cannot be made."""
    command: list[str | Path] = [
        VENV_PYTHON,
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        "--wheel-dir",
        target,
        sources,
    ]
    run_quietly(command, what="pip wheel")
    (wheel,) = target.glob("walletmodal-*.whl")
    return wheel


def main() -> None:
    """Run the command."""
    arguments = argparse.ArgumentParser(prog="python -m scripts.wheel", description=__doc__)
    arguments.add_argument(
        "--server", action="store_true", help="without the pages of the sandbox, for what only serves"
    )
    asked = arguments.parse_args()
    try:
        build_scripts()
        if not asked.server:
            build_sandbox()
        shutil.rmtree(DIST, ignore_errors=True)
        say(f"written: {shorten(make_wheel(DIST, sandbox=not asked.server))}")
    except CommandError as error:
        die(str(error))


if __name__ == "__main__":
    main()
