"""Browser contexts that visitors use one after the other.

A fresh context costs a visit a third of its time: a process of its own, and every script fetched and compiled anew. One that was used
before keeps what a browser keeps of our files, and nothing of its visitor: pages, cookies and all storage are gone.
"""

from weakref import WeakKeyDictionary

from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, ViewportSize

from tests.browser.host_pages import HostPages

WINDOW: ViewportSize = {"width": 800, "height": 600}
"""Of a computer whose window is small: everything is drawn in software, and half of the pixels are a tenth of a visit's work."""

RESTING = "/resting"
"""The path of the page that stays in a context."""

_CLOCK = "() => '__pwClock' in window"
"""Playwright's movable clock, once installed, is in every page of a context for good."""


class Seat:
    """One context, and the page in it that stays: it keeps the process alive that all pages of its site share.

    Attributes:
        taken_over: whether somebody asked for the context itself, to which what was done cannot be undone.
    """

    def __init__(self, context: BrowserContext, resting_place: str) -> None:
        self._context = context
        self._resting: Page = context.new_page()
        self._resting.goto(resting_place)
        self._protocol: CDPSession = context.new_cdp_session(self._resting)
        self.taken_over = False

    @property
    def context(self) -> BrowserContext:
        """The context, for good: it will have no further visitor."""
        self.taken_over = True
        return self._context

    def new_page(self) -> Page:
        """A page for the visitor."""
        return self._context.new_page()

    def clear(self) -> bool:
        """Remove all that is a visitor's; whether another visitor may come."""
        for page in self._context.pages:
            if page is not self._resting:
                page.close()
        if self.taken_over or self._resting.evaluate(_CLOCK):
            return False
        self._context.clear_cookies()
        # Of every origin, in every partition.
        self._protocol.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        return True

    def close(self) -> None:
        """End the context."""
        self._context.close()


class Seats:
    """The seats of one browser that are free."""

    def __init__(self, chromium: Browser, hosts: HostPages) -> None:
        self._chromium = chromium
        self._resting_place = hosts.allowed + RESTING
        self._free: list[Seat] = []
        hosts.put(RESTING, '<!doctype html><html lang="en"><title>Nobody here</title><link rel="icon" href="data:,">')

    def take(self) -> Seat:
        """A seat that nobody has."""
        return (
            self._free.pop() if self._free else Seat(self._chromium.new_context(viewport=WINDOW), self._resting_place)
        )

    def give_back(self, seat: Seat) -> None:
        """Make room for the next visitor."""
        if seat.clear():
            self._free.append(seat)
        else:
            seat.close()


_seats: WeakKeyDictionary[Browser, Seats] = WeakKeyDictionary()


def seats_in(chromium: Browser, hosts: HostPages) -> Seats:
    """The seats of a browser, in which pages of `hosts` are shown."""
    if chromium not in _seats:
        _seats[chromium] = Seats(chromium, hosts)
    return _seats[chromium]
