"""The command line: which commands there are, and how each one ends. Status 0 done, 1 not done, 2 not understood or a setting is wrong."""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from walletmodal.commands.project import CommandError, die
from walletmodal.core.errors import CatalogueError, SettingsError

COMMANDS: Final = {
    "new": "writes a new project into a folder",
    "run": "the modal, the sandbox and a demo host page on this machine",
    "dev": "the same with live reload",
    "serve": "production, with the settings of the environment and of .env",
    "serve-secure": "the secure site of the embedded wallet",
    "serve-recovery": "the recovery service of the embedded wallet",
    "reload": "after an update and a build: migrates, then replaces the workers of serve",
    "build": "builds the front end",
    "check": "checks settings, modules and views of the project against the installed version",
}
"""What is done with a project; each is a module beside this one, which is loaded only for its command."""

_SERVER: Final = "this command needs the server: pip install 'walletmodal[server]'"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    Args:
        arguments: as on the command line; default those of the process.
    """
    name, *rest = sys.argv[1:] if arguments is None else arguments or [""]
    try:
        if name in COMMANDS:
            _run(name, rest)
            return 0
        return _operate([name, *rest] if name else [])
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] == "walletmodal":
            raise
        die(f"{_SERVER} ({missing.name} is missing)")
    except (SettingsError, CatalogueError) as error:
        die(str(error), status=2)
    except CommandError as error:
        die(str(error))


def _run(name: str, arguments: Sequence[str]) -> None:
    module = import_module(f"walletmodal.commands.{name.replace('-', '_')}")
    parser = argparse.ArgumentParser(prog=f"walletmodal {name}", description=module.__doc__)
    if hasattr(module, "add_arguments"):
        module.add_arguments(parser)
    module.command(parser.parse_args(arguments))


def _operate(arguments: Sequence[str]) -> int:
    operator = import_module("walletmodal.operator")
    whole = argparse.ArgumentParser(
        prog="walletmodal",
        description="A wallet connection modal: its project in this folder, and the deployment with the settings that are here.",
    )
    commands = whole.add_subparsers(title="commands", required=True, metavar="command")
    for name, about in COMMANDS.items():
        # For the list alone: these have been dealt with.
        commands.add_parser(name, help=about)
    operator.add_commands(commands)
    status: int = operator.operate(whole.parse_args(arguments))
    return status
