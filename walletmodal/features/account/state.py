"""Account and connection state per namespace: one mixin, four namespaces."""

from __future__ import annotations

from typing import Any, ClassVar

import reflex as rx

from walletmodal.config import settings
from walletmodal.core import analytics_events as events
from walletmodal.core.addresses import avatar, truncate
from walletmodal.core.amounts import format_balance
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.errors import NetworkError, WalletModalError
from walletmodal.core.host_calls import DisconnectCall
from walletmodal.core.networks import Network, bundled_networks
from walletmodal.core.protocol import Reply, Session, Snapshot
from walletmodal.core.texts import ADDRESS_COPIED, BALANCE_UNAVAILABLE, FAILED_TO_COPY, FAILED_TO_DISCONNECT
from walletmodal.core.views import VIEWS
from walletmodal.deployment import deployment
from walletmodal.features.bridge.state import BridgeState, Followups, continuation, on_call, on_snapshot
from walletmodal.features.shell.state import ShellState, on_open
from walletmodal.features.toasts.state import ToastState

DISCONNECTED = "account.disconnected"
MAX_CALLS = 16
"""Calls of a page that may wait for the same disconnect."""
LIMIT_EXCEEDED = -32005
EVM_DECIMALS = 18
"""Of a native coin that the table does not know: EVM networks count in wei."""


class AccountMixin(rx.State, mixin=True):
    """One namespace's account. `status`: disconnected, connecting, connected."""

    namespace: ClassVar[Namespace]

    status: str = "disconnected"
    address: str = ""
    short_address: str = ""
    caip_address: str = ""
    avatar: str = ""
    all_accounts: list[str] = []
    connector: str = ""
    wallet_name: str = ""
    balance: str = ""
    balance_symbol: str = ""
    balance_state: str = "loading"
    explorer_url: str = ""
    disconnecting: bool = False

    _chain: str = ""
    _decimals: int = EVM_DECIMALS

    @rx.var
    def public(self) -> dict[str, Any]:
        """What the host page may know (docs/protocol.md, PublicState)."""
        return {
            "status": self.status,
            "caipAddress": self.caip_address,
            "address": self.address,
            "balance": self.balance or None,
            "balanceSymbol": self.balance_symbol,
            "balanceState": self.balance_state,
            "profileName": None,
            "profileImage": None,
        }

    def _adopt(self, session: Session, wallet_name: str) -> bool:
        """Takes over what the wallet says; True when address, chain or wallet changed."""
        address = session.accounts[0]
        changed = (address, session.chain, session.connector) != (self.address, self._chain, self.connector)
        if changed:
            self.balance, self.balance_symbol, self.balance_state = "", "", "loading"
        chain = ChainId(self.namespace, session.chain)
        self.status, self.address, self._chain = "connected", address, session.chain
        self.short_address, self.avatar = truncate(address), avatar(address).background
        self.caip_address = f"{chain}:{address}"
        self.all_accounts, self.connector, self.wallet_name = list(session.accounts), session.connector, wallet_name
        if changed:
            self._describe(bundled_networks().get(str(chain)))
        return changed

    def _describe(self, network: Network | None) -> bool:
        """Takes coin and explorer from the network that the account is on; True when its balance is counted otherwise now."""
        before, self._decimals = self._decimals, network.native_currency.decimals if network else EVM_DECIMALS
        self.balance_symbol = network.native_currency.symbol if network else ""
        self.explorer_url = (network.explorer_address_url(self.address) if network else None) or ""
        return before != self._decimals

    def _clear(self) -> None:
        self.status, self.address, self.short_address, self.caip_address = "disconnected", "", "", ""
        self.avatar, self.all_accounts, self.connector, self.wallet_name = "", [], "", ""
        self.balance, self.balance_symbol, self.balance_state, self.explorer_url = "", "", "loading", ""
        self._chain, self.disconnecting = "", False

    @rx.event(background=True)
    async def refresh_balance(self) -> None:
        """Reads the native balance over RPC; a failure shows as unavailable, and nothing else suffers."""
        async with self:
            address, chain = self.address, self._chain
            if not address:
                return
        try:
            if f"{self.namespace}:{chain}" not in settings().networks:
                # The chain's name is the wallet's to choose; it must not choose what the server asks for.
                raise NetworkError("Unsupported chain", details=chain)
            units: int | None = await deployment().balances.native_balance(ChainId(self.namespace, chain), address)
        except WalletModalError:
            units = None
        async with self:
            if (self.address, self._chain) != (address, chain):
                return
            before = self.balance_state
            self.balance = "" if units is None else format_balance(units, self._decimals)
            self.balance_state = "unavailable" if units is None else "known"
            news = units is None and before != "unavailable"
            if news and await (await self.get_state(ShellState))._visible():
                (await self.get_state(ToastState))._show(BALANCE_UNAVAILABLE, "error")

    @rx.event
    async def copied(self, ok: bool) -> None:
        """The browser has copied the address, or could not."""
        toasts = await self.get_state(ToastState)
        if ok is True:
            toasts._show(ADDRESS_COPIED)
        else:
            toasts._show(FAILED_TO_COPY, "error")

    @rx.event
    async def disconnect(self) -> Followups:
        """The Disconnect row."""
        return await disconnect(self, self.namespace)


class Eip155State(AccountMixin, rx.State):
    """Ethereum-like chains."""

    namespace: ClassVar[Namespace] = "eip155"


class SolanaState(AccountMixin, rx.State):
    """Solana."""

    namespace: ClassVar[Namespace] = "solana"


class Bip122State(AccountMixin, rx.State):
    """Bitcoin."""

    namespace: ClassVar[Namespace] = "bip122"


class PolkadotState(AccountMixin, rx.State):
    """Polkadot."""

    namespace: ClassVar[Namespace] = "polkadot"


ACCOUNTS: dict[Namespace, type[AccountMixin]] = {
    "eip155": Eip155State,
    "solana": SolanaState,
    "bip122": Bip122State,
    "polkadot": PolkadotState,
}


async def account(state: rx.State, namespace: Namespace) -> AccountMixin:
    """The account state of a namespace."""
    found: Any = await state.get_state(ACCOUNTS[namespace])
    return found


@on_snapshot
async def take_sessions(state: rx.State, snapshot: Snapshot) -> Followups:
    """Accounts follow the wallet: what it holds is connected, what it no longer holds is not."""
    followups: Followups = []
    gone = False
    shell = await state.get_state(ShellState)
    names = {w.id: w.name for w in snapshot.wallets}
    for namespace, cls in ACCOUNTS.items():
        held = await account(state, namespace)
        session = snapshot.sessions.get(namespace)
        if session is not None:
            if held._adopt(session, names.get(session.connector, session.connector)):
                followups.append(cls.refresh_balance)
        elif held.status == "connected":
            held._clear()
            gone = True
    shell.connected, shell._namespaces = bool(snapshot.sessions), list(snapshot.sessions)
    # A restored view may need an account that no wallet holds any more.
    stranded = snapshot.settled and not shell.connected and VIEWS[shell.view].needs_account
    if (stranded or (gone and shell.view != "ConnectingExternal")) and await shell._visible():
        await shell._close()
    return followups


@on_open
async def refresh_balances(state: rx.State) -> Followups:
    """What is shown may be old, or may have been unavailable; answers are cached."""
    return [cls.refresh_balance for cls in ACCOUNTS.values() if (await state.get_state(cls)).status == "connected"]


async def disconnect(state: rx.State, namespace: Namespace, call: str = "") -> Followups:
    """Asks the browser to forget a namespace's wallet; the account goes with the snapshot that no longer has it."""
    held, bridge = await account(state, namespace), await state.get_state(BridgeState)
    pending = [
        r for r in bridge._records.values() if (r["then"], r["context"].get("namespace")) == (DISCONNECTED, namespace)
    ]
    if held.status != "connected":
        await bridge._settle(call)
    elif pending and call and len(pending[0]["calls"]) >= MAX_CALLS:
        await bridge._settle(call, code=LIMIT_EXCEEDED, message="Too many calls wait for the wallet")
    elif pending:
        pending[0]["calls"] += [call] if call else []
    else:
        held.disconnecting = True
        await bridge._issue(
            "wallet.disconnect",
            {"namespace": namespace, "connector": held.connector},
            then=DISCONNECTED,
            calls=[call],
            replay=True,
            namespace=namespace,
        )
    return []


@continuation(DISCONNECTED)
async def disconnected(state: rx.State, reply: Reply, context: dict[str, Any]) -> Followups:
    """The wallet is forgotten, or the visitor learns that it is not."""
    bridge, held = await state.get_state(BridgeState), await account(state, context["namespace"])
    held.disconnecting = False
    if reply.error is None:
        # The snapshot came first and has cleared the account; by now another wallet may have taken its place.
        await bridge._publish(events.disconnect_success(namespace=context["namespace"]))
        for call in context["calls"]:
            await bridge._settle(call)
    else:
        (await state.get_state(ToastState))._show(FAILED_TO_DISCONNECT, "error")
        await bridge._publish(events.disconnect_error(message=reply.error.message))
        for call in context["calls"]:
            await bridge._settle(call, code=reply.error.code, message=FAILED_TO_DISCONNECT)
    return []


@on_call(DisconnectCall)
async def host_disconnect(state: rx.State, call_id: str, call: DisconnectCall) -> Followups:
    """Host: `disconnect(namespace?)`; without one, all that are connected."""
    connected = [
        namespace
        for namespace in ACCOUNTS
        if call.namespace in (None, namespace) and (await account(state, namespace)).status == "connected"
    ]
    if not connected:
        await (await state.get_state(BridgeState))._settle(call_id)
    for namespace in connected:
        await disconnect(state, namespace, call_id if namespace == connected[-1] else "")
    return []
