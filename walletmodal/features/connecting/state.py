"""Connecting a wallet that the browser brings: the steps from the click to the account."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.analytics import events
from walletmodal.core.chains.caip import Namespace, is_namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.codes import DISCONNECTED, INTERNAL_ERROR, RESOURCE_UNAVAILABLE, UNKNOWN
from walletmodal.core.errors.rpc import is_user_rejection
from walletmodal.core.protocol.messages import Reply
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import (
    FAILED_TO_FIND_CONNECTOR,
    WALLET_DECLINED,
    WALLET_FAILED,
    WALLET_GONE,
    WALLET_INTERRUPTED,
    WALLET_NONSENSE,
    WALLET_SILENT,
)
from walletmodal.core.wallets.connectors import Connector
from walletmodal.features.account.state import account
from walletmodal.features.bridge.pending import new_id
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.wallets.state import WalletsState
from walletmodal.services.metrics import count_ignored


class ConnectState(AssigningMixin, rx.State):
    """The wallet being connected. `phase`: idle, connecting, error. `choices`: the namespaces to choose from, if the wallet has several."""

    connector: str = ""
    wallet_name: str = ""
    wallet_icon: str = ""
    phase: str = "idle"
    error: str = ""
    choices: list[str] = []

    _namespace: Namespace = "eip155"
    _command: str = ""
    _offered: str = ""

    @rx.var
    def declined(self) -> bool:
        """Whether it failed because the wallet's owner said no."""
        return self.error == WALLET_DECLINED

    async def _find_connector(self, connector_id: str, namespace: str) -> Connector | None:
        """Finds the offered connector of a namespace by its id."""
        connectors = (await self.get_state(WalletsState))._connectors()
        singles = (single for entry in connectors for single in entry.each())
        return next((single for single in singles if (single.id, single.chain) == (connector_id, namespace)), None)

    async def _ask_wallet(self, connector_id: str, namespace: Namespace, *, again: bool = False) -> None:
        """Asks a wallet for its accounts of a namespace, and shows that it is asked."""
        found = await self._find_connector(connector_id, namespace)
        if found is None:
            (await self.get_state(ToastState))._show(FAILED_TO_FIND_CONNECTOR, "error")
            return
        bridge = await self.get_state(BridgeState)
        (await self.get_state(ShellState))._push("ConnectingExternal", name=found.name)
        if (self.connector, self._namespace) == (found.id, namespace) and bridge._is_pending(self._command):
            # The wallet shows its question already; a second one would be refused.
            return
        await bridge._cancel_command(self._command)
        await self._stop_waiting()
        self._put(connector=found.id, wallet_name=found.name, wallet_icon=found.image_url, phase="connecting", error="")
        self._namespace, self._command = namespace, new_id()
        held = await account(self, namespace)
        if held.status != "connected":
            held.status = "connecting"
        if not again:
            await bridge._publish(events.select_wallet(name=found.name, platform="browser"))
        params: dict[str, Any] = {
            "namespace": namespace,
            "connector": found.id,
            "timeout": settings().wallet_timeout_seconds * 1000,
        }
        if namespace != "eip155":
            # These wallets have no network of their own, and are told with each request which one is meant.
            params["chain"] = (await self.get_state(NetworksState))._preferred_chain(namespace)
        await bridge._issue("wallet.connect", params, then="connect.answered", command_id=self._command)

    async def _choose_chain(self, connector: Connector) -> None:
        """Shows the namespaces of a wallet that has several, for the visitor to choose."""
        members = connector.each()
        if len(members) == 1:
            await self._ask_wallet(members[0].id, members[0].chain)
            return
        bridge = await self.get_state(BridgeState)
        await bridge._cancel_command(self._command)
        await self._stop_waiting()
        self._put(connector=connector.id, wallet_name=connector.name, wallet_icon=connector.image_url)
        self._put(phase="idle", error="", choices=[member.chain for member in members])
        self._command = ""
        (await self.get_state(ShellState))._push("ConnectingMultiChain")

    async def _stop_waiting(self) -> None:
        """Stops waiting for the wallet that was asked before."""
        held = await account(self, self._namespace)
        if held.status == "connecting":
            held.status = "disconnected"

    async def _choose(self, namespace: str) -> None:
        """Connects in one of the chosen wallet's namespaces."""
        connectors = (await self.get_state(WalletsState))._connectors()
        group = next((entry for entry in connectors if entry.id == self.connector), None)
        member = next((single for single in group.each() if single.chain == namespace), None) if group else None
        if member is None:
            (await self.get_state(ToastState))._show(FAILED_TO_FIND_CONNECTOR, "error")
        else:
            await self._ask_wallet(member.id, member.chain)

    async def _succeed(self) -> None:
        bridge = await self.get_state(BridgeState)
        await bridge._cancel_command(self._command)
        self._put(phase="idle", error="")
        self._command = ""
        await bridge._publish(events.connect_success(method="browser", name=self.wallet_name))
        await lead_on(self, self._namespace)

    async def _fail(self, text: str, message: str) -> None:
        self._put(phase="error", error=text)
        self._command = ""
        await self._stop_waiting()
        await (await self.get_state(BridgeState))._publish(events.connect_error(message=message))

    @rx.event
    async def choose(self, namespace: str) -> None:
        """Connects in a namespace: a row of ConnectingMultiChain."""
        if not is_namespace(namespace):
            count_ignored("malformed")
        elif (await self.get_state(EmbedState))._ready:
            await self._choose(namespace)
        else:
            await (await self.get_state(BridgeState))._queue_early("connect.choose", namespace)

    @rx.event
    async def retry(self) -> None:
        """Asks the same wallet again."""
        if self.phase != "error":
            return
        if await self._find_connector(self.connector, self._namespace) is None:
            self._put(error=WALLET_GONE)
        else:
            await self._ask_wallet(self.connector, self._namespace, again=True)


async def lead_on(state: rx.State, namespace: Namespace) -> None:
    """Activates a namespace that has just got its account, and leads the visitor on."""
    shell, networks = await state.get_state(ShellState), await state.get_state(NetworksState)
    await networks._activate_namespace(namespace)
    await shell._set_namespace(None)
    if networks._must_leave_network():
        await shell._open("UnsupportedChain")
    else:
        await shell._on_connected()


async def on_early_choice(state: rx.State, namespace: Any) -> Followups:
    """Connects in a chain that was clicked before a new server knew its wallets."""
    await (await state.get_state(ConnectState))._choose(namespace)
    return []


def failure_text(code: int, message: str) -> str:
    """Explains to the visitor why a wallet did not connect."""
    if is_user_rejection(code, message):
        return WALLET_DECLINED
    known = {
        UNKNOWN: WALLET_INTERRUPTED,
        RESOURCE_UNAVAILABLE: WALLET_SILENT,
        DISCONNECTED: WALLET_GONE,
        INTERNAL_ERROR: WALLET_NONSENSE,
    }
    return known.get(code, WALLET_FAILED)


async def on_connect_reply(state: rx.State, reply: Reply, _context: dict[str, Any]) -> Followups:
    """Handles the wallet's reply: it approved, declined, or did something else."""
    connect = await state.get_state(ConnectState)
    if connect._command != reply.id:
        return []
    if reply.error is not None:
        await connect._fail(failure_text(reply.error.code, reply.error.message), reply.error.message)
    elif (await account(state, connect._namespace)).connector == connect.connector:
        await connect._succeed()
    else:
        # The snapshot comes before the reply: what the wallet granted was no session that can be used.
        await connect._fail(WALLET_NONSENSE, WALLET_NONSENSE)
    return []


async def reset_connecting(state: rx.State) -> None:
    """Clears the attempt of the page before; a session that its wallet grants late still counts."""
    connect = await state.get_state(ConnectState)
    connect.phase, connect.error, connect._command = "idle", "", ""
    await connect._stop_waiting()


async def set_namespace_filter(state: rx.State, namespace: Namespace | None) -> None:
    """Offers one namespace's wallets alone; None: all."""
    (await state.get_state(WalletsState))._set_filter(namespace)


async def clear_namespace_filter(state: rx.State) -> None:
    """Offers the wallets of all namespaces again when the modal closes."""
    (await state.get_state(WalletsState))._set_filter(None)


async def sync_connecting(state: rx.State, snapshot: Snapshot, changes: Changes) -> Followups:
    """Ends the waiting when a snapshot has the session of the wallet that is being connected."""
    connect, shell = await state.get_state(ConnectState), await state.get_state(ShellState)
    connection = changes.after.of(connect._namespace)
    wallet = await connect._find_connector(connect.connector, connect._namespace)
    if wallet is not None:
        connect._put(wallet_icon=wallet.image_url)
    if connection is not None and connect.phase != "idle" and connection.connector == connect.connector:
        await connect._succeed()
    elif (
        connect.phase == "idle"
        and shell.view == "Connect"
        and await _has_new_account(state, changes)
        and await shell._is_visible()
    ):
        # A remembered wallet has answered after the modal was opened.
        await shell._on_connected()
    else:
        await _offer_retry(connect, shell, snapshot)
    return []


async def _has_new_account(state: rx.State, changes: Changes) -> bool:
    """Whether the modal's namespace has an account now, and had none before."""
    narrowed = (await state.get_state(WalletsState))._filter
    wanted = narrowed if is_namespace(narrowed) else None
    now = (await state.get_state(BridgeState))._connections
    return now.has_account(wanted) and not changes.before.has_account(wanted)


async def _offer_retry(connect: ConnectState, shell: ShellState, snapshot: Snapshot) -> None:
    """Offers the question again, without a prompt, when the page went away while the wallet was asked."""
    interrupted = snapshot.storage.interrupted
    if interrupted is None or not snapshot.settled or connect._offered == snapshot.epoch:
        return
    namespace, connector = interrupted.namespace, interrupted.connector
    if namespace == "" or namespace in snapshot.sessions or connect.phase == "connecting":
        return
    wallet = await connect._find_connector(connector, namespace)
    if wallet is None:
        return
    connect._offered, connect._namespace, connect._command = snapshot.epoch, namespace, ""
    connect._put(connector=wallet.id, wallet_name=wallet.name, wallet_icon=wallet.image_url)
    connect._put(phase="error", error=WALLET_INTERRUPTED)
    if not await shell._is_visible():
        await shell._open("Connect")
    shell._push("ConnectingExternal", name=wallet.name)
