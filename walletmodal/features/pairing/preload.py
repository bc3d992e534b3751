"""Preload of the pairing SDK and code, before a wallet is chosen.

On a phone nearly every row leads to a pairing, so its SDK is loaded with the list. Telegram's window on iOS lets a link out
only within the tap itself: there the code is made ready too, and the rows wait for it.
"""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.protocol.messages import Reply
from walletmodal.core.wallets.pairing import ORPHANED
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.substates import get_substate

LISTS: Final = frozenset({"Connect", "ConnectWallets", "AllWallets"})
"""Views whose rows open apps."""


def preload_for(pairing: PairingState, embed: EmbedState, *, paired: bool) -> str:
    """Returns what to preload where wallets are listed: the values of `PairingState.ahead`."""
    if not pairing._available or not embed._mobile:
        return ""
    within_the_tap = embed._telegram and embed._system == "ios"
    held_back = pairing._unready or paired or embed._options.manual_wc_control
    return "code" if within_the_tap and not held_back else "load"


async def preload_code(state: rx.State) -> bool:
    """Requests a code where a list is looked at that needs one; returns whether it does."""
    shell = await get_substate(state, ShellState)
    if (
        shell.view not in LISTS
        or not (await get_substate(state, EmbedState))._telegram
        or not await shell._is_visible()
    ):
        return False
    pairing = await state.get_state(PairingState)
    if pairing.ahead != "code":
        return False
    if not pairing._ahead or not (await state.get_state(BridgeState))._is_pending(pairing._command):
        await pairing._cancel()
        await pairing._propose(ahead=True)
    return True


async def on_preload_failed(pairing: PairingState, reply: Reply, *, orphaned: bool) -> None:
    """Falls back to rows without a code; the pane of the wallet says why."""
    pairing._command, pairing._ahead = "", False
    if reply.error is not None and reply.error.code == ORPHANED and not orphaned:
        await pairing._propose(ahead=True, orphaned=True)
    else:
        pairing._unready = True
        pairing._put(ahead="load")
