"""Several accounts of one wallet: the list, and which of them is ours to use."""

from __future__ import annotations

from typing import TypedDict

import reflex as rx

from walletmodal.core.addresses import avatar, truncate
from walletmodal.core.snapshots import Snapshot
from walletmodal.features.account.state import ACCOUNTS, ActiveState, account, active_namespace
from walletmodal.features.bridge.state import Followups, on_snapshot
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState

VIEW = "SwitchAddress"


class AddressRow(TypedDict):
    """One account: the whole address, how it is shown, and its gradient."""

    address: str
    short: str
    avatar: str


class AddressesState(rx.State):
    """The accounts of the wallet whose account is shown, in the wallet's order; filled only while they are looked at.

    The choice is this session's: a reload of the page keeps it, and it ends when the wallet itself moves on to another account.
    """

    rows: list[AddressRow] = []
    site: str = ""
    site_icon: str = ""

    async def _fill(self) -> None:
        held, embed = await account(self, await active_namespace(self)), await self.get_state(EmbedState)
        # In the wallet's own order: the list must not move under the visitor's hand.
        rows: list[AddressRow] = [
            {"address": address, "short": truncate(address), "avatar": avatar(address).background}
            for address in held._offered
        ]
        if rows != self.get_value("rows"):
            self.rows = rows
        if (self.site, self.site_icon) != (embed._origin, embed._host_icon):
            self.site, self.site_icon = embed._origin, embed._host_icon

    @rx.event
    async def refresh(self) -> None:
        """The view is shown, on whichever way."""
        await self._fill()

    @rx.event
    async def open_list(self) -> None:
        """The account's button that leads to the others."""
        if (await account(self, await active_namespace(self))).several:
            await self._fill()
            shell = await self.get_state(ShellState)
            shell._push(VIEW)
            await shell._keep()

    @rx.event
    async def choose(self, address: str) -> Followups:
        """A row's button: that account is used from now on."""
        namespace = await active_namespace(self)
        held, shell = await account(self, namespace), await self.get_state(ShellState)
        if not isinstance(address, str) or address not in held._offered:
            return []
        changed = held._use(address)
        if changed:
            (await self.get_state(ActiveState))._prefer(namespace, held.connector, held._offered[0], address)
        if shell.view == VIEW:
            await shell._close()
        await shell._keep()
        return [ACCOUNTS[namespace].refresh_balance] if changed else []


@on_snapshot
async def follow_accounts(state: rx.State, _snapshot: Snapshot) -> Followups:
    """A list that is looked at follows the wallet."""
    if (await state.get_state(ShellState)).view == VIEW:
        await (await state.get_state(AddressesState))._fill()
    return []
