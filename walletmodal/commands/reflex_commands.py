"""Reflex's command line with other commands for the front end than its own, which it has no settings for.

They are kept out of `reflex.lock/`, which is everybody's, and so is the registry of this machine.
"""

import json
import sys
from collections.abc import Sequence
from typing import Final

from reflex.reflex import cli
from reflex.utils import frontend_skeleton
from reflex_base.constants import PackageJson

from walletmodal.commands.build import forget_registry

_SHARED: Final = {"DEV": PackageJson.Commands.DEV, "EXPORT": PackageJson.Commands.EXPORT}
_keep_file = frontend_skeleton.sync_web_lockfile_to_root


def keep_file(filename: str) -> None:
    """Keep a file of the front end's packages in `reflex.lock/`, as Reflex's own commands would leave it."""
    _keep_file(filename)
    kept = frontend_skeleton.get_root_lockfile_path(filename)
    if filename == PackageJson.PATH and kept.exists():
        text = kept.read_text()
        for name, shared in _SHARED.items():
            text = text.replace(json.dumps(getattr(PackageJson.Commands, name)), json.dumps(shared))
        kept.write_text(text)
    elif filename.endswith("-lock.json"):
        forget_registry(kept)


def run_reflex(arguments: Sequence[str], *, dev: str | None = None, export: str | None = None) -> None:
    """Run a command of Reflex's; `dev` and `export` are what npm runs in Reflex's web folder."""
    if dev is not None:
        PackageJson.Commands.DEV = dev
    if export is not None:
        PackageJson.Commands.EXPORT = export
    frontend_skeleton.sync_web_lockfile_to_root = keep_file
    sys.argv = ["reflex", *arguments]
    cli()
