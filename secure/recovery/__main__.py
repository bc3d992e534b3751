"""`python -m walletmodal.secure.recovery`: checks the settings, migrates and serves. `restored` ends the codes of a restored database, `key` makes the pair of keys."""

import sys
from typing import Final

from walletmodal.core.errors import SettingsError
from walletmodal.secure.errors import StartError
from walletmodal.secure.recovery.keys import RecoveryKeys, new_private_key
from walletmodal.secure.serving import end_restored_recovery, migrate_recovery, serve_recovery

USAGE: Final = """usage: python -m walletmodal.secure.recovery [migrate | restored | key]
  (nothing)  serves the recovery service
  migrate    brings the database to the newest revision, as each start does, and ends
  restored   to be run on a restored database before the service is started: codes end, which may have been used since the backup
  key        prints a new RECOVERY_KEY, and the RECOVERY_PUBLIC_KEY that the secure site is given"""


def main(arguments: list[str]) -> int:
    """Runs a command; returns its status."""
    try:
        match arguments:
            case []:
                serve_recovery()
            case ["migrate"]:
                migrate_recovery()
            case ["restored"]:
                end_restored_recovery()
            case ["key"]:
                private = new_private_key()
                sys.stdout.write(f"RECOVERY_KEY={private}\nRECOVERY_PUBLIC_KEY={RecoveryKeys(private).public}\n")
            case _:
                sys.stderr.write(f"{USAGE}\n")
                return 2
    except (SettingsError, StartError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
