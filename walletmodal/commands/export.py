"""`reflex export` of the front end, built with frontend/vite.config.mjs. `build` runs it."""

import os
import shlex
import sys

from walletmodal.commands.build import RAISED
from walletmodal.commands.project import PACKAGE, web_directory
from walletmodal.commands.reflex_commands import run_reflex

CONFIG = PACKAGE / "commands" / "frontend" / "vite.config.mjs"


def main() -> None:
    """Run the command."""
    # npm runs it in Reflex's folder. Not by the full path: the command is written into a file there.
    config = os.path.relpath(CONFIG, web_directory())
    try:
        run_reflex(
            ["export", "--frontend-only", "--no-zip", "--loglevel", "info"],
            export=f"vite build --config {shlex.quote(config)}",
        )
    finally:
        # Reflex's command ends the process.
        if own_parts := sys.modules.get("walletmodal.ui.own_parts"):
            for sentence in dict.fromkeys(own_parts.OWN.failures):
                print(f"{RAISED}{sentence}", flush=True)


if __name__ == "__main__":
    main()
