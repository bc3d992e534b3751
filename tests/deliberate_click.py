"""A click as a person's: the pointer comes first."""

from playwright.sync_api import Locator


def deliberate_click(button: Locator) -> None:
    """Clicks after the half second that the secure frame wants the pointer to have been where it is."""
    button.hover()
    button.evaluate("() => new Promise((done) => setTimeout(done, 600))")
    button.click()
