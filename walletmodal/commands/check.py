"""Checks the project against the walletmodal that is installed: its settings, its modules, and whether its pages compile."""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence

from walletmodal.commands.build import is_built, is_current
from walletmodal.commands.project import PROJECT, CommandError, require_project, say, tool_environment
from walletmodal.config import load_settings
from walletmodal.core.version import VERSION
from walletmodal.operator.look_at_catalogues import catalogue_sentences
from walletmodal.operator.start_checks import check_files, misspelt_settings, unwise_origins

_SHOWN_LINES = 12
_PIN = re.compile(r"\"walletmodal(?:\[[^\]]*\])?==([^\"]+)\"")


def check() -> None:
    """Say what a deployment of this project would meet.

    Raises SettingsError, CatalogueError, and CommandError when the pages do not compile.
    """
    require_project()
    settings = load_settings()
    check_files(settings)
    for sentence in (
        *_other_versions(),
        *misspelt_settings(),
        *unwise_origins(settings),
        *catalogue_sentences(PROJECT / "locale"),
    ):
        say(sentence)
    # Apart, for Reflex tells of each page and of every default.
    compiled = subprocess.run(
        [sys.executable, "-m", "walletmodal.commands.compile_check"],
        check=False,
        cwd=PROJECT,
        env=tool_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    if compiled.returncode:
        shown = compiled.stdout or "\n".join(compiled.stderr.strip().splitlines()[-_SHOWN_LINES:])
        raise CommandError(f"the project does not work with the walletmodal that is installed:\n{shown}")
    if is_built() and not is_current():
        say("the front end was built from other sources or by another version; `walletmodal build` renews it")
    say("settings, modules and pages are in order")


def _other_versions() -> Sequence[str]:
    """Sentences about versions that the project asks for and that are not the installed one."""
    file = PROJECT / "pyproject.toml"
    asked = _PIN.findall(file.read_text("utf-8")) if file.is_file() else []
    return [
        f"{file.name} asks for walletmodal {version}, and {VERSION} is installed"
        for version in dict.fromkeys(asked)
        if version != VERSION
    ]


def command(_asked: argparse.Namespace) -> None:
    """Run the command."""
    check()
