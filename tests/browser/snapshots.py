"""What every frame of every page shows, for the report of a test that failed: the page alone says nothing of the modal in its frame."""

from collections.abc import Iterator

from playwright.sync_api import Browser, Error, Frame

from tests.browser.contexts import RESTING

_TIMEOUT_MS = 2_000
_MOST = 6_000
"""Characters of one frame."""


def snapshots_of(browser: Browser) -> Iterator[tuple[str, str]]:
    """The address of each frame, and its aria snapshot: the modal's frame and the secure site's in it among them."""
    for context in browser.contexts:
        for page in context.pages:
            if not page.url.endswith(RESTING):
                for frame in page.frames:
                    yield frame.url, _snapshot(frame)


def _snapshot(frame: Frame) -> str:
    try:
        return frame.locator("body").aria_snapshot(timeout=_TIMEOUT_MS)[:_MOST]
    except Error as error:
        return f"(no snapshot: {error.message.splitlines()[0]})"
