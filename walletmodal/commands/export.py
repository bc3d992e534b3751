"""`reflex export` of the front end, built with frontend/vite.config.mjs. `build` runs it."""

import os
import shlex

from walletmodal.commands.project import PACKAGE, web_directory
from walletmodal.commands.reflex_commands import run_reflex

CONFIG = PACKAGE / "commands" / "frontend" / "vite.config.mjs"


def main() -> None:
    """Run the command."""
    # npm runs it in Reflex's folder. Not by the full path: the command is written into a file there.
    config = os.path.relpath(CONFIG, web_directory())
    run_reflex(
        ["export", "--frontend-only", "--no-zip", "--loglevel", "info"],
        export=f"vite build --config {shlex.quote(config)}",
    )


if __name__ == "__main__":
    main()
