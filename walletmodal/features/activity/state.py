"""The history of the account that is shown."""

from __future__ import annotations

from datetime import UTC, tzinfo
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

import reflex as rx

from walletmodal.config import network_table
from walletmodal.core.accounts.transactions import Transaction, on_chain, without_spam
from walletmodal.core.analytics import events
from walletmodal.core.text.texts import FAILED_TO_FETCH_TRANSACTIONS
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.activity.entries import entries_text
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.pages.state import Found, PagesMixin, Place
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.state import PendingState

VIEW: Final = "Transactions"
MAX_EMPTY_PAGES: Final = 4
"""Pages of the service in which all is spam or of other networks that are passed over at once; then the browser asks on."""


def visitors_zone(name: str) -> tzinfo:
    """The time zone that a browser names, UTC for what is none."""
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

    noun: ClassVar[str] = "transactions"

    explorer: str = ""

    @staticmethod
    async def _find(place: Place, cursor: str) -> Found:
        """The next page in which there is something to show.

        Raises:
            NotConfiguredError, ServiceError: as the service's call.
        """
        held, seen = deployment(), {cursor}
        shown: tuple[Transaction, ...] = ()
        for _ in range(MAX_EMPTY_PAGES):
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
        zone = visitors_zone(place.zone)
        text = entries_text(
            shown,
            place.chain.namespace,
            today=held.clock.now().astimezone(zone).date(),
            zone=zone,
            picture=held.services.images.remote_path,
        )
        return Found(len(shown), text, cursor)

    async def _smart(self) -> bool:
        """Whether the account that is shown is a smart account, as events tell it."""
        return (await account(self, await active_namespace(self))).kind == "smartAccount"

    async def _begins(self, place: Place) -> None:
        network = network_table().get(str(place.chain))
        self._put(explorer=(network.explorer_transaction_url("") if network else None) or "")

    def _appears(self) -> Followups:
        return [PendingState.look]

    async def _goes_on(self, place: Place) -> None:
        asked = events.load_more_transactions(
            address=place.address,
            project_id=place.caller.project_id,
            cursor=self._cursor,
            is_smart_account=await self._smart(),
        )
        await (await self.get_state(BridgeState))._publish(asked)

    async def _could_not(self, place: Place) -> None:
        """The toast of the specification."""
        failed = events.error_fetch_transactions(
            address=place.address,
            project_id=place.caller.project_id,
            cursor=self._cursor or None,
            is_smart_account=await self._smart(),
        )
        await (await self.get_state(BridgeState))._publish(failed)
        if await (await self.get_state(ShellState))._visible():
            (await self.get_state(ToastState))._show(FAILED_TO_FETCH_TRANSACTIONS, "error")

    @rx.event
    async def open_list(self) -> None:
        """The account's row that leads to the whole activity."""
        shell, bridge = await self.get_state(ShellState), await self.get_state(BridgeState)
        if shell.connected:
            await bridge._publish(events.click_transactions(is_smart_account=await self._smart()))
            shell._push(VIEW)
            await shell._keep()


async def forget_list(state: rx.State) -> None:
    """A page that loads begins anew."""
    await (await state.get_state(ActivityState))._forget()


async def refresh_activity(_state: rx.State) -> Followups:
    """A transaction has got into the chain, so into the history."""
    return [ActivityState.refresh]
