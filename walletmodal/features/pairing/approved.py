"""After a wallet has approved a pairing."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.protocol.snapshots import Session
from walletmodal.core.wallets.connectors import WALLET_CONNECT_ID
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.pairing.state import PAIRING_VIEWS, PairingState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletsState

WAITING_VIEWS = PAIRING_VIEWS | {"AllWallets", "Downloads"}
"""Where a visitor may be while the phone approves late; on Connect the connecting of wallets goes on by itself."""


async def paired_sessions(state: rx.State) -> dict[Namespace, Session]:
    """Returns the pairing's sessions."""
    return (await state.get_state(BridgeState))._connections.by_connector(WALLET_CONNECT_ID)


async def on_approved(state: rx.State, sessions: dict[Namespace, Session], *, leads_on: bool = True) -> None:
    """Activates what the wallet serves of the modal's namespace, and leads the visitor on."""
    shell, networks = await state.get_state(ShellState), await state.get_state(NetworksState)
    peer = next((session.peer.name for session in sessions.values() if session.peer is not None), "")
    await (await state.get_state(PairingState))._succeed(peer)
    wanted = (await state.get_state(WalletsState))._filter, networks.active.partition(":")[0]
    await networks._activate_namespace(next(namespace for namespace in (*wanted, *sessions) if namespace in sessions))
    if not leads_on:
        return
    await shell._set_namespace(None)
    if networks._must_leave_network():
        await shell._open("UnsupportedChain")
    else:
        await shell._on_connected()
