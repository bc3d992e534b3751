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
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID, Connector, Identified, reaching
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
        """A wallet's row, cell or card.

        Args:
            kind: one of `KINDS`.
            wallet_id: the connector's id, or that of the directory; "" for pairing with any wallet.
        """
        if not _is_choice(kind, wallet_id):
            count_ignored("malformed")
        elif (await self.get_state(EmbedState)).ready:
            return await self._select(kind, wallet_id)
        else:
            await (await self.get_state(BridgeState))._hold("choice.select", [kind, wallet_id])
        return []

    async def _select(self, kind: str, wallet_id: str) -> Followups:
        self._forget()
        if await (await self.get_state(LegalState))._waits():
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
        custom = await self._custom(wallet_id)
        if custom is not None:
            await self._pair(custom)
            return []
        if kind == "custom":
            return []
        return await self._find(wallet_id)

    async def _custom(self, wallet_id: str) -> CustomWallet | None:
        options: HostOptions = (await self.get_state(EmbedState)).get_value("_options")
        return next((wallet for wallet in options.custom_wallets if wallet.id == wallet_id), None)

    async def _find(self, wallet_id: str) -> Followups:
        """A wallet of the directory: its connector if the browser has one, else what the directory says of its links."""
        known = (await self.get_state(WalletsState))._listed(wallet_id)
        if known is not None and await self._connect_to(known):
            return []
        self.pending, self._seen_on = wallet_id, (await self.get_state(ShellState)).view
        return [ChoiceState.look_up]

    async def _connect_to(self, wallet: Identified) -> bool:
        """Goes on with the connector that reaches the wallet, if there is one."""
        entry = reaching(wallet, (await self.get_state(WalletsState))._connectors())
        if entry is not None:
            await self._connect(entry)
        return entry is not None

    async def _connect(self, entry: Connector) -> None:
        connect, members = await self.get_state(ConnectState), entry.each()
        if len(members) > 1:
            await connect._choose_chain(entry)
        else:
            await connect._start(members[0].id, members[0].chain)
        await (await self.get_state(ShellState))._keep()

    async def _pair(self, wallet: WalletListing | CustomWallet | None) -> None:
        await (await self.get_state(PairingState))._begin(wallet)
        await (await self.get_state(ShellState))._keep()

    @rx.event(background=True)
    async def look_up(self) -> None:
        """Asks the directory for the chosen wallet; most often the list that showed it has left the answer behind."""
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
            self._forget()
            if not moved_on:
                await self._found(found)

    async def _found(self, wallet: WalletListing | None) -> None:
        if wallet is not None and await self._connect_to(wallet):
            return
        if wallet is None and (await self.get_state(EmbedState))._mobile:
            # A code on the screen of a phone helps nobody, and which app to open is not known.
            (await self.get_state(ToastState))._show(WALLET_NOT_LOADED, "error")
        else:
            # Any wallet can read the code of no wallet in particular.
            await self._pair(wallet)

    def _forget(self) -> None:
        if self.pending:
            self.pending = ""

    @rx.event
    async def open_all_wallets(self) -> None:
        """The row below all others."""
        wallets = await self.get_state(WalletsState)
        if wallets.all_wallets and not await (await self.get_state(LegalState))._waits():
            await (await self.get_state(BridgeState))._publish(events.click_all_wallets())
            shell = await self.get_state(ShellState)
            shell._push("AllWallets")
            await shell._keep()


async def late_choice(state: rx.State, payload: Any) -> Followups:
    """A row was clicked while a new server did not know its wallets yet."""
    kind, wallet_id = payload
    return await (await state.get_state(ChoiceState))._select(kind, wallet_id)


async def forget_choice(state: rx.State) -> None:
    """Who has closed the modal waits for no wallet."""
    (await state.get_state(ChoiceState))._forget()


async def forget_choice_of_page(state: rx.State) -> None:
    """The page on which it was chosen is gone."""
    (await state.get_state(ChoiceState))._forget()
