"""Connecting a wallet that the browser brings: the steps from the click to the account."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.protocol import Reply, Snapshot
from walletmodal.core.rpc_errors import is_user_rejection
from walletmodal.core.texts import (
    WALLET_DECLINED,
    WALLET_FAILED,
    WALLET_GONE,
    WALLET_INTERRUPTED,
    WALLET_NONSENSE,
    WALLET_SILENT,
)
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState, Followups, continuation, on_snapshot
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletsState

ORPHANED, SILENT, GONE, NONSENSE = -1, -32002, 4900, -32603


class ConnectState(rx.State):
    """The wallet being connected. `phase`: idle, connecting, error."""

    connector: str = ""
    wallet_name: str = ""
    wallet_icon: str = ""
    phase: str = "idle"
    error: str = ""

    _command: str = ""
    _offered: str = ""

    async def _start(self, connector: str) -> bool:
        wallet = (await self.get_state(WalletsState))._find(connector)
        if wallet is None:
            return False
        bridge = await self.get_state(BridgeState)
        if self._command:
            bridge._withdraw(self._command)
        self.connector, self.wallet_name, self.wallet_icon = wallet.id, wallet.name, wallet.icon
        self.phase, self.error = "connecting", ""
        (await account(self, "eip155")).status = "connecting"
        await bridge._publish("SELECT_WALLET", name=wallet.name, platform="browser")
        self._command = await bridge._issue(
            "wallet.connect",
            {"namespace": "eip155", "connector": wallet.id, "timeout": settings().wallet_timeout_seconds * 1000},
            then="connect.answered",
        )
        return True

    async def _fail(self, text: str, message: str) -> None:
        self.phase, self.error, self._command = "error", text, ""
        held = await account(self, "eip155")
        if held.status == "connecting":
            held.status = "disconnected"
        await (await self.get_state(BridgeState))._publish("CONNECT_ERROR", message=message)

    @rx.event
    async def select(self, connector: str) -> None:
        """A wallet row: leads to the connecting view and asks the wallet."""
        if isinstance(connector, str) and await self._start(connector):
            (await self.get_state(ShellState))._push("ConnectingExternal", name=self.wallet_name)

    @rx.event
    async def retry(self) -> None:
        """Asks the same wallet again."""
        if self.connector and not await self._start(self.connector):
            self.phase, self.error = "error", WALLET_GONE


def explain(code: int, message: str) -> str:
    """What the visitor reads when a wallet did not connect."""
    if is_user_rejection(code, message):
        return WALLET_DECLINED
    known = {ORPHANED: WALLET_INTERRUPTED, SILENT: WALLET_SILENT, GONE: WALLET_GONE, NONSENSE: WALLET_NONSENSE}
    return known.get(code, WALLET_FAILED)


@continuation("connect.answered")
async def answered(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """The wallet approved, declined, or did something else."""
    connect = await state.get_state(ConnectState)
    if connect._command != reply.id:
        return []
    if reply.error is not None:
        await connect._fail(explain(reply.error.code, reply.error.message), reply.error.message)
    elif (await account(state, "eip155")).connector != connect.connector:
        # The snapshot with the session follows the reply; until it is here nothing is connected.
        connect._command = ""
    return []


@on_snapshot
async def finish(state: rx.State, snapshot: Snapshot) -> Followups:
    """A session of the wallet that is being connected ends the waiting, whichever message told of it."""
    connect, shell = await state.get_state(ConnectState), await state.get_state(ShellState)
    session = snapshot.sessions.get("eip155")
    wallet = (await state.get_state(WalletsState))._find(connect.connector)
    connect.wallet_icon = wallet.icon if wallet else connect.wallet_icon
    if session is not None and connect.phase != "idle" and session.connector == connect.connector:
        bridge = await state.get_state(BridgeState)
        if connect._command:
            bridge._withdraw(connect._command)
        connect.phase, connect.error, connect._command = "idle", "", ""
        await bridge._publish("CONNECT_SUCCESS", method="browser", name=connect.wallet_name)
        networks = await state.get_state(NetworksState)
        if networks.unsupported and networks._stops_unsupported:
            if shell.open:
                shell._reset("UnsupportedChain")
        else:
            await shell._connected()
        return []
    interrupted = snapshot.storage.interrupted
    if interrupted and session is None and snapshot.settled and connect._offered != snapshot.epoch:
        await _offer_again(connect, shell, snapshot, interrupted)
    return []


async def _offer_again(connect: ConnectState, shell: ShellState, snapshot: Snapshot, interrupted: str) -> None:
    """The page went away while the wallet was asked: the visitor finds the question again, not a prompt."""
    wallet = (await connect.get_state(WalletsState))._find(interrupted)
    if wallet is None:
        return
    connect._offered = snapshot.epoch
    connect.connector, connect.wallet_name, connect.wallet_icon = wallet.id, wallet.name, wallet.icon
    connect.phase, connect.error, connect._command = "error", WALLET_INTERRUPTED, ""
    if not shell.open:
        await shell._open("Connect")
    shell._push("ConnectingExternal", name=wallet.name)
