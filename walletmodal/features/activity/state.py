"""The history of the account that is shown."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

import reflex as rx

from walletmodal.config import network_table
from walletmodal.core.accounts.transactions import Transaction, on_chain, without_spam
from walletmodal.core.analytics import events
from walletmodal.core.language import _, ngettext
from walletmodal.core.text.texts import FAILED_TO_FETCH_TRANSACTIONS
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.activity.entries import page_entries
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.pages.state import FetchedPage, PagesMixin, Place
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.state import PendingState

VIEW: Final = "Transactions"
MAX_EMPTY_PAGES: Final = 4
"""Pages of the service in which all is spam or of other networks that are passed over at once; then the browser asks on."""


def parse_time_zone(name: str) -> tzinfo:
    """Parses the time zone that a browser names; UTC for what is none."""
    if not name or not name.isascii():
        return UTC
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        return UTC


class ActivityState(PagesMixin, rx.State):
    """The list of transactions.

    Attributes:
        explorer: what a transaction's hash follows in the URL of its explorer, "" without one.
    """

    reading: ClassVar[str] = _("Loading transactions")

    explorer: str = ""

    @staticmethod
    def _counted(count: int, *, more: bool) -> str:
        if more:
            return ngettext("{count} transaction to begin with", "{count} transactions to begin with", count)
        return ngettext("{count} transaction", "{count} transactions", count)

    @staticmethod
    async def _fetch_page(place: Place, cursor: str) -> FetchedPage:
        """Fetches the next page in which there is something to show.

        Raises:
            NotConfiguredError, ServiceError: as the service's call.
        """
        held, seen = deployment(), {cursor}
        shown: tuple[Transaction, ...] = ()
        for __ in range(MAX_EMPTY_PAGES):
            calls = held.services.blockchain.accounts
            page = await calls.history(place.caller, place.chain, place.address, cursor=cursor or None)
            shown = on_chain(without_spam(page.data), place.chain)
            cursor = page.next or ""
            if cursor in seen:
                # A service that leads in a circle has told all that it knows.
                cursor = ""
            seen.add(cursor)
            if shown or not cursor:
                break
        zone = parse_time_zone(place.zone)
        entries, texts = page_entries(
            shown,
            place.chain.namespace,
            today=held.clock.now().astimezone(zone).date(),
            zone=zone,
            picture=held.services.images.remote_path,
        )
        return FetchedPage(len(shown), entries, cursor, texts)

    async def _is_smart_account(self) -> bool:
        """Whether the account that is shown is a smart account, as events tell it."""
        return (await account(self, await active_namespace(self))).kind == "smartAccount"

    async def _on_first_page(self, place: Place) -> None:
        network = network_table().get(str(place.chain))
        self._put(explorer=(network.explorer_transaction_url("") if network else None) or "")

    def _on_appear(self) -> Followups:
        return [PendingState.poll]

    async def _on_next_page(self, place: Place) -> None:
        asked = events.load_more_transactions(
            address=place.address,
            project_id=place.caller.project_id,
            cursor=self._cursor,
            is_smart_account=await self._is_smart_account(),
        )
        await (await self.get_state(BridgeState))._publish(asked)

    async def _on_failed(self, place: Place) -> None:
        """Publishes the failure and shows a toast."""
        failed = events.error_fetch_transactions(
            address=place.address,
            project_id=place.caller.project_id,
            cursor=self._cursor or None,
            is_smart_account=await self._is_smart_account(),
        )
        await (await self.get_state(BridgeState))._publish(failed)
        if await (await self.get_state(ShellState))._is_visible():
            (await self.get_state(ToastState))._show(FAILED_TO_FETCH_TRANSACTIONS, "error")

    @rx.event
    async def open_list(self) -> None:
        """Opens the whole activity: the account's row."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        if shell.connected:
            await bridge._publish(events.click_transactions(is_smart_account=await self._is_smart_account()))
            shell._push(VIEW)
            await shell._save_record()


async def reset_activity(state: rx.State) -> None:
    """Clears the list for a new page."""
    await (await state.get_state(ActivityState))._clear_list()


async def refresh_activity(_state: rx.State) -> Followups:
    """Reloads the history after a transaction."""
    return [ActivityState.refresh]
