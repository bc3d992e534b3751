"""`reflex export` of the front end, built with scripts/frontend/vite.config.mjs. `scripts.build` runs it."""

import os

from scripts.project import ROOT, web_directory
from scripts.reflex_commands import run_reflex

CONFIG = ROOT / "scripts" / "frontend" / "vite.config.mjs"


def main() -> None:
    """Run the command."""
    # npm runs it in Reflex's folder. Not by the full path: the command is written into a file there.
    config = os.path.relpath(CONFIG, web_directory())
    run_reflex(["export", "--frontend-only", "--no-zip", "--loglevel", "info"], export=f"vite build --config {config}")


if __name__ == "__main__":
    main()
