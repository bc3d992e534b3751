"""A click that closes its own window."""

from contextlib import suppress

from playwright.sync_api import Error, Locator, Page


def closing_click(window: Page, button: Locator) -> None:
    """Clicks, and waits until the window is closed. It may be gone before the click has returned, which Playwright takes for a failure."""
    with window.expect_event("close"), suppress(Error):
        button.click()
