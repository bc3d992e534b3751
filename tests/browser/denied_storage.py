"""Browsers that deny storage: to everybody, or to some origins."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Playwright

from tests.browser.conftest import CHROMIUM_FLAGS, chromium_path

WITH_SETTINGS = ("chromium", "chromium-browser")
"""The whole browser: the headless shell has no content settings."""

BLOCK = 2
"""Chromium's number for a content setting that denies."""


def denying_context(driver: Playwright, folder: Path, *ports: int) -> BrowserContext:
    """A browser that denies cookies and storage to the origins of these ports of this machine; without one, to everybody.

    Args:
        driver: starts it.
        folder: an empty one, for its profile.
        ports: of the origins.
    """
    patterns: dict[str, Any] = {f"http://localhost:{port},*": {"setting": BLOCK} for port in ports}
    denied = (
        {"content_settings": {"exceptions": {"cookies": patterns}}}
        if ports
        else {"default_content_setting_values": {"cookies": BLOCK}}
    )
    profile = folder / "Default"
    profile.mkdir()
    (profile / "Preferences").write_text(json.dumps({"profile": denied}))
    return driver.chromium.launch_persistent_context(
        folder, executable_path=chromium_path(WITH_SETTINGS), args=list(CHROMIUM_FLAGS)
    )
