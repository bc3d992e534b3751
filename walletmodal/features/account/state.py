"""The account of each namespace: one mixin, four states."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import reflex as rx

from walletmodal.config import network_table, settings
from walletmodal.core.accounts.account import AccountKind, paired_account_type
from walletmodal.core.accounts.names import Identity
from walletmodal.core.chains.addresses import avatar, truncate
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.chains.networks import Network
from walletmodal.core.connections.connections import Connection
from walletmodal.core.constants import BALANCE_RETRY_GAP, IDENTITY_TTL
from walletmodal.core.errors import WalletModalError
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.smart_accounts.account_state import safe_owner
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.text.amounts import format_balance, to_decimal
from walletmodal.core.text.formatting import format_amount
from walletmodal.core.text.texts import BALANCE_UNAVAILABLE
from walletmodal.core.wallets.connectors import AUTH_ID, WALLET_CONNECT_ID
from walletmodal.deployment import deployment
from walletmodal.features.account.barring import is_barred
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import run_all, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.substates import loaded_substate

EVM_DECIMALS = 18
"""Of a native coin that the table does not know: EVM networks count in wei."""
TAPROOT = ("bc1p", "tb1p", "bcrt1p")
NOBODY = Identity()
"""Who has neither name nor picture."""


@dataclass(frozen=True, slots=True)
class BalanceLook:
    """A look at a native balance.

    Attributes:
        chain: the account's network.
        address: of the account.
        fresh: what is kept of the balance is known to be old.
        state: of the balance that is shown, as `AccountMixin.balance_state`.
        known: the balance in base units, where that is what is shown: an added network may count it otherwise.
    """

    chain: ChainId
    address: str
    fresh: bool
    state: str
    known: int | None

    async def units(self) -> int | None:
        """Asks for the balance in base units; None where nobody can say."""
        if str(self.chain) not in settings().networks:
            # The chain's name is the wallet's to choose; it must not choose what the server asks for.
            return None
        try:
            return await deployment().balances.native_balance(self.chain, self.address, fresh=self.fresh)
        except WalletModalError:
            return None

    def shows(self, units: int | None) -> bool:
        """Whether this is what is shown already, so that the visitor's state need not be locked again."""
        return units is not None and (self.state, self.known) == ("known", units)


class AccountMixin(AssigningMixin, mixin=True):
    """One namespace's account. `status`: disconnected, connecting, connected. `balance`: for the host; `balance_text`: as the modal shows it.

    `nameless`: it is known to have no name, and can have one registered. `safe`: of the embedded wallet's Safe, whose address is not its key's,
    whether it can be used on the network that it is on; "" for other accounts.
    """

    namespace: ClassVar[Namespace]

    status: str = "disconnected"
    address: str = ""
    short_address: str = ""
    caip_address: str = ""
    avatar: str = ""
    several: bool = False
    connector: str = ""
    wallet_name: str = ""
    balance: str = ""
    balance_text: str = ""
    balance_symbol: str = ""
    balance_state: str = "loading"
    explorer_url: str = ""
    disconnecting: bool = False
    profile_name: str = ""
    profile_image: str = ""
    nameless: bool = False
    kind: AccountKind = "eoa"
    kinds: list[AccountKind] = []
    safe: Literal["", "usable", "barred"] = ""

    _decimals: int = EVM_DECIMALS
    # The balance in base units, None where it is not known, and what it is worth in US dollars, "" where nobody knows.
    _units: int | None = None
    _worth: str = ""
    # What is kept of the balance is known to be old: the next look asks the node.
    _stale: bool = False
    # The account (CAIP-10) and connector whose wallet does not say what it owns.
    _mute: tuple[str, str] = ("", "")
    # The account (CAIP-10) whose name is known, and until when (seconds) it is not asked for again.
    _named: tuple[str, float] = ("", 0.0)
    # When the visitor last heard that balances are unavailable.
    _said: float = 0.0
    # Of a Bitcoin wallet: those of its addresses that are for collectibles, as it says itself.
    _ordinals: tuple[str, ...] | None = None
    # Of the embedded wallet: which kind of account its owner prefers.
    _preferred: AccountKind = "smartAccount"
    # Of a Safe for which a passkey signs, where its owner has chosen so: the account (CAIP-10), and the passkey's public key.
    _signing: tuple[str, int, int] = ("", 0, 0)

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
            "nativeBalance": self._native_balance(),
            "profileName": self.profile_name or None,
            "profileImage": self.profile_image or None,
        }

    @property
    def _connection(self) -> Connection | None:
        """The wallet's connection, from the bridge that `account` has loaded."""
        bridge = loaded_substate(self, BridgeState)
        return None if bridge is None else bridge._connections.of(self.namespace)

    def _apply_connection(self, connection: Connection, wallet_name: str) -> bool:
        """Applies a connection; True when address, chain or wallet changed."""
        changed = (connection.address, connection.connector) != (self.address, self.connector)
        self._put(status="connected", connector=connection.connector, wallet_name=wallet_name)
        self._show_address(connection)
        return self._set_chain(connection.chain, anew=changed) or changed

    def _show_address(self, connection: Connection) -> None:
        """Updates the variables that follow from the connection's address."""
        address, given = connection.address, connection.session.accounts
        if address != self.address:
            self._clear_identity()
        self._put(address=address, short_address=truncate(address), avatar=avatar(address).background)
        self._put(several=len(given) > 1, kind=self._kind_of(address))
        self._put(kinds=sorted({self._kind_of(each) for each in given}, reverse=True))

    def _kind_of(self, address: str) -> AccountKind:
        """Classifies an address: Taproot addresses hold collectibles where a Bitcoin wallet does not say otherwise."""
        if self.connector == AUTH_ID and self.namespace == "eip155":
            several = len(self._wallet_accounts) > 1
            return self._preferred if not several else "smartAccount" if self._owner_of(address) else "eoa"
        if self.namespace != "bip122":
            return paired_account_type(self.namespace)
        collects = address.startswith(TAPROOT) if self._ordinals is None else address in self._ordinals
        return "ordinal" if collects else "payment"

    def _owner_of(self, address: str) -> str:
        """Returns whose Safe one of the embedded wallet's accounts is; "" for an account with a key of its own."""
        embedded = self.connector == AUTH_ID and self.namespace == "eip155"
        return safe_owner(address, self._wallet_accounts) if embedded else ""

    def _passkey_of(self, chain: ChainId, address: str) -> PasskeySigner | None:
        """Returns the passkey that signs for a Safe on a network in its key's place; None where the key does."""
        about, x, y = self._signing
        return PasskeySigner(x, y) if about == f"{chain}:{address}" else None

    def _use_kind(self, kind: AccountKind) -> None:
        """Takes over which kind of account the embedded wallet's owner prefers, where both have one address."""
        self._preferred = kind
        self._put(kind=kind, kinds=[kind])

    @property
    def _accounts(self) -> tuple[str, ...]:
        """The wallet's accounts, the one in use first."""
        connection = self._connection
        return connection.accounts if connection is not None else ()

    @property
    def _wallet_accounts(self) -> tuple[str, ...]:
        """The wallet's accounts in its own order."""
        connection = self._connection
        return connection.session.accounts if connection is not None else ()

    @property
    def _chain(self) -> str:
        """The network that the account is on, by CAIP-2 reference; "" without an account."""
        connection = self._connection
        return connection.chain if connection is not None else ""

    async def _address_and_chain(self) -> tuple[str, str]:
        """Returns the account's address and network, for an event of its own; each "" without an account."""
        await self.get_state(BridgeState)
        return self.address, self._chain

    def _set_chain(self, chain: str, *, anew: bool = False) -> bool:
        """Puts the account on a network of its namespace, by CAIP-2 reference; True when it was on another."""
        caip = ChainId(self.namespace, chain)
        moved = not self.caip_address.startswith(f"{caip}:")
        self._put(caip_address=f"{caip}:{self.address}")
        if not self._owner_of(self.address):
            self._put(safe="")
        else:
            self._put(safe="barred" if is_barred(caip, self.address, self._wallet_accounts) else "usable")
        if moved or anew:
            self._clear_balance()
            self._set_network(network_table().get(str(caip)))
        return moved

    def _native_balance(self) -> dict[str, Any] | None:
        """`NativeBalance` of docs/protocol.md, or None while it is not known."""
        if self._units is None:
            return None
        known = {"formatted": self.balance, "value": str(self._units)}
        worth = {"usd": self._worth} if self._worth else {}
        return {**known, "symbol": self.balance_symbol, "decimals": self._decimals, **worth}

    def _clear_balance(self) -> None:
        self._put(balance="", balance_text="", balance_symbol="", balance_state="loading")
        self._units, self._worth = None, ""

    def _set_network(self, network: Network | None) -> bool:
        """Takes coin and explorer from the account's network; True when its balance is counted otherwise now."""
        before, self._decimals = self._decimals, network.native_currency.decimals if network else EVM_DECIMALS
        self._put(
            balance_symbol=network.native_currency.symbol if network else "",
            explorer_url=(network.explorer_address_url(self.address) if network else None) or "",
        )
        return before != self._decimals

    async def _show_unavailable_toast(self) -> None:
        """Shows a toast, at most once per 30 s, to a visitor who sees the modal: coin and tokens mostly fail together."""
        now = deployment().clock.now().timestamp()
        if await (await self.get_state(ShellState))._is_visible() and not 0 <= now - self._said < BALANCE_RETRY_GAP:
            self._said = now
            (await self.get_state(ToastState))._show(BALANCE_UNAVAILABLE, "error")

    def _has_own_network(self) -> bool:
        """Whether only the wallet can switch its network; others are told the network with each request."""
        return self.namespace == "eip155" and self.connector not in (WALLET_CONNECT_ID, AUTH_ID)

    def _permits(self, chain: str) -> bool:
        """Whether the wallet has approved a network, by CAIP-2 id; most approve any."""
        connection = self._connection
        return connection is None or connection.permits(chain)

    def _clear(self) -> None:
        """Clears all that is known of the account."""
        self._put(status="disconnected", address="", short_address="", caip_address="", avatar="", several=False)
        self._put(connector="", wallet_name="", explorer_url="", disconnecting=False)
        self._put(kind="eoa", kinds=[], safe="")
        self._clear_identity()
        self._clear_balance()
        self._ordinals = None

    def _clear_identity(self) -> None:
        self._put(profile_name="", profile_image="", nameless=False)
        self._named = ("", 0.0)

    @rx.event(background=True)
    async def refresh_balance(self) -> AsyncIterator[Any]:
        """Reads the native balance over RPC; a failure shows as unavailable, and nothing else suffers. Then the name, if there is one."""
        async with self:
            look, followups = await self._begin_look()
            if look is not None:
                followups += await run_all(wiring().on_account_change, self)
        for event in followups:
            yield event
        if look is None:
            return
        units = await look.units()
        if not look.shows(units):
            async with self:
                await self._show_units(look, units)

    async def _begin_look(self) -> tuple[BalanceLook | None, list[Any]]:
        """Returns what to ask about the balance, None without an account, and events that belong to a look at the account."""
        address, chain = await self._address_and_chain()
        if not address:
            return None, []
        fresh = self._stale
        if fresh:
            self._stale = False
        named, until = self._named
        is_named = named == f"{self.namespace}:{chain}:{address}" and deployment().clock.now().timestamp() < until
        followups = [] if is_named else [ACCOUNTS[self.namespace].load_identity]
        units = self._units
        known = units if units is not None and self.balance == format_balance(units, self._decimals) else None
        return BalanceLook(ChainId(self.namespace, chain), address, fresh, self.balance_state, known), followups

    async def _show_units(self, look: BalanceLook, units: int | None) -> None:
        """Shows the balance in base units, None where nobody can say; not where another account or network is in use by now."""
        if await self._address_and_chain() != (look.address, look.chain.reference):
            return
        before = self.balance_state
        if units != self._units:
            self._units, self._worth = units, ""
        self._put(
            balance="" if units is None else format_balance(units, self._decimals),
            balance_text="" if units is None else format_amount(to_decimal(units, self._decimals)),
            balance_state="unavailable" if units is None else "known",
        )
        # Of Bitcoin and Polkadot no balance is ever read: nothing is wrong then.
        if units is None and before != "unavailable" and has_feature(self.namespace, "balance"):
            await self._show_unavailable_toast()

    @rx.event(background=True)
    async def load_identity(self) -> None:
        """Loads the account's name and picture; what is known stays where nobody can say."""
        async with self:
            address, chain = await self._address_and_chain()
            network = network_table().get(f"{self.namespace}:{chain}")
            if not address or not has_feature(self.namespace, "names"):
                return
            caller = (await self.get_state(EmbedState))._caller()
        offered = network is not None and not network.testnet and network.caip_network_id in settings().networks
        found = await deployment().identities.of(caller, ChainId(self.namespace, chain), address) if offered else NOBODY
        async with self:
            if found is not None and await self._address_and_chain() == (address, chain):
                picture = deployment().services.images.remote_path(found.avatar) if found.avatar else ""
                nameless = offered and not found.name and deployment().services.blockchain.configured
                self._put(profile_name=found.name, profile_image=picture, nameless=nameless)
                until = deployment().clock.now().timestamp() + IDENTITY_TTL
                self._named = (f"{self.namespace}:{chain}:{address}", until)


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
    await state.get_state(BridgeState)
    found: Any = await state.get_state(ACCOUNTS[namespace])
    return found


async def use_network(state: rx.State, namespace: Namespace, chain: str) -> bool:
    """Has the account of a namespace on this network, by CAIP-2 reference; True when it was on another."""
    (await state.get_state(BridgeState))._use_chain(namespace, chain)
    return (await account(state, namespace))._set_chain(chain)
