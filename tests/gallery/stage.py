"""The gallery on a running server, as tests and the renewal of the baselines look at it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, floor
from pathlib import Path
from typing import Final, Literal, TypeAlias

import httpx
from playwright.sync_api import Browser, CDPSession, Locator, Page, ViewportSize, sync_playwright

from scripts.project import ROOT
from tests.browser.conftest import CHROMIUM_FLAGS, chromium_path
from tests.browser.patient import patient
from tests.browser.polling import until
from tests.browser.servers import ModalServer
from tests.patience import PATIENCE
from tests.ports import free_ports
from walletmodal.features.gallery.entries import Entry

_BETWEEN_MS: Final = 120
"""Between two pictures: a list that has just come may show the one before it for a moment."""
_SOON_MS: Final = 20
"""Between two looks at what is expected."""
_ALL_THERE: Final = """() => {
  const moves = ({ playState, effect }) => {
    const { endTime, localTime } = effect.getComputedTiming();
    return playState === "running" && localTime < endTime && endTime - localTime < 2000;
  };
  const inSight = (part) => {
    const box = part.getBoundingClientRect();
    const around = (part.closest(".wm-scroll") ?? document.documentElement).getBoundingClientRect();
    return box.bottom > around.top && box.top < around.bottom;
  };
  return !document.getAnimations().some(moves)
    && !document.querySelector(".wm-lazy:not(:has([role=alert]))")
    && document.fonts.status === "loaded"
    && ![...document.querySelectorAll("[data-picture=unseen]")].some(inSight)
    && [...document.images].every((image) => image.complete || (image.loading === "lazy" && !inSight(image)))
    && [...document.querySelectorAll(".wm-overlay, .wm-toast, .wm-fading")].every((part) => getComputedStyle(part).opacity === "1");
}"""
_HEIGHTS: Final = """
window.__heights = [];
(function record() {
  const view = document.querySelector(".wm-view:last-child");
  const entry = document.querySelector("main[data-entry]")?.dataset.entry;
  const written = document.fonts.status === "loaded" && [...document.fonts].some(({ family, status }) => /^"?Inter"?$/.test(family) && status === "loaded");
  if (view && entry && written && !view.querySelector(".wm-lazy:not([data-skeleton])")) __heights.push([entry, view.offsetHeight]);
  requestAnimationFrame(record);
})();
"""
"""Takes down how high a view is in every frame, from the first with its script, or with a skeleton of it."""
_GO: Final = """(address) => {
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
"""As the browser's own buttons do, within the document that is there."""
Wanted: TypeAlias = Callable[[bytes], bool]
"""Whether a picture is the one that is expected."""
_NOTO: Final = "tests/browser/node_modules/@fontsource-variable/noto-sans-{0}/files/noto-sans-{0}-{0}-wght-normal.woff2"
_LATIN: Final = ("U+0-10FFFF", "assets/fonts/inter-latin.woff2")
_LETTERS: Final = {
    "ar": ("U+600-6FF, U+750-77F, U+FB50-FDFF, U+FE70-FEFF", _NOTO.format("arabic")),
    "hi": ("U+900-97F, U+200C-200D, U+25CC", _NOTO.format("devanagari")),
}
"""What has the letters of a language."""


@dataclass(frozen=True)
class Look:
    """One way to look at an entry.

    Attributes:
        name: in the file names of the baselines.
        locale: the language of the page, by BCP 47.
        loads_views: whether each view comes in a page just loaded, as a visitor may meet it: it must bring all that it needs.
    """

    name: str
    theme: str
    width: int
    height: int
    loads_views: bool = False
    locale: str = "en"


LOOKS: Final = (
    Look("dark", "dark", 800, 800, loads_views=True),
    Look("light", "light", 800, 800),
    Look("phone", "dark", 390, 760),
)
LANGUAGES: Final = (
    Look("german", "light", 390, 760, locale="de"),
    Look("arabic", "light", 390, 760, locale="ar"),
    Look("hindi", "light", 390, 760, locale="hi"),
)
"""Long words, writing from right to left, and letters that are taller than Latin ones."""


@dataclass
class Stage:
    """A page of one look. `errors`: what the browser's console reported as an error since the last entry."""

    page: Page
    look: Look
    url: str
    errors: list[str] = field(default_factory=list)
    _view: str | None = field(default=None, init=False)
    """What the page shows as it came; None when it was not `turn_to` that brought it, for who asked may have changed the page."""
    _patient: bool = field(default=True, init=False)
    """Whether every expected picture came so far."""

    def show(self, entry: Entry, wanted: Wanted | None = None) -> bytes:
        """Brings an entry on stage in a page just loaded.

        Returns:
            A picture (PNG) of the card, or of all: the one that is wanted as soon as it comes. Without such, and after one did not come,
            the picture when all has come to rest.
        """
        self._view = None
        self.errors.clear()
        self.page.goto(f"{self.url}{self._address(entry)}")
        return self._at_rest(entry, wanted)

    def turn_to(self, entry: Entry, wanted: Wanted | None = None) -> bytes:
        """As `show`, for those who only look: where the look allows it in the page that is there, in a third of the time."""
        anew = self._view is None or (self.look.loads_views and self._view != entry.view)
        if anew:
            picture = self.show(entry, wanted)
        else:
            self.errors.clear()
            self.page.evaluate(_GO, self._address(entry))
            picture = self._at_rest(entry, wanted)
        self._view = entry.view
        return picture

    def bring(self, entry: Entry) -> Page:
        """Brings an entry on stage for those who need no picture and may change the page: the page, with all parts of the entry in it."""
        self._view = None
        if self.page.url.startswith(self.url):
            self.page.evaluate(_GO, self._address(entry))
        else:
            self.page.goto(f"{self.url}{self._address(entry)}")
        self._arrived(entry)
        return self.page

    def heights(self, entry: Entry) -> list[int]:
        """How high the entry's view has been, each height once, in the order in which it had them."""
        seen = self.page.evaluate(
            "(id) => __heights.filter(([entry]) => entry === id).map(([, height]) => height)", entry.id
        )
        return list(dict.fromkeys(seen))

    def _address(self, entry: Entry) -> str:
        return f"/gallery/?entry={entry.id}&theme={self.look.theme}#locale={self.look.locale}"

    def _arrived(self, entry: Entry) -> Locator:
        """What shows an entry, once all parts of it are there."""
        shown = self.page.locator(f'main[data-entry="{entry.id}"][data-theme="{self.look.theme}"]')
        shown.locator(".wm-view > *").first.wait_for()
        self._until(self._is_all_there, f"all parts of an entry ({entry.id})", _SOON_MS)
        return shown

    def _at_rest(self, entry: Entry, wanted: Wanted | None) -> bytes:
        shown = self._arrived(entry)
        pictured = shown.get_by_test_id("w3m-modal-overlay" if entry.surroundings else "w3m-modal-card")
        last = [b"", b"", b""]

        def is_wanted() -> bool:
            last[:] = [*last[1:], self._picture(pictured)]
            return wanted is not None and last[1] == last[2] and wanted(last[2]) and self._is_all_there()

        def rests() -> bool:
            # What has not come or begun to appear yet rests as well, and a busy machine may draw nothing between two pictures.
            return is_wanted() or (last[0] == last[1] == last[2] and self._is_all_there())

        if wanted and self._patient:
            # What the server sends late rests before it comes. But where everything looks different, nobody waits for each entry.
            with suppress(AssertionError):
                self._until(is_wanted, "the expected picture", _SOON_MS)
                return last[2]
            self._patient = False
        self._until(rests, f"an entry at rest ({entry.id})", _BETWEEN_MS)
        return last[2]

    def _is_all_there(self) -> bool:
        return bool(self.page.evaluate(_ALL_THERE))

    def _until(self, holds: Callable[[], bool], what: str, between_ms: float) -> None:
        until(holds, what=what, wait=lambda _seconds: self.page.wait_for_timeout(between_ms))

    def _picture(self, part: Locator) -> bytes:
        """A picture of a part that is in sight, in a third of the time that Playwright's own takes."""
        box = part.bounding_box()
        assert box is not None
        left, top = floor(box["x"]), floor(box["y"])
        right, bottom = ceil(box["x"] + box["width"]), ceil(box["y"] + box["height"])
        clip = {"x": left, "y": top, "width": right - left, "height": bottom - top, "scale": 1}
        taken = self._devtools.send("Page.captureScreenshot", {"clip": clip, "optimizeForSpeed": True})
        return base64.b64decode(taken["data"])

    @cached_property
    def _devtools(self) -> CDPSession:
        return self.page.context.new_cdp_session(self.page)


def _font_script(locale: str) -> str:
    """Gives every machine the same font: the first of the default list, so that pictures can be compared."""
    faces = (_LATIN, _LETTERS[locale]) if locale in _LETTERS else (_LATIN,)
    return "\n".join(
        f"document.fonts.add(new FontFace('Inter', Uint8Array.from(atob('{base64.b64encode((ROOT / file).read_bytes()).decode()}'), c => c.charCodeAt(0)),"
        f" {{ weight: '100 900', unicodeRange: '{letters}' }}));"
        for letters, file in faces
    )


def stage(browser: Browser, look: Look, url: str, *, forced_colors: Literal["active", "none"] = "none") -> Stage:
    """Opens a page for a look, in which nothing moves."""
    viewport: ViewportSize = {"width": look.width, "height": look.height}
    context = browser.new_context(viewport=viewport, reduced_motion="reduce", forced_colors=forced_colors)
    context.add_init_script(_font_script(look.locale))
    context.add_init_script(_HEIGHTS)
    made = Stage(context.new_page(), look, url)
    made.page.on("console", lambda message: made.errors.append(message.text) if message.type == "error" else None)
    made.page.on("pageerror", lambda error: made.errors.append(str(error)))
    return made


@contextmanager
def gallery_server(folder: Path, **settings: str) -> Iterator[str]:
    """A production server with the gallery on; the URL where it listens. `settings`: further ones of its environment."""
    with httpx.Client(timeout=PATIENCE) as client:
        deployment = {"WALLETMODAL_GALLERY": "1", "SECRET_KEY": "the-secret-of-the-gallery", **settings}
        server = ModalServer("gallery", free_ports(1), deployment, folder, client)
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
