"""What was bought with a card, by months."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Final, Literal, TypedDict

import reflex as rx

from walletmodal.config import network_table
from walletmodal.core.accounts.activity import by_month, local_day
from walletmodal.core.accounts.transactions import HistoryPage, Transaction
from walletmodal.core.constants import PURCHASE_ACTIVITY_POLL
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.core.language import _, ngettext
from walletmodal.core.text.formatting import day_text
from walletmodal.core.transfers.purchases import in_progress, merged, purchase_text
from walletmodal.deployment import deployment
from walletmodal.features.account.holdings import token_icon
from walletmodal.features.activity.state import parse_time_zone
from walletmodal.features.bridge.wiring import Followups, run_all, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.onramp.buyer import Buyer, active_buyer
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.reflex_internals.low_priority import low_priority

VIEW: Final = "OnRampActivity"
MAX_ROWS: Final = 200
_MAX_ZONE: Final = 64


class PurchaseRow(TypedDict):
    """A purchase. `number`: its place in the list; `status`: success, in_progress, failed, "" for a word that we do not know."""

    number: int
    amount: str
    status: str
    day: str
    network: str
    icon: str


class PurchaseMonth(TypedDict):
    """The purchases of a month."""

    title: str
    rows: list[PurchaseRow]


class PurchasesState(AssigningMixin, rx.State):
    """The list.

    Attributes:
        months: the newest first; empty while nobody looks.
        phase: loading, shown, none, failed (it could not be read), absent (there is nobody to ask).
        more: whether there are older ones; `loading_more`: they are on their way.
        every: ms until it is read again; 0 while nothing is in progress.
        told: what a screen reader says of the list.
    """

    months: list[PurchaseMonth] = []
    phase: Literal["loading", "shown", "none", "failed", "absent"] = "loading"
    more: bool = False
    loading_more: bool = False
    every: int = 0
    told: str = ""

    _rows: tuple[Transaction, ...] = ()
    _of: str = ""
    _zone: str = ""
    _cursor: str = ""

    def _clear(self) -> None:
        self._put(months=[], phase="loading", more=False, loading_more=False, every=0, told="")
        if self._rows or self._of:
            self._rows, self._of, self._cursor = (), "", ""

    async def _is_looked_at(self) -> bool:
        shell = await self.get_state(ShellState)
        return shell.view == VIEW and await shell._is_visible()

    @rx.event
    async def on_shown(self, zone: str) -> Followups:
        """Reads the list that is shown, in a browser of this time zone."""
        if not (await self.get_state(EmbedState))._ready:
            return []
        self._zone = zone if isinstance(zone, str) and len(zone) <= _MAX_ZONE else ""
        return [PurchasesState.load]

    @rx.event
    async def retry(self) -> Followups:
        """Reads again what could not be read."""
        return [PurchasesState.load] if self.phase == "failed" else []

    @rx.event(background=True)
    @low_priority("progress")
    async def load(self) -> Followups:
        """Reads the newest purchases; again while one of them is in progress."""
        async with self:
            found = await active_buyer(self)
            if not await self._is_looked_at():
                return []
            if found is None:
                self._clear()
                self._put(phase="none")
                return []
            if self._of != found.account:
                self._clear()
                self._of = found.account
            elif self.phase == "failed":
                self._put(phase="loading")
        answer = await _page(found)
        async with self:
            if self._of != found.account:
                return []
            if isinstance(answer, WalletModalError):
                self._fail(answer)
                return []
            return await self._show(answer)

    @rx.event(background=True)
    async def show_more(self) -> None:
        """Reads older purchases: the button below the list."""
        async with self:
            found, cursor = await active_buyer(self), self._cursor
            if not self.more or self.loading_more or found is None or self._of != found.account:
                return
            self._put(loading_more=True)
        answer = await _page(found, cursor)
        async with self:
            self._put(loading_more=False)
            if self._of != found.account or self._cursor != cursor:
                return
            if isinstance(answer, WalletModalError):
                self._put(told=_("There is more, but it could not be read."))
                return
            self._rows = merged((), (*self.get_value("_rows"), *answer.data), MAX_ROWS)
            self._set_cursor(answer.next or "")
            self._draw()

    def _fail(self, error: WalletModalError) -> None:
        """Shows that nobody could say; what is known stays, and is asked for again."""
        if isinstance(error, NotConfiguredError):
            self._put(phase="absent", every=0)
        elif not self._rows:
            self._put(phase="failed", every=0)

    async def _show(self, page: HistoryPage) -> Followups:
        known: Sequence[Transaction] = self.get_value("_rows")
        unsettled = {one.id for one in known if one.metadata.purchase_status == "in_progress"}
        if not known:
            self._set_cursor(page.next or "")
        self._rows = merged(page.data, known, MAX_ROWS)
        self._draw()
        arrived = any(one.id in unsettled and one.metadata.purchase_status == "success" for one in page.data)
        return await run_all(wiring().on_transaction_final, self) if arrived else []

    def _set_cursor(self, cursor: str) -> None:
        self._cursor = cursor
        self._put(more=bool(cursor) and len(self._rows) < MAX_ROWS)

    def _draw(self) -> None:
        rows: Sequence[Transaction] = self.get_value("_rows")
        self._put(
            months=_months(rows, parse_time_zone(self._zone)),
            phase="shown" if rows else "none",
            every=PURCHASE_ACTIVITY_POLL * 1000 if in_progress(rows) else 0,
            told=ngettext("{count} purchase", "{count} purchases", len(rows)) if rows else "",
            more=self.more and len(rows) < MAX_ROWS,
        )


async def _page(found: Buyer, cursor: str = "") -> HistoryPage | WalletModalError:
    try:
        calls = deployment().services.blockchain.accounts
        page = await calls.purchases(found.caller, found.chain, found.address, cursor=cursor or None)
    except WalletModalError as error:
        return error
    # The first transfer alone is told; of the others there can be a thousand, and a session keeps the rows.
    data = tuple(
        one.model_copy(update={"transfers": one.transfers[:1]})
        for one in page.data
        if one.metadata.purchase_status is not None
    )
    return HistoryPage(data=data, next=None if page.next == cursor else page.next)


def _months(purchases: Sequence[Transaction], zone: tzinfo) -> list[PurchaseMonth]:
    today = deployment().clock.now().astimezone(zone).date()
    number, months = 0, list[PurchaseMonth]()
    for month in by_month(purchases, today, zone=zone):
        rows = [_row(one, place, zone) for place, one in enumerate(month.transactions, number)]
        number += len(rows)
        months.append({"title": month.title, "rows": rows})
    return months


def _row(purchase: Transaction, number: int, zone: tzinfo) -> PurchaseRow:
    told = purchase_text(purchase)
    network = network_table().get(str(purchase.metadata.chain))
    return {
        "number": number,
        "amount": told.amount,
        "status": told.status or "",
        "day": day_text(local_day(purchase, zone)),
        "network": network.name if network else "",
        "icon": token_icon(told.icon_url),
    }
