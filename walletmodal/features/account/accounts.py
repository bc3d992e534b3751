"""The account of each namespace: one mixin, four states."""

from __future__ import annotations

from typing import Any, ClassVar

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.addresses import avatar, truncate
from walletmodal.core.amounts import format_balance
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.connectors import WALLET_CONNECT_ID
from walletmodal.core.errors import NetworkError, WalletModalError
from walletmodal.core.networks import Network, bundled_networks
from walletmodal.core.snapshots import Session
from walletmodal.core.texts import BALANCE_UNAVAILABLE
from walletmodal.deployment import deployment
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

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
    several: bool = False
    connector: str = ""
    wallet_name: str = ""
    balance: str = ""
    balance_symbol: str = ""
    balance_state: str = "loading"
    explorer_url: str = ""
    disconnecting: bool = False

    # The wallet's accounts in its own order.
    _offered: tuple[str, ...] = ()
    _chain: str = ""
    _told: str = ""
    _approved: tuple[str, ...] | None = None
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

    def _put(self, **values: Any) -> None:
        """Changes variables only where they differ: what is assigned is also sent."""
        for name, value in values.items():
            if getattr(self, name) != value:
                setattr(self, name, value)

    def _adopt(self, session: Session, wallet_name: str, address: str) -> bool:
        """Takes over what the wallet says, with this one of its accounts; True when address, chain or wallet changed."""
        self._offered = session.accounts
        # What a wallet has said of its network before is no news: the visitor may have chosen another one since.
        follows = (self.status, self.connector, self._told) != ("connected", session.connector, session.chain)
        chain = session.chain if follows else self._chain
        changed = (address, session.connector) != (self.address, self.connector)
        self._put(status="connected", connector=session.connector, wallet_name=wallet_name)
        self._show(address)
        self._told, self._approved = session.chain, session.approved
        return self._stand(chain, anew=changed) or changed

    def _show(self, address: str) -> None:
        self._put(address=address, short_address=truncate(address), avatar=avatar(address).background)
        self._put(several=len(self._offered) > 1)

    @property
    def _accounts(self) -> tuple[str, ...]:
        """The wallet's accounts, the one in use first."""
        return tuple(dict.fromkeys((self.address, *self._offered))) if self.address else ()

    def _use(self, address: str) -> bool:
        """Uses another of the wallet's accounts; True when it was another."""
        if address == self.address or address not in self._offered:
            return False
        self._show(address)
        self._stand(self._chain, anew=True)
        return True

    def _stand(self, chain: str, *, anew: bool = False) -> bool:
        """Puts the account on a network of its namespace, by CAIP-2 reference; True when it was on another."""
        caip = ChainId(self.namespace, chain)
        moved, self._chain = chain != self._chain, chain
        self._put(caip_address=f"{caip}:{self.address}")
        if moved or anew:
            self._forget_balance()
            self._describe(bundled_networks().get(str(caip)))
        return moved

    def _forget_balance(self) -> None:
        self._put(balance="", balance_symbol="", balance_state="loading")

    def _describe(self, network: Network | None) -> bool:
        """Takes coin and explorer from the network that the account is on; True when its balance is counted otherwise now."""
        before, self._decimals = self._decimals, network.native_currency.decimals if network else EVM_DECIMALS
        self._put(
            balance_symbol=network.native_currency.symbol if network else "",
            explorer_url=(network.explorer_address_url(self.address) if network else None) or "",
        )
        return before != self._decimals

    def _switches_itself(self) -> bool:
        """Whether the wallet has a network of its own, so that only it can switch; others are told with each request."""
        return self.namespace == "eip155" and self.connector != WALLET_CONNECT_ID

    def _permits(self, chain: str) -> bool:
        """Whether the wallet has approved a network, by CAIP-2 id; most approve any."""
        return self._approved is None or chain in self._approved

    def _clear(self) -> None:
        """Nothing of the account stays."""
        self._put(status="disconnected", address="", short_address="", caip_address="", avatar="", several=False)
        self._put(connector="", wallet_name="", explorer_url="", disconnecting=False)
        self._forget_balance()
        self._offered, self._chain, self._told, self._approved = (), "", "", None

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
