"""Choosing a wallet, wherever it is listed: the one way from a row, a cell or a card to what connects it."""

from __future__ import annotations

import re
from typing import Any, Final

import reflex as rx

from walletmodal.core.analytics import events
from walletmodal.core.errors import WalletModalError
from walletmodal.core.protocol.options import CustomWallet, HostOptions
from walletmodal.core.text.texts import FAILED_TO_FIND_CONNECTOR, WALLET_NOT_LOADED
from walletmodal.core.wallets.connect_order import has_wallet_connect
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID, Connector, Identified, find_connector
from walletmodal.core.wallets.directory import WalletListing
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.connect.legal import LegalState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.services.metrics import count_ignored

ANY_WALLET: Final = "walletconnect"
CONNECTORS: Final = frozenset({"connector", "external"})
OF_THE_DIRECTORY: Final = frozenset({"recent", "featured", "recommended", "listed"})
KINDS: Final = CONNECTORS | OF_THE_DIRECTORY | {ANY_WALLET, "custom"}
"""What can be chosen. `listed` is a wallet of the whole directory, the others are sections of the Connect view."""
_ID: Final = re.compile(r"[!-~](?:[ -~]{0,126}[!-~])?")


def _is_choice(kind: object, wallet_id: object) -> bool:
    if not isinstance(kind, str) or kind not in KINDS or not isinstance(wallet_id, str):
        return False
    return kind == ANY_WALLET or _ID.fullmatch(wallet_id) is not None


class ChoiceState(rx.State):
    """What was chosen. `pending`: the id of the wallet whose links are still being looked up."""

    pending: str = ""

    _seen_on: str = ""

    @rx.event
    async def select(self, kind: str, wallet_id: str) -> Followups:
        """Selects a wallet: its row, cell or card.

        Args:
            kind: one of `KINDS`.
            wallet_id: the connector's id, or that of the directory; "" for pairing with any wallet.
        """
        if not _is_choice(kind, wallet_id):
            count_ignored("malformed")
        elif (await self.get_state(EmbedState))._ready:
            return await self._select(kind, wallet_id)
        else:
            await (await self.get_state(BridgeState))._queue_early("choice.select", [kind, wallet_id])
        return []

    async def _select(self, kind: str, wallet_id: str) -> Followups:
        self._clear_pending()
        if await (await self.get_state(LegalState))._is_blocked():
            return []
        wallets = await self.get_state(WalletsState)
        connectors = wallets._connectors()
        if kind == ANY_WALLET or wallet_id == WALLET_CONNECT_ID:
            if has_wallet_connect(connectors):
                await self._pair(None)
            return []
        if kind in CONNECTORS:
            entry = next((entry for entry in connectors if entry.id == wallet_id), None)
            if entry is not None:
                await self._connect(entry)
            else:
                # It has vanished from the page since its row was drawn.
                (await self.get_state(ToastState))._show(FAILED_TO_FIND_CONNECTOR, "error")
            return []
        custom = await self._find_custom(wallet_id)
        if custom is not None:
            await self._pair(custom)
            return []
        if kind == "custom":
            return []
        return await self._select_listed(wallet_id)

    async def _find_custom(self, wallet_id: str) -> CustomWallet | None:
        options: HostOptions = (await self.get_state(EmbedState)).get_value("_options")
        return next((wallet for wallet in options.custom_wallets if wallet.id == wallet_id), None)

    async def _select_listed(self, wallet_id: str) -> Followups:
        """Selects a wallet of the directory: its connector if the browser has one, else the links in the directory."""
        known = (await self.get_state(WalletsState))._find_listed(wallet_id)
        if known is not None and await self._connect_if_installed(known):
            return []
        self.pending, self._seen_on = wallet_id, (await self.get_state(ShellState)).view
        return [ChoiceState.fetch_wallet]

    async def _connect_if_installed(self, wallet: Identified) -> bool:
        """Connects through the connector that reaches the wallet; False if there is none."""
        entry = find_connector(wallet, (await self.get_state(WalletsState))._connectors())
        if entry is not None:
            await self._connect(entry)
        return entry is not None

    async def _connect(self, entry: Connector) -> None:
        connect, members = await self.get_state(ConnectState), entry.each()
        if len(members) > 1:
            await connect._choose_chain(entry)
        else:
            await connect._ask_wallet(members[0].id, members[0].chain)
        await (await self.get_state(ShellState))._save_record()

    async def _pair(self, wallet: WalletListing | CustomWallet | None) -> None:
        await (await self.get_state(PairingState))._open_wallet(wallet)
        await (await self.get_state(ShellState))._save_record()

    @rx.event(background=True)
    async def fetch_wallet(self) -> None:
        """Fetches the chosen wallet from the directory; most often the list that showed it has left the answer in the cache."""
        async with self:
            wanted, caller = self.pending, (await self.get_state(EmbedState))._caller()
        if not wanted:
            return
        try:
            found = await deployment().services.directory.wallet(caller, wanted)
        except WalletModalError:
            found = None
        async with self:
            if self.pending != wanted:
                return
            moved_on = (await self.get_state(ShellState)).view != self._seen_on
            self._clear_pending()
            if not moved_on:
                await self._on_wallet_fetched(found)

    async def _on_wallet_fetched(self, wallet: WalletListing | None) -> None:
        if wallet is not None and await self._connect_if_installed(wallet):
            return
        if wallet is None and (await self.get_state(EmbedState))._mobile:
            # A code on the screen of a phone helps nobody, and which app to open is not known.
            (await self.get_state(ToastState))._show(WALLET_NOT_LOADED, "error")
        else:
            # Any wallet can read the code of no wallet in particular.
            await self._pair(wallet)

    def _clear_pending(self) -> None:
        if self.pending:
            self.pending = ""

    @rx.event
    async def open_all_wallets(self) -> None:
        """Opens all wallets: the row below the others."""
        wallets = await self.get_state(WalletsState)
        if wallets.all_wallets and not await (await self.get_state(LegalState))._is_blocked():
            await (await self.get_state(BridgeState))._publish(events.click_all_wallets())
            shell = await self.get_state(ShellState)
            shell._push("AllWallets")
            await shell._save_record()


async def on_early_choice(state: rx.State, payload: Any) -> Followups:
    """Selects a wallet whose row was clicked before a new server knew its wallets."""
    kind, wallet_id = payload
    return await (await state.get_state(ChoiceState))._select(kind, wallet_id)


async def clear_choice(state: rx.State) -> None:
    """Clears the choice when the modal closes."""
    (await state.get_state(ChoiceState))._clear_pending()


async def reset_choice(state: rx.State) -> None:
    """Clears the choice of the page before."""
    (await state.get_state(ChoiceState))._clear_pending()
