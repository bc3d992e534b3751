"""`walletmodal reload`: SIGHUP for the server that `walletmodal serve` started with the same settings."""

import argparse
import os
import signal

from walletmodal.commands.project import CommandError, say
from walletmodal.commands.running import process_on
from walletmodal.config import load_settings


def reload() -> None:
    """Ask the server to migrate and to replace its workers.

    Raises CommandError when none runs, SettingsError for settings with which its workers would not start.
    """
    settings = load_settings()
    found = process_on(settings.walletmodal_port)
    if found is None:
        raise CommandError(f"no server of this project runs on port {settings.walletmodal_port}")
    os.kill(found, signal.SIGHUP)
    say(f"process {found} migrates the database and replaces its workers; its own output says how that goes")


def command(_asked: argparse.Namespace) -> None:
    """Run the command."""
    reload()
