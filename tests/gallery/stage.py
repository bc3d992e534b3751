"""The gallery on a running server, as tests and the renewal of the baselines look at it."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import CHROMIUM_FLAGS, chromium_path
from tests.browser.patient import patient
from tests.browser.polling import until
from tests.browser.servers import ModalServer
from tests.patience import PATIENCE
from tests.ports import free_ports
from walletmodal.features.gallery.entries import Entry

_APPEARING: Final = ".wm-overlay, .wm-toast, .wm-fading"
_ALL_THERE: Final = "(parts) => parts.every((part) => getComputedStyle(part).opacity === '1')"
_FONT: Final = Path(__file__).parent / "fonts" / "inter-latin.woff2"


@dataclass(frozen=True)
class Look:
    """One way to look at an entry; `name` is in the file names of the baselines."""

    name: str
    theme: str
    width: int
    height: int


LOOKS: Final = (Look("dark", "dark", 800, 800), Look("light", "light", 800, 800), Look("phone", "dark", 390, 760))


@dataclass
class Stage:
    """A page of one look. `errors`: what the browser's console reported as an error since the last entry."""

    page: Page
    look: Look
    url: str
    errors: list[str] = field(default_factory=list)

    def show(self, entry: Entry) -> bytes:
        """Brings an entry on stage; returns a picture (PNG) of the card, or of all, when it has come to rest."""
        self.errors.clear()
        self.page.goto(f"{self.url}/gallery/?entry={entry.id}&theme={self.look.theme}")
        shown = self.page.locator(f'main[data-entry="{entry.id}"][data-theme="{self.look.theme}"]')
        shown.locator(".wm-view > *").first.wait_for()
        pictured = shown.get_by_test_id("w3m-modal-overlay" if entry.surroundings else "w3m-modal-card")
        last = [b"", b"", b""]

        def rests() -> bool:
            last[:] = [*last[1:], pictured.screenshot()]
            # What has not begun to appear yet rests as well, and a busy machine may draw nothing between two pictures.
            return last[0] == last[1] == last[2] and bool(shown.locator(_APPEARING).evaluate_all(_ALL_THERE))

        until(
            rests,
            what=f"an entry at rest ({entry.id})",
            wait=lambda seconds: self.page.wait_for_timeout(seconds * 1000),
        )
        return last[2]


def _font_script() -> str:
    """Gives every machine the same font: the first of the default list, so that pictures can be compared."""
    data = base64.b64encode(_FONT.read_bytes()).decode()
    return f"document.fonts.add(new FontFace('Inter', Uint8Array.from(atob('{data}'), c => c.charCodeAt(0)), {{ weight: '100 900' }}));"


def stage(browser: Browser, look: Look, url: str) -> Stage:
    """Opens a page for a look, in which nothing moves."""
    context = browser.new_context(viewport={"width": look.width, "height": look.height}, reduced_motion="reduce")
    context.add_init_script(_font_script())
    made = Stage(context.new_page(), look, url)
    made.page.on("console", lambda message: made.errors.append(message.text) if message.type == "error" else None)
    made.page.on("pageerror", lambda error: made.errors.append(str(error)))
    return made


@contextmanager
def gallery_server(folder: Path) -> Iterator[str]:
    """A production server with the gallery on; the URL where it listens."""
    with httpx.Client(timeout=PATIENCE) as client:
        server = ModalServer("gallery", free_ports(1), {"WALLETMODAL_GALLERY": "1"}, folder, client)
        server.start()
        try:
            yield server.url
        finally:
            server.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser."""
    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=chromium_path(), args=list(CHROMIUM_FLAGS))
        yield patient(launched)
        launched.close()
