"""Writes a new project: Reflex's settings, one module, a theme, a test, the settings of a deployment, and which npm packages its front end is built with."""

import argparse
import keyword
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Final

from walletmodal.commands.project import PACKAGE, CommandError, say
from walletmodal.core.version import VERSION

_TEMPLATE: Final = PACKAGE / "commands" / "template"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
_FILES: Final = {
    "README.md": "README.md.in",
    "pyproject.toml": "pyproject.toml.in",
    "rxconfig.py": "rxconfig.py.in",
    "$module.py": "module.py.in",
    "${module}_theme.py": "theme.py.in",
    "tests/test_$module.py": "test.py.in",
    ".gitignore": "gitignore.in",
}
"""What is written where, with `$name`, `$module` and `$version` filled in."""


def new(folder: Path) -> None:
    """Write a project into a folder, which is made.

    Raises CommandError when its name does not do, and when there is something in it already.
    """
    name = folder.name
    module = name.replace("-", "_")
    if not _NAME.fullmatch(name) or keyword.iskeyword(module):
        raise CommandError(f"{name!r} is no name for a project: small letters, digits and hyphens, such as my-modal")
    if module in {"tests", "assets", "rxconfig"} or module in sys.stdlib_module_names or find_spec(module):
        raise CommandError(f"{module} is the name of another module: choose one that is yours, such as my-{name}")
    if folder.exists() and any(folder.iterdir()):
        raise CommandError(f"{folder} is not empty")
    values = {"name": name, "module": module, "version": VERSION}
    for path, source in _FILES.items():
        _write(
            folder / Template(path).substitute(values),
            Template((_TEMPLATE / source).read_text("utf-8")).substitute(values),
        )
    _write(folder / ".env.example", (_TEMPLATE / "env.example").read_text("utf-8"))
    say(f"written into {folder}/; its README.md says how it is run")


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("folder", type=Path, metavar="NAME", help="the folder; its name is that of the project")


def command(asked: argparse.Namespace) -> None:
    """Run the command."""
    new(asked.folder)
