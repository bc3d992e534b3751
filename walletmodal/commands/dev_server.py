"""Reflex's development server on loopback alone: migrates the database, then runs `reflex run` with the Vite configuration of `dev`.

Reflex starts Vite with `--host`, which means every address of the machine. What Reflex tells of its own addresses and commands would
mislead: `dev` tells ours.
"""

from reflex.utils import exec as reflex_exec
from reflex_base.utils import console

from walletmodal.commands.dev import workspace
from walletmodal.commands.processes import LOOPBACK
from walletmodal.commands.project import BACKEND_PORT, MODAL_PORT, CommandError, die, port
from walletmodal.commands.reflex_commands import run_reflex
from walletmodal.commands.serve import migrate
from walletmodal.config import load_settings
from walletmodal.core.errors import SettingsError
from walletmodal.services.policy import PolicyFile


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
    reflex_exec.notify_frontend = reflex_exec.notify_backend = console.rule = _say_nothing
    ports = ["--frontend-port", str(port(MODAL_PORT)), "--backend-port", str(port(BACKEND_PORT))]
    run_reflex(
        ["run", "--env", "dev", "--loglevel", "warning", "--backend-host", LOOPBACK, *ports],
        dev=f"react-router dev . --config {workspace() / 'vite.config.mjs'}",
    )


if __name__ == "__main__":
    main()
