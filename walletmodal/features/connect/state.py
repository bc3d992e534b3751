"""Connecting a wallet that the browser brings: the steps from the click to the account."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.config import settings
from walletmodal.core import analytics_events as events
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
from walletmodal.core.wallets import Wallet, is_connector_id
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import (
    BridgeState,
    Followups,
    continuation,
    early_step,
    new_id,
    on_new_page,
    on_snapshot,
)
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.services.metrics import count_ignored

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
    _found: bool = False

    async def _start(self, wallet: Wallet, *, again: bool = False) -> None:
        bridge = await self.get_state(BridgeState)
        if self.connector == wallet.id and bridge._is_pending(self._command):
            # The wallet shows its question already; a second one would be refused.
            return
        await bridge._withdraw(self._command)
        self.connector, self.wallet_name, self.wallet_icon = wallet.id, wallet.name, wallet.icon
        self.phase, self.error, self._command = "connecting", "", new_id()
        held = await account(self, "eip155")
        if held.status != "connected":
            held.status = "connecting"
        if not again:
            await bridge._publish(events.select_wallet(name=wallet.name, platform="browser"))
        await bridge._issue(
            "wallet.connect",
            {"namespace": "eip155", "connector": wallet.id, "timeout": settings().wallet_timeout_seconds * 1000},
            then="connect.answered",
            command_id=self._command,
        )

    async def _select(self, connector: str) -> None:
        wallet = (await self.get_state(WalletsState))._find(connector)
        if wallet is not None:
            (await self.get_state(ShellState))._push("ConnectingExternal", name=wallet.name)
            await self._start(wallet)

    async def _succeed(self) -> None:
        bridge, shell = await self.get_state(BridgeState), await self.get_state(ShellState)
        await bridge._withdraw(self._command)
        self.phase, self.error, self._command = "idle", "", ""
        await bridge._publish(events.connect_success(method="browser", name=self.wallet_name))
        if (await self.get_state(NetworksState))._stops_here():
            await shell._open("UnsupportedChain")
        else:
            await shell._connected()

    async def _fail(self, text: str, message: str) -> None:
        self.phase, self.error, self._command = "error", text, ""
        held = await account(self, "eip155")
        if held.status == "connecting":
            held.status = "disconnected"
        await (await self.get_state(BridgeState))._publish(events.connect_error(message=message))

    @rx.event
    async def select(self, connector: str) -> None:
        """A wallet row: leads to the connecting view and asks the wallet."""
        if not is_connector_id(connector):
            count_ignored("malformed")
        elif (await self.get_state(EmbedState)).ready:
            await self._select(connector)
        else:
            await (await self.get_state(BridgeState))._hold("connect.select", connector)

    @rx.event
    async def retry(self) -> None:
        """Asks the same wallet again."""
        if self.phase != "error":
            return
        wallet = (await self.get_state(WalletsState))._find(self.connector)
        if wallet is None:
            self.error = WALLET_GONE
        else:
            await self._start(wallet, again=True)


@early_step("connect.select")
async def late_select(state: rx.State, connector: Any) -> Followups:
    """A row was clicked while a new server did not know its wallets yet."""
    await (await state.get_state(ConnectState))._select(connector)
    return []


def explain(code: int, message: str) -> str:
    """What the visitor reads when a wallet did not connect."""
    if is_user_rejection(code, message):
        return WALLET_DECLINED
    known = {ORPHANED: WALLET_INTERRUPTED, SILENT: WALLET_SILENT, GONE: WALLET_GONE, NONSENSE: WALLET_NONSENSE}
    return known.get(code, WALLET_FAILED)


@continuation("connect.answered")
async def answered(state: rx.State, reply: Reply, _context: dict[str, Any]) -> Followups:
    """The wallet approved, declined, or did something else."""
    connect = await state.get_state(ConnectState)
    if connect._command != reply.id:
        return []
    if reply.error is not None:
        await connect._fail(explain(reply.error.code, reply.error.message), reply.error.message)
    elif (await account(state, "eip155")).connector == connect.connector:
        await connect._succeed()
    else:
        # The snapshot comes before the reply: what the wallet granted was no session that can be used.
        await connect._fail(WALLET_NONSENSE, WALLET_NONSENSE)
    return []


@on_new_page
async def forget_attempt(state: rx.State) -> None:
    """The page that waited for a wallet is gone; a session that its wallet grants late still counts."""
    connect, held = await state.get_state(ConnectState), await account(state, "eip155")
    connect.phase, connect.error, connect._command, connect._found = "idle", "", "", False
    if held.status == "connecting":
        held.status = "disconnected"


@on_snapshot
async def finish(state: rx.State, snapshot: Snapshot) -> Followups:
    """A session of the wallet that is being connected ends the waiting, whichever message told of it."""
    connect, shell = await state.get_state(ConnectState), await state.get_state(ShellState)
    session = snapshot.sessions.get("eip155")
    wallet = (await state.get_state(WalletsState))._find(connect.connector)
    connect.wallet_icon = wallet.icon if wallet else connect.wallet_icon
    found, connect._found = session is not None and not connect._found, session is not None
    interrupted = snapshot.storage.interrupted
    if session is not None and connect.phase != "idle" and session.connector == connect.connector:
        await connect._succeed()
    elif found and connect.phase == "idle" and shell.view == "Connect":
        # A remembered wallet has answered after the modal was opened.
        await shell._connected()
    elif interrupted and session is None and snapshot.settled and connect._offered != snapshot.epoch:
        await _offer_again(connect, shell, snapshot, interrupted)
    return []


async def _offer_again(connect: ConnectState, shell: ShellState, snapshot: Snapshot, interrupted: str) -> None:
    """The page went away while the wallet was asked: the visitor finds the question again, not a prompt."""
    wallet = (await connect.get_state(WalletsState))._find(interrupted)
    if wallet is None or connect.phase == "connecting":
        return
    connect._offered = snapshot.epoch
    connect.connector, connect.wallet_name, connect.wallet_icon = wallet.id, wallet.name, wallet.icon
    connect.phase, connect.error, connect._command = "error", WALLET_INTERRUPTED, ""
    if not await shell._visible():
        await shell._open("Connect")
    shell._push("ConnectingExternal", name=wallet.name)
