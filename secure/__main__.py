"""`python -m secure`: checks the settings, migrates and serves. `rotate` wraps by the newest KEK, `key` makes one."""

import os
import sys
from typing import Final

from secure.encoding import encode
from secure.errors import StartError
from secure.serving import rotate_site, serve_site
from walletmodal.core.errors import SettingsError

USAGE: Final = """usage: python -m secure [rotate | key]
  (nothing)  serves the secure site
  rotate     wraps what lies in the database by the last key of EMBEDDED_KEK
  key        prints a new key"""


def main(arguments: list[str]) -> int:
    """Runs a command; returns its status."""
    try:
        match arguments:
            case []:
                serve_site()
            case ["rotate"]:
                rotate_site()
            case ["key"]:
                sys.stdout.write(f"{encode(os.urandom(32))}\n")
            case _:
                sys.stderr.write(f"{USAGE}\n")
                return 2
    except (SettingsError, StartError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
