"""Several accounts of one wallet: the list, and which of them is ours to use."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

import reflex as rx

from walletmodal.core.accounts.account import AccountKind
from walletmodal.core.accounts.tokens import total_value
from walletmodal.core.chains.addresses import avatar, truncate
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors import WalletModalError
from walletmodal.core.language import _, pgettext
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.formatting import format_usd
from walletmodal.core.wallets.account_type import ACCOUNT_TYPE_METHOD
from walletmodal.core.wallets.connectors import AUTH_ID, WALLET_CONNECT_ID
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.holdings import Holder, holder
from walletmodal.features.account.state import ACCOUNTS, TAPROOT, account
from walletmodal.features.account.wallet_requests import ANSWER_SECONDS, wallet_asker, wallet_request
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState

VIEW, PROFILE = "SwitchAddress", "Profile"


VALUED = 20
"""Accounts of one wallet whose worth is asked for; a wallet may give hundreds."""
UNKNOWN = "–"

KINDS: dict[AccountKind, str] = {
    "eoa": _("EOA"),
    "smartAccount": _("Smart Account"),
    "payment": pgettext("kind of address", "Payment"),
    "ordinal": _("Ordinals"),
}
"""What the kinds of account are called."""


class AddressRow(TypedDict):
    """One account: the whole address, how it is shown, its gradient, and what it is for."""

    address: str
    short: str
    avatar: str
    kind: str


class AddressesState(rx.State):
    """The accounts of the wallet whose account is shown, in the wallet's order; filled only while they are looked at.

    The choice is this session's: a reload of the page keeps it, and it ends when the wallet itself moves on to another account.
    """

    rows: list[AddressRow] = []
    # What those that have been asked for are worth, by address.
    worth: dict[str, str] = {}
    site: str = ""
    site_icon: str = ""

    async def _update_rows(self) -> None:
        """Fills the rows, in the wallet's own order."""
        held, embed = await account(self, await active_namespace(self)), await self.get_state(EmbedState)
        # In the wallet's own order: the list must not move under the visitor's hand.
        rows: list[AddressRow] = [
            {
                "address": address,
                "short": truncate(address),
                "avatar": avatar(address).background,
                "kind": KINDS[held._kind_of(address)],
            }
            for address in held._wallet_accounts
        ]
        if rows != self.get_value("rows"):
            self.rows = rows
        if (self.site, self.site_icon) != (embed._origin, embed._host_icon):
            self.site, self.site_icon = embed._origin, embed._host_icon

    @rx.event
    async def refresh(self) -> Followups:
        """Fills the rows for a view of the accounts that is shown."""
        await self._update_rows()
        return [AddressesState.load_values]

    @rx.event(background=True)
    async def load_values(self) -> None:
        """Loads what the accounts are worth, one after the other; the deployment keeps the answers for 30 s."""
        async with self:
            first = await holder(self)
            held = await account(self, await active_namespace(self))
            known = {
                address: text for address, text in self.get_value("worth").items() if address in held._wallet_accounts
            }
            if known != self.get_value("worth"):
                self.worth = known
            addresses = held._wallet_accounts[:VALUED] if first is not None else ()
        for address in addresses:
            text = await _fetch_worth(replace(first, address=address, ask=None)) if first is not None else ""
            async with self:
                held = await account(self, await active_namespace(self))
                if address in held._wallet_accounts and self.get_value("worth").get(address) != text:
                    self.worth = {**self.get_value("worth"), address: text}

    @rx.event
    async def open_list(self) -> None:
        """Opens the list of accounts: the account's button."""
        if (await account(self, await active_namespace(self))).several:
            await self._update_rows()
            shell = await self.get_state(ShellState)
            shell._push(VIEW)
            await shell._save_record()

    @rx.event
    async def open_profile(self) -> None:
        """Opens the account's settings, or first the wallet's other accounts, whose rows come with the view."""
        held = await account(self, await active_namespace(self))
        if held.status == "connected":
            if held.several:
                await self._update_rows()
            shell = await self.get_state(ShellState)
            # The embedded wallet's one address is listed as both kinds of account.
            two_kinds = held.connector == AUTH_ID and held.namespace == "eip155"
            shell._push(PROFILE if held.several or two_kinds else "AccountSettings")
            await shell._save_record()

    @rx.event
    async def choose_kind(self, kind: str) -> Followups:
        """Uses the Bitcoin wallet's first address of this kind: a tab above the account."""
        held = await account(self, await active_namespace(self))
        address = next((each for each in held._wallet_accounts if held._kind_of(each) == kind), "")
        return await self.choose(address) if kind != held.kind else []

    @rx.event(background=True)
    async def load_kinds(self) -> None:
        """Asks a Bitcoin wallet which of its addresses are for collectibles; Taproot ones are where it does not say."""
        async with self:
            held = await account(self, "bip122")
            offered, unknown = held._wallet_accounts, held._ordinals is None and held.connector != WALLET_CONNECT_ID
            if len(offered) < 2 or not unknown:
                return
            chain = ChainId("bip122", held._chain)
            held._ordinals = tuple(address for address in offered if address.startswith(TAPROOT))
        try:
            told = await wallet_asker(self, chain)("getAccountAddresses", [])
        except WalletModalError:
            return
        async with self:
            held = await account(self, "bip122")
            connection = held._connection
            if connection is not None and connection.session.accounts == offered:
                held._ordinals = parse_ordinals(told, offered)
                held._show_address(connection)

    @rx.event
    async def choose(self, address: str) -> Followups:
        """Uses this account from now on: a row's button."""
        namespace = await active_namespace(self)
        held, shell = await account(self, namespace), await self.get_state(ShellState)
        if not isinstance(address, str) or address not in held._wallet_accounts:
            return []
        bridge = await self.get_state(BridgeState)
        bridge._use_account(namespace, address)
        if held.connector == AUTH_ID:
            # Of a Safe and its owner: the frame keeps which of them is preferred.
            choice = [{"type": held._kind_of(address)}]
            question = wallet_request(held, ACCOUNT_TYPE_METHOD, choice, seconds=ANSWER_SECONDS)
            await bridge._issue("wallet.request", question)
        connection = held._connection
        changed = connection is not None and held._apply_connection(connection, held.wallet_name)
        if shell.view == VIEW:
            await shell._close()
        await shell._save_record()
        return [ACCOUNTS[namespace].refresh_balance] if changed else []


def parse_ordinals(told: object, offered: tuple[str, ...]) -> tuple[str, ...]:
    """Parses a wallet's unchecked answer to `getAccountAddresses`: its addresses for collectibles, only of those that it gave before."""
    rows = told if isinstance(told, list) else []
    found = {row.get("address") for row in rows if isinstance(row, dict) and row.get("intention") == "ordinal"}
    return tuple(address for address in offered if address in found)


async def _fetch_worth(whose: Holder) -> str:
    """Fetches an account's worth in dollars; a dash where it is not known."""
    try:
        worth = total_value(await whose.tokens())
    except WalletModalError:
        return UNKNOWN
    return format_usd(worth) if worth else UNKNOWN


async def refresh_addresses(state: rx.State) -> Followups:
    """Fills the rows when the host has opened a view of the accounts itself."""
    if (await state.get_state(ShellState)).view in (VIEW, PROFILE):
        await (await state.get_state(AddressesState))._update_rows()
    return []


async def sync_addresses(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates the rows to the wallet's accounts while they are looked at."""
    if (await state.get_state(ShellState)).view in (VIEW, PROFILE):
        await (await state.get_state(AddressesState))._update_rows()
    return []
