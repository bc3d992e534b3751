"""`make reload`: SIGHUP for the server that `make serve` started with the same settings. make itself passes no SIGHUP on."""

import os
import signal

from scripts.project import CommandError, die, say
from scripts.running import process_on
from walletmodal.config import load_settings
from walletmodal.core.errors import SettingsError


def reload() -> None:
    """Ask the server to migrate and to replace its workers.

    Raises CommandError when none runs, SettingsError for settings with which its workers would not start.
    """
    settings = load_settings()
    found = process_on(settings.walletmodal_port)
    if found is None:
        raise CommandError(f"no server of this checkout runs on port {settings.walletmodal_port}")
    os.kill(found, signal.SIGHUP)
    say(f"process {found} migrates the database and replaces its workers; its own output says how that goes")


def main() -> None:
    """Run the command."""
    try:
        reload()
    except SettingsError as error:
        die(str(error), status=2)
    except CommandError as error:
        die(str(error))


if __name__ == "__main__":
    main()
