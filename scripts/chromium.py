"""The browser that tests and benchmarks drive: Debian's Chromium, and how it is started."""

import os
import shutil
from collections.abc import Sequence
from typing import Final

from walletmodal.commands.project import CommandError

CHROMIUM_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Playwright switches storage partitioning off in this very flag; visitors have it.
    "--disable-features=Translate",
)


def chromium_path(names: Sequence[str] = ("chromium", "chromium-browser")) -> str:
    """The browser: CHROMIUM_PATH, else the first of `names` that is installed.

    Raises:
        CommandError: there is none.
    """
    found = os.environ.get("CHROMIUM_PATH") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        raise CommandError(f"no Chromium: install Debian's package {names[0]}, or set CHROMIUM_PATH")
    return found
