"""Reflex's development server on loopback alone: checks what it needs, then runs `reflex run` with the Vite configuration of `dev`.

Reflex starts Vite with `--host`, which means every address of the machine. What Reflex tells of its own addresses and commands would
mislead: `dev` tells ours.
"""

import subprocess
import sys

from reflex.utils import exec as reflex_exec
from reflex_base.constants import NOCOMPILE_FILE, LogLevel
from reflex_base.utils import console

from walletmodal.commands import dev_worker
from walletmodal.commands.processes import LOOPBACK
from walletmodal.commands.project import BACKEND_PORT, MODAL_PORT, port, web_directory, workspace
from walletmodal.commands.reflex_commands import run_reflex


def _say_nothing(*_: object, **__: object) -> None:
    """In the place of what Reflex prints."""


def check() -> None:
    """Run `dev_checks`; raises SystemExit where it fails, which says why."""
    checked = subprocess.run([sys.executable, "-m", "walletmodal.commands.dev_checks"], check=False)
    if checked.returncode:
        raise SystemExit(checked.returncode)


def main() -> None:
    """Run the command."""
    check()
    reflex_exec.notify_frontend = reflex_exec.notify_backend = console.rule = _say_nothing
    listing, serve = dev_worker.list_modules(), reflex_exec.run_granian_backend

    def serve_preloaded(host: str, port: int, loglevel: LogLevel) -> None:
        dev_worker.preload(listing)
        # By it Reflex has the first worker leave the pages as they were compiled above, whatever was saved since.
        (web_directory() / NOCOMPILE_FILE).unlink(missing_ok=True)
        serve(host, port, loglevel)

    reflex_exec.run_granian_backend = serve_preloaded
    reflex_exec.get_app_instance_from_file = lambda: f"{dev_worker.__name__}:app"
    ports = ["--frontend-port", str(port(MODAL_PORT)), "--backend-port", str(port(BACKEND_PORT))]
    run_reflex(
        ["run", "--env", "dev", "--loglevel", "warning", "--backend-host", LOOPBACK, *ports],
        dev=f"react-router dev . --config {workspace() / 'vite.config.mjs'}",
    )


if __name__ == "__main__":
    main()
