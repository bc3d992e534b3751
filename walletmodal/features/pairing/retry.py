"""Retry of a pairing that was cut off when its page went away; also accepts a phone that approves late."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.errors import WalletModalError
from walletmodal.core.protocol.options import CustomWallet, HostOptions
from walletmodal.core.protocol.snapshots import Interrupted, RecentWallet, Snapshot
from walletmodal.core.text.texts import PAIRING_INTERRUPTED
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.deployment import deployment
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.pairing.approved import paired_sessions
from walletmodal.features.pairing.state import PAIRING_VIEWS, PairingState
from walletmodal.features.pairing.target import AnyWallet
from walletmodal.features.shell.state import ShellState

BEGINNINGS: Final = frozenset({"Connect", "AllWallets", "Account", "ConnectingWalletConnectBasic"})
"""Views on which the modal opens: a visitor who is anywhere else has begun something new."""


class InterruptedState(rx.State):
    """The interrupted pairing; nothing of it is shown. `_expected`, `_offered`: the pages for which it is waited for, and was offered."""

    _expected: str = ""
    _offered: str = ""
    _wanted: RecentWallet | None = None

    @rx.event(background=True)
    async def fetch_wallet(self) -> None:
        """Fetches the interrupted wallet from the directory: the page remembers only its name."""
        async with self:
            wanted, caller = self._wanted, (await self.get_state(EmbedState))._caller()
        if wanted is None:
            return
        try:
            found = await deployment().services.directory.wallet(caller, wanted.id)
        except WalletModalError:
            found = None
        async with self:
            if self._wanted != wanted:
                return
            self._wanted = None
            # Without its links there is nothing to offer, and the list of wallets is one click away.
            if found is not None and await _can_offer(self):
                await (await self.get_state(PairingState))._set_wallet(found)
                await _show_retry(self)


def _interrupted(snapshot: Snapshot) -> Interrupted | None:
    found = snapshot.storage.interrupted
    return found if found is not None and found.connector == WALLET_CONNECT_ID else None


async def expect_late_approval(state: rx.State, snapshot: Snapshot) -> None:
    """Accepts what the phone approves now as the answer to the page before."""
    interrupted = _interrupted(snapshot)
    if interrupted is None:
        return
    own = await state.get_state(InterruptedState)
    if own._expected == snapshot.epoch:
        return
    own._expected = snapshot.epoch
    if WALLET_CONNECT_ID in snapshot.storage.connectors.values():
        # A session of before that is found again is no answer.
        return
    pairing, embed = await state.get_state(PairingState), await state.get_state(EmbedState)
    pairing._asked, pairing._linked = True, embed._mobile and interrupted.wallet is not None


async def offer_retry(state: rx.State, snapshot: Snapshot) -> Followups:
    """Offers to ask the interrupted wallet again, with a button; no app is opened by itself.

    A code stands on the screen again as a fresh one: nobody has refused it, and it asks nobody before it is read.
    """
    interrupted = _interrupted(snapshot)
    if interrupted is None or not snapshot.settled:
        return []
    own = await state.get_state(InterruptedState)
    if own._offered == snapshot.epoch:
        return []
    own._offered = snapshot.epoch
    if not await _can_offer(state):
        return []
    wallet, pairing = interrupted.wallet, await state.get_state(PairingState)
    if wallet is not None and wallet.id != pairing.wallet["id"]:
        custom = await _find_custom(state, wallet.id)
        if custom is None:
            own._wanted = wallet
            return [InterruptedState.fetch_wallet]
        await pairing._set_wallet(custom)
    elif wallet is None:
        await pairing._set_wallet(None)
    await _show_retry(state)
    return []


async def _find_custom(state: rx.State, wallet_id: str) -> AnyWallet | None:
    options: HostOptions = (await state.get_state(EmbedState)).get_value("_options")
    found: CustomWallet | None = next((wallet for wallet in options.custom_wallets if wallet.id == wallet_id), None)
    return found


async def _can_offer(state: rx.State) -> bool:
    pairing, shell = await state.get_state(PairingState), await state.get_state(ShellState)
    busy = await shell._is_visible() and shell.view not in BEGINNINGS
    if busy or await paired_sessions(state):
        return False
    return pairing._available and (pairing._ahead or not pairing._command)


async def _show_retry(state: rx.State) -> None:
    pairing, shell = await state.get_state(PairingState), await state.get_state(ShellState)
    await pairing._cancel()
    if pairing.pane != "qrcode" or (await state.get_state(EmbedState))._mobile:
        pairing.phase, pairing.error = "error", PAIRING_INTERRUPTED
    if not await shell._is_visible():
        await shell._open()
    if pairing.wallet["id"] or shell.view not in PAIRING_VIEWS:
        shell._push("ConnectingWalletConnect", name=pairing.wallet["name"])
    await shell._save_record()
