"""Reflex's development server on loopback alone: migrates the database, then runs `reflex run` with the Vite configuration of `scripts.dev`.

Reflex starts Vite with `--host`, which means every address of the machine, and has no setting for it; the command is replaced here.
"""

import sys

from reflex.reflex import cli
from reflex_base.constants import PackageJson

from scripts.dev import workspace
from scripts.processes import LOOPBACK
from scripts.project import BACKEND_PORT, MODAL_PORT, CommandError, die, port
from scripts.serve import migrate
from walletmodal.config import load_settings
from walletmodal.core.errors import SettingsError
from walletmodal.services.policy import PolicyFile


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
    ports = ["--frontend-port", str(port(MODAL_PORT)), "--backend-port", str(port(BACKEND_PORT))]
    sys.argv = ["reflex", "run", "--env", "dev", "--backend-host", LOOPBACK, *ports]
    cli()


if __name__ == "__main__":
    main()
