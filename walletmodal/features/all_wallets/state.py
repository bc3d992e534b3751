"""The grid of all wallets: one page of it at a time is state, the pages before are the browser's to keep."""

from __future__ import annotations

from typing import TypedDict

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.connections.connections import Changes
from walletmodal.core.constants import SEARCH_MINIMUM_MILLISECONDS
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import ONLY_CERTIFIED
from walletmodal.core.wallets.connect_order import has_wallet_connect, installed_connectors
from walletmodal.core.wallets.connectors import Connector, Exclusions
from walletmodal.core.wallets.directory import WalletListing
from walletmodal.deployment import deployment
from walletmodal.features.all_wallets.pages import Found, Page, Question, find_page, rows, search_text
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.services.http import alert_for_failure
from walletmodal.services.images import Images
from walletmodal.services.lookups import lookup_key

VIEW = "AllWallets"


class InstalledWallet(TypedDict):
    """A wallet of the browser as a cell: `icon` is a data or https URL, a path of ours, or empty."""

    id: str
    name: str
    icon: str


class AllWalletsState(AssigningMixin, rx.State):
    """What the grid shows.

    Attributes:
        page: the one that came last.
        installed: wallets of the browser.
        phase: loading, shown, none, failed (a page could not be had), absent (there is no directory).
        search: what is searched for, "" for nothing.
        certified: only wallets with the badge.
        pairs: whether the way to the QR code is offered here: on phones it is not in the Connect view.
        told: what a screen reader says of the list.
    """

    page: Page = {"list": 0, "number": 0, "rows": [], "more": True}
    installed: list[InstalledWallet] = []
    phase: str = "loading"
    search: str = ""
    certified: bool = False
    pairs: bool = False
    told: str = ""

    _asked: str = ""
    _wanted: int = 0

    def _forget_search(self) -> None:
        if self.search:
            self.search = ""
        if self.certified:
            self.certified = False

    async def _question(self) -> Question:
        options = (await self.get_state(EmbedState))._options
        offered, namespace = (
            (await self.get_state(NetworksState))._networks,
            (await self.get_state(WalletsState)).filter,
        )
        return Question(
            search=self.search,
            certified=self.certified,
            chains=tuple(chain for chain in offered if not namespace or chain.startswith(f"{namespace}:")),
            include=options.include_wallet_ids,
            exclude=options.exclude_wallet_ids,
            featured=options.featured_wallet_ids,
            linked_only=options.adapters == (),
        )

    async def _browser(self) -> tuple[tuple[Connector, ...], Exclusions]:
        """The browser's wallets that may be shown, and what the host leaves out."""
        wallets = await self.get_state(WalletsState)
        around = wallets._around()
        return installed_connectors(wallets._connectors(), around), around.excluded

    async def _take_installed(self) -> None:
        """The browser's wallets come before anything is asked: they need no directory."""
        embed = await self.get_state(EmbedState)
        pictures, images = embed._options.connector_images, deployment().services.images
        found, _ = await self._browser()
        shown: list[InstalledWallet] = [
            {
                "id": entry.id,
                "name": entry.name,
                "icon": pictures.get(entry.id) or entry.image_url or images.directory_path("connector", entry.image_id),
            }
            for entry in found
        ]
        self._put(installed=shown)
        connectors = (await self.get_state(WalletsState))._connectors()
        self._put(pairs=embed._mobile and has_wallet_connect(connectors))

    async def _begin(self) -> Followups:
        """A new list, from its first page; nothing that an older question finds is shown any more."""
        if not (await self.get_state(EmbedState)).ready:
            # The first snapshot begins the list.
            return []
        await self._take_installed()
        asked = await self._question()
        self._asked = lookup_key(VIEW, repr(asked))
        self.page = {"list": self.page["list"] + 1, "number": 0, "rows": [], "more": True}
        return self._ask(1)

    def _ask(self, number: int) -> Followups:
        self._wanted = number
        self._put(phase="loading", told="Loading wallets" if number == 1 else "")
        return [AllWalletsState.load]

    async def _search(self) -> Followups:
        if self.search or self.certified:
            event = events.search_wallet(badge="certified" if self.certified else "", search=self.search)
            await (await self.get_state(BridgeState))._publish(event)
        return await self._begin()

    def _show(self, number: int, found: Found, excluded: Exclusions, installed: tuple[Connector, ...]) -> None:
        images = deployment().services.images
        listed = [wallet for wallet in found.wallets if not excluded.match_wallet(wallet)]
        sent = rows(listed, installed, lambda wallet: _picture(images, wallet))
        self.page = {"list": self.page["list"], "number": number, "rows": sent, "more": found.more}
        self._wanted = 0
        own = 0 if self.certified else sum(self.search.lower() in wallet["name"].lower() for wallet in self.installed)
        nothing = number == 1 and not (sent or own or found.more)
        self._put(phase="none" if nothing else "shown")
        counted = len(sent) + own - len({row[4] for row in sent} - {""})
        listed_so_far = f"{counted} wallet{'' if counted == 1 else 's'}" + (" to begin with" if found.more else "")
        self._put(told="" if number > 1 or nothing else listed_so_far)

    async def _fail(self, error: WalletModalError) -> None:
        self._wanted = 0
        self._put(told="", phase="absent" if isinstance(error, NotConfiguredError) else "failed")
        key = alert_for_failure(error)
        if key is not None:
            await (await self.get_state(AlertState))._raise(key)

    @rx.event
    async def shown(self, kept_list: int, kept_pages: int) -> Followups:
        """The view is there, and the browser has so many pages of a list: goes on with it, or begins anew."""
        # The first page is state, and takes the place of whatever the browser has.
        has_all = self.page["number"] <= 1 or (kept_list, kept_pages) == (self.page["list"], self.page["number"])
        if not has_all or self._asked != lookup_key(VIEW, repr(await self._question())):
            return await self._begin()
        await self._take_installed()
        return self._go_on()

    def _go_on(self) -> Followups:
        """Asks for a page that did not come; also where its server has gone with the question."""
        return self._ask(self.page["number"] + 1) if self.phase in ("failed", "loading") else []

    @rx.event
    async def more(self, of_list: int, number: int) -> Followups:
        """The end of the list has come into view."""
        follows = (of_list, number) == (self.page["list"], self.page["number"] + 1)
        if not follows or not self.page["more"] or self._wanted or self.phase != "shown":
            return []
        return self._ask(self.page["number"] + 1)

    @rx.event
    async def find(self, text: str) -> Followups:
        """The visitor has typed; fewer than two characters are no search."""
        search = search_text(text)
        if search == self.search:
            return []
        self.search = search
        return await self._search()

    @rx.event
    async def toggle_certified(self) -> Followups:
        """Only wallets with the badge, or all."""
        self.certified = not self.certified
        if self.certified:
            (await self.get_state(ToastState))._show(ONLY_CERTIFIED)
        return await self._search()

    @rx.event
    async def retry(self) -> Followups:
        """Asks once more for the page that could not be had."""
        return self._go_on() if self.phase == "failed" else []

    @rx.event(background=True)
    async def load(self) -> None:
        """Gets the page that is wanted; what was asked before a newer question is dropped."""
        async with self:
            of_list, number = self.page["list"], self._wanted
            if not number:
                return
            asked, caller = await self._question(), (await self.get_state(EmbedState))._caller()
        held = deployment()
        began = held.clock.monotonic()
        answer: Found | WalletModalError
        try:
            answer = await find_page(held.services.directory, caller, asked, number)
        except WalletModalError as error:
            answer = error
        if asked.searches:
            # Results that come and go with each letter cannot be read.
            await held.clock.sleep(SEARCH_MINIMUM_MILLISECONDS / 1000 - (held.clock.monotonic() - began))
        async with self:
            if (self.page["list"], self._wanted) != (of_list, number):
                return
            if isinstance(answer, WalletModalError):
                await self._fail(answer)
            else:
                installed, excluded = await self._browser()
                self._show(number, answer, excluded, installed)


def _picture(images: Images, wallet: WalletListing) -> str:
    """The picture as the grid wants it: the directory's id where that is enough."""
    if wallet.image_url:
        return images.remote_path(wallet.image_url)
    return wallet.image_id if images.directory_path("wallet", wallet.image_id) else ""


async def follow_browser(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """The browser's cells follow what the browser has while the grid is shown; the page that the loader had not introduced begins."""
    grid = await state.get_state(AllWalletsState)
    if (await state.get_state(ShellState)).view != VIEW:
        return []
    if not grid._asked:
        return await grid._begin()
    await grid._take_installed()
    return grid._go_on() if grid.phase == "loading" else []


async def forget_list(state: rx.State) -> None:
    """Another host page may want other wallets."""
    grid = await state.get_state(AllWalletsState)
    grid._asked, grid._wanted = "", 0
    grid._forget_search()


async def forget_search(state: rx.State) -> None:
    """A search belongs to the open modal."""
    grid = await state.get_state(AllWalletsState)
    grid._forget_search()
