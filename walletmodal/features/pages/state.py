"""Paged lists about the active account: one page at a time is state, earlier pages are the browser's to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, TypedDict

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.constants import PORTFOLIO_TTL
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import AlertState
from walletmodal.services.http import Caller, alert_for_failure

MAX_PAGES: Final = 200
"""A list that never ends is not followed further."""
FRESH_SECONDS: Final = PORTFOLIO_TTL
_MAX_ZONE: Final = 64


class Page(TypedDict):
    """One page: `list` tells lists apart, `number` is from 1, and 0 before the first has come; `entries` is JSON, which names `texts` by number.

    A text, because the state of a visitor holds it: as lists of lists it would take four times the memory.
    """

    list: int
    number: int
    entries: str
    texts: list[str]
    more: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Owner of a list, who asks for it, and by which time zone's calendar.

    Attributes:
        offered: whether the deployment has this network; the name of a chain is the wallet's to choose, and must not choose what is asked.
    """

    caller: Caller
    chain: ChainId
    address: str
    zone: str
    offered: bool

    @property
    def key(self) -> str:
        """The key that tells lists apart."""
        return f"{self.chain}:{self.address}:{self.zone}"


@dataclass(frozen=True, slots=True)
class FetchedPage:
    """Content of a page: count and JSON of its entries; `cursor` leads to the next one, "" where there is none.

    Attributes:
        texts: which the entries name by number, to be said in the visitor's language.
        partial: whether entries may be missing after the last page, because nobody could tell them.
    """

    count: int
    entries: str
    cursor: str
    texts: Sequence[str] = ()
    partial: bool = False


class PagesMixin(AssigningMixin, mixin=True):
    """A paged list.

    Attributes:
        page: the one that came last.
        phase: loading, shown, none, failed (a page could not be had), absent (there is nobody to ask).
        turn: changes when there may be news, so that a list that is looked at asks again.
        told: what a screen reader says of the list.
    """

    reading: ClassVar[str]
    """What a screen reader says while the first page is awaited."""

    page: Page = {"list": 0, "number": 0, "entries": "", "texts": [], "more": True}
    phase: str = "loading"
    turn: int = 0
    told: str = ""

    # Whose list the page is of, since when (seconds since 1970), by which zone's calendar, and where it goes on.
    _key: str = ""
    _since: float = 0.0
    _zone: str = ""
    _cursor: str = ""
    # List and number of the page that is on its way.
    _wanted: tuple[int, int] = (0, 0)

    @staticmethod
    async def _fetch_page(place: Place, cursor: str) -> FetchedPage:
        """Fetches a page; not about any visitor's state, whose lock is not held meanwhile."""
        raise NotImplementedError

    @staticmethod
    def _counted(count: int, *, more: bool) -> str:
        """Says how many entries the first page has; `more`: that there are others."""
        raise NotImplementedError

    async def _on_failed(self, place: Place) -> None:
        """Hook: a page could not be fetched."""

    async def _on_next_page(self, place: Place) -> None:
        """Hook: the next page is about to be loaded."""

    async def _on_first_page(self, place: Place) -> None:
        """Hook: a list of an account on a network starts."""

    def _on_appear(self) -> Followups:
        """Hook: what else to refresh when the list is looked at."""
        return []

    async def _place(self) -> Place | None:
        """Returns whose list is shown; None without an account."""
        held = await account(self, await active_namespace(self))
        if not held.address:
            return None
        caller, chain = (await self.get_state(EmbedState))._caller(), ChainId(held.namespace, held._chain)
        return Place(caller, chain, held.address, self._zone, str(chain) in settings().networks)

    async def _reload(self, place: Place | None) -> Followups:
        """Starts a new list from its first page. The same account's old one stays until then; another account's is gone at once."""
        key = place.key if place else ""
        if key != self._key or not self.page["number"]:
            self.page = {
                "list": self.page["list"] + 1,
                "number": 0,
                "entries": "",
                "texts": [],
                "more": place is not None,
            }
            self._put(phase="loading", told=self.reading)
        self._key, self._wanted = key, (0, 0)
        if place is None:
            self._put(phase="none", told="")
            return []
        await self._on_first_page(place)
        self._wanted = (self.page["list"] + (1 if self.page["number"] else 0), 1)
        return [self.__class__.load]

    def _retry_load(self) -> Followups:
        """Asks for the page that did not come, also where its server has gone with the question."""
        if self.phase not in ("failed", "loading") or not self._wanted[1]:
            return []
        self._put(phase="loading")
        return [self.__class__.load]

    def _show_page(self, of_list: int, number: int, found: FetchedPage) -> None:
        more = bool(found.cursor) and number < MAX_PAGES
        texts = list(found.texts)
        self.page = {"list": of_list, "number": number, "entries": found.entries, "texts": texts, "more": more}
        self._cursor, self._wanted = found.cursor, (0, 0)
        if number == 1:
            self._since = deployment().clock.now().timestamp()
        nothing = number == 1 and not found.count and not more
        self._put(phase="none" if nothing else "shown")
        self._put(told=self._counted(found.count, more=more) if number == 1 and found.count else "")

    async def _fail(self, place: Place, error: WalletModalError) -> None:
        """Shows that a page failed; earlier pages stay, and a list without a page is empty."""
        self._put(told="")
        if isinstance(error, NotConfiguredError):
            self._put(phase="absent")
            return
        self._put(phase="failed")
        await self._on_failed(place)
        key = alert_for_failure(error)
        if key is not None:
            await (await self.get_state(AlertState))._raise(key)

    async def _clear_list(self) -> None:
        """Clears whose list it is: another host page may be about another account, and asks under its own name."""
        self._key, self._wanted = "", (0, 0)

    @rx.event
    async def on_shown(self, kept_list: int, kept_pages: int, zone: str) -> Followups:
        """Goes on with the list of which the browser has so many pages, or starts it anew."""
        if not (await self.get_state(EmbedState))._ready:
            return []
        self._zone = zone if isinstance(zone, str) and len(zone) <= _MAX_ZONE else ""
        place = await self._place()
        # The first page is state, and takes the place of whatever the browser has.
        has_all = self.page["number"] <= 1 or (kept_list, kept_pages) == (self.page["list"], self.page["number"])
        age = deployment().clock.now().timestamp() - self._since
        old = bool(self.page["number"]) and not 0 <= age < FRESH_SECONDS
        if not has_all or old or self._key != (place.key if place else ""):
            return [*self._on_appear(), *await self._reload(place)]
        return [*self._on_appear(), *(self._retry_load() if place else [])]

    @rx.event
    async def more(self, of_list: int, number: int) -> Followups:
        """Loads the next page: the end of the list is in view."""
        follows = (of_list, number) == (self.page["list"], self.page["number"] + 1)
        if not follows or not self.page["more"] or self._wanted[1] or self.phase != "shown":
            return []
        place = await self._place()
        if place is None:
            return []
        await self._on_next_page(place)
        self._wanted = (of_list, number)
        self._put(phase="loading")
        return [self.__class__.load]

    @rx.event
    async def retry(self) -> Followups:
        """Loads once more the page that failed."""
        return self._retry_load() if self.phase == "failed" else []

    @rx.event
    async def refresh(self) -> None:
        """Marks the list as old: one that is looked at reloads now, any other when it is."""
        self._since = 0.0
        self.turn += 1

    @rx.event(background=True)
    async def load(self) -> None:
        """Loads the wanted page; the answer to an older question, or about another account, is dropped."""
        async with self:
            wanted, place, cursor = self._wanted, await self._place(), self._cursor
            if not wanted[1] or place is None or place.key != self._key:
                return
        answer: FetchedPage | WalletModalError
        try:
            answer = await self._fetch_page(place, cursor if wanted[1] > 1 else "")
        except WalletModalError as error:
            answer = error
        async with self:
            if (self._wanted, self._key) != (wanted, place.key):
                return
            if isinstance(answer, WalletModalError):
                await self._fail(place, answer)
            else:
                self._show_page(*wanted, answer)
