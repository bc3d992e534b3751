"""Reflex's development server on loopback alone: migrates the database, then runs `reflex run` with the Vite configuration of `scripts.dev`.

Reflex starts Vite with `--host`, which means every address of the machine, and has no setting for it; the command is replaced here, and
kept out of `reflex.lock/`, which is everybody's. What Reflex tells of its own addresses and commands would mislead: `scripts.dev` tells ours.
"""

import json
import sys

from reflex.reflex import cli
from reflex.utils import exec as reflex_exec
from reflex.utils import frontend_skeleton
from reflex_base.constants import PackageJson
from reflex_base.utils import console

from scripts.build import forget_registry
from scripts.dev import workspace
from scripts.processes import LOOPBACK
from scripts.project import BACKEND_PORT, MODAL_PORT, CommandError, die, port
from scripts.serve import migrate
from walletmodal.config import load_settings
from walletmodal.core.errors import SettingsError
from walletmodal.services.policy import PolicyFile

_SHARED_COMMAND = PackageJson.Commands.DEV
_keep_file = frontend_skeleton.sync_web_lockfile_to_root


def keep_file(filename: str) -> None:
    """Keep a file of the front end's packages in `reflex.lock/`, as a build would write it."""
    _keep_file(filename)
    kept = frontend_skeleton.get_root_lockfile_path(filename)
    if filename == PackageJson.PATH and kept.exists():
        own, shared = json.dumps(PackageJson.Commands.DEV), json.dumps(_SHARED_COMMAND)
        kept.write_text(kept.read_text().replace(own, shared))
    elif filename.endswith("-lock.json"):
        forget_registry(kept)


def _say_nothing(*_: object, **__: object) -> None:
    """In the place of what Reflex prints."""


def main() -> None:
    """Run the command."""
    try:
        settings = load_settings()
        if settings.policy_file is not None:
            PolicyFile(settings.policy_file)
        migrate(settings)
    except SettingsError as error:
        die(str(error), status=2)
    except CommandError as error:
        die(str(error))
    PackageJson.Commands.DEV = f"react-router dev . --config {workspace() / 'vite.config.mjs'}"
    frontend_skeleton.sync_web_lockfile_to_root = keep_file
    reflex_exec.notify_frontend = reflex_exec.notify_backend = console.rule = _say_nothing
    ports = ["--frontend-port", str(port(MODAL_PORT)), "--backend-port", str(port(BACKEND_PORT))]
    sys.argv = ["reflex", "run", "--env", "dev", "--loglevel", "warning", "--backend-host", LOOPBACK, *ports]
    cli()


if __name__ == "__main__":
    main()
