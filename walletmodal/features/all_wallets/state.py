"""The grid of all wallets: one page of it at a time is state, the pages before are the browser's to keep."""

from __future__ import annotations

from typing import TypedDict

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.connections.connections import Changes
from walletmodal.core.constants import SEARCH_MINIMUM_MILLISECONDS
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.core.language import _, ngettext
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import ONLY_CERTIFIED
from walletmodal.core.wallets.connect_order import has_wallet_connect, installed_connectors
from walletmodal.core.wallets.connectors import Connector, Exclusions
from walletmodal.core.wallets.directory import WalletListing
from walletmodal.deployment import deployment
from walletmodal.features.all_wallets.pages import Found, Page, Question, fetch_page, search_text, wallet_rows
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

    def _clear_search(self) -> None:
        if self.search:
            self.search = ""
        if self.certified:
            self.certified = False

    async def _question(self) -> Question:
        options = (await self.get_state(EmbedState))._options
        offered, namespace = (
            (await self.get_state(NetworksState))._networks,
            (await self.get_state(WalletsState))._filter,
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

    async def _installed_connectors(self) -> tuple[tuple[Connector, ...], Exclusions]:
        """Returns the browser's wallets that may be shown, and what the host leaves out."""
        wallets = await self.get_state(WalletsState)
        around = wallets._surroundings()
        return installed_connectors(wallets._connectors(), around), around.excluded

    async def _update_installed(self) -> None:
        """Updates the browser's wallets, which come before anything is asked: they need no directory."""
        embed = await self.get_state(EmbedState)
        pictures, images = embed._options.connector_images, deployment().services.images
        found, _ = await self._installed_connectors()
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

    async def _reload(self) -> Followups:
        """Starts a new list from its first page; what an older question finds is dropped."""
        if not (await self.get_state(EmbedState))._ready:
            # The first snapshot begins the list.
            return []
        await self._update_installed()
        asked = await self._question()
        self._asked = lookup_key(VIEW, repr(asked))
        self.page = {"list": self.page["list"] + 1, "number": 0, "rows": [], "more": True}
        return self._load_page(1)

    def _load_page(self, number: int) -> Followups:
        self._wanted = number
        self._put(phase="loading", told=_("Loading wallets") if number == 1 else "")
        return [AllWalletsState.load]

    async def _search(self) -> Followups:
        if self.search or self.certified:
            event = events.search_wallet(badge="certified" if self.certified else "", search=self.search)
            await (await self.get_state(BridgeState))._publish(event)
        return await self._reload()

    def _show_page(self, number: int, found: Found, excluded: Exclusions, installed: tuple[Connector, ...]) -> None:
        images = deployment().services.images
        listed = [wallet for wallet in found.wallets if not excluded.match_wallet(wallet)]
        sent = wallet_rows(listed, installed, lambda wallet: _picture(images, wallet))
        self.page = {"list": self.page["list"], "number": number, "rows": sent, "more": found.more}
        self._wanted = 0
        own = 0 if self.certified else sum(self.search.lower() in wallet["name"].lower() for wallet in self.installed)
        nothing = number == 1 and not (sent or own or found.more)
        self._put(phase="none" if nothing else "shown")
        counted = len(sent) + own - len({row[4] for row in sent} - {""})
        if found.more:
            listed_so_far = ngettext("{count} wallet to begin with", "{count} wallets to begin with", counted)
        else:
            listed_so_far = ngettext("{count} wallet", "{count} wallets", counted)
        self._put(told="" if number > 1 or nothing else listed_so_far)

    async def _fail(self, error: WalletModalError) -> None:
        self._wanted = 0
        self._put(told="", phase="absent" if isinstance(error, NotConfiguredError) else "failed")
        key = alert_for_failure(error)
        if key is not None:
            await (await self.get_state(AlertState))._raise(key)

    @rx.event
    async def on_shown(self, kept_list: int, kept_pages: int) -> Followups:
        """Goes on with the list of which the browser has so many pages, or starts it anew."""
        # The first page is state, and takes the place of whatever the browser has.
        has_all = self.page["number"] <= 1 or (kept_list, kept_pages) == (self.page["list"], self.page["number"])
        if not has_all or self._asked != lookup_key(VIEW, repr(await self._question())):
            return await self._reload()
        await self._update_installed()
        return self._retry_load()

    def _retry_load(self) -> Followups:
        """Asks for a page that did not come, also where its server has gone with the question."""
        return self._load_page(self.page["number"] + 1) if self.phase in ("failed", "loading") else []

    @rx.event
    async def more(self, of_list: int, number: int) -> Followups:
        """Loads the next page: the end of the list is in view."""
        follows = (of_list, number) == (self.page["list"], self.page["number"] + 1)
        if not follows or not self.page["more"] or self._wanted or self.phase != "shown":
            return []
        return self._load_page(self.page["number"] + 1)

    @rx.event
    async def set_search(self, text: str) -> Followups:
        """Searches for what was typed; fewer than two characters are no search."""
        search = search_text(text)
        if search == self.search:
            return []
        self.search = search
        return await self._search()

    @rx.event
    async def toggle_certified(self) -> Followups:
        """Shows only wallets with the badge, or all."""
        self.certified = not self.certified
        if self.certified:
            (await self.get_state(ToastState))._show(ONLY_CERTIFIED)
        return await self._search()

    @rx.event
    async def retry(self) -> Followups:
        """Loads once more the page that failed."""
        return self._retry_load() if self.phase == "failed" else []

    @rx.event(background=True)
    async def load(self) -> None:
        """Loads the wanted page; the answer to an older question is dropped."""
        async with self:
            of_list, number = self.page["list"], self._wanted
            if not number:
                return
            asked, caller = await self._question(), (await self.get_state(EmbedState))._caller()
        held = deployment()
        began = held.clock.monotonic()
        answer: Found | WalletModalError
        try:
            answer = await fetch_page(held.services.directory, caller, asked, number)
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
                installed, excluded = await self._installed_connectors()
                self._show_page(number, answer, excluded, installed)


def _picture(images: Images, wallet: WalletListing) -> str:
    """Returns the picture as the grid wants it: the directory's id where that is enough."""
    if wallet.image_url:
        return images.remote_path(wallet.image_url)
    return wallet.image_id if images.directory_path("wallet", wallet.image_id) else ""


async def sync_installed(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates the browser's cells while the grid is shown, and starts a list that came before the first snapshot."""
    grid = await state.get_state(AllWalletsState)
    if (await state.get_state(ShellState)).view != VIEW:
        return []
    if not grid._asked:
        return await grid._reload()
    await grid._update_installed()
    return grid._retry_load() if grid.phase == "loading" else []


async def reset_all_wallets(state: rx.State) -> None:
    """Clears list and search: another host page may want other wallets."""
    grid = await state.get_state(AllWalletsState)
    grid._asked, grid._wanted = "", 0
    grid._clear_search()


async def clear_search(state: rx.State) -> None:
    """Clears the search when the modal closes."""
    grid = await state.get_state(AllWalletsState)
    grid._clear_search()
