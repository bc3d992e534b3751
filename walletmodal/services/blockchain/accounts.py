"""Account calls of the blockchain service: identity, balance, history."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.core.accounts.names import Identity, parse_identity
from walletmodal.core.accounts.tokens import TokenBalance, parse_token_balances
from walletmodal.core.accounts.transactions import HistoryPage, parse_history
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.constants import IDENTITY_TTL, PORTFOLIO_TTL
from walletmodal.services.blockchain.api import BlockchainApi
from walletmodal.services.http import Caller, path_segment

_CURRENCY: Final = "usd"
_COINBASE: Final = "coinbase"
PURCHASES_TTL: Final = 2.0
"""Less than the pause between two looks of one visitor; for tabs and visitors that look at the same account it is one question."""


@dataclass(frozen=True, slots=True)
class Portfolio:
    """What an account owns. `supported` is false where the service does not know the network: `Token Balance Unavailable`."""

    balances: tuple[TokenBalance, ...]
    supported: bool = True


class AccountCalls:
    """Calls about accounts.

    Each raises `NotConfiguredError` without a service, `ServiceError` when it fails or answers with nothing that can be used, and
    `AddressError` for an address that is none of the network's namespace. `chain` is the active network.
    """

    def __init__(self, api: BlockchainApi) -> None:
        self._api = api

    async def knows(self, caller: Caller, chain: ChainId) -> bool:
        """Whether the service can be asked about a network; where it cannot, its answers are empty and mean nothing."""
        return await self._api.knows(caller, chain)

    async def networks(self, caller: Caller) -> frozenset[str]:
        """CAIP-2 ids of the networks that it can be asked about; unlike `knows`, it does not take a failure for none."""
        return await self._api.networks(caller)

    async def identity(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> Identity:
        """The name and picture of an address, kept for 5 minutes; empty on a network that the service does not know.

        Args:
            caller: the embed.
            chain: the network that is asked about.
            address: a plain address of its namespace.
            sender: plain address of the active account, where there is one.
        """
        path = f"/v1/identity/{path_segment(normal_address(chain.namespace, address))}"
        if not await self._api.knows(caller, chain):
            return Identity()
        return await self._api.lookup(caller, path, parse_identity, ttl=IDENTITY_TTL, unkeyed={"sender": sender})

    async def history(self, caller: Caller, chain: ChainId, address: str, *, cursor: str | None = None) -> HistoryPage:
        """A page of what an account did on the network, the newest first; empty on a network that the service does not know.

        Args:
            caller: the embed.
            chain: the network.
            address: a plain address of its namespace.
            cursor: `next` of the page before.
        """
        path = f"/v1/account/{path_segment(normal_address(chain.namespace, address))}/history"
        if not await self._api.knows(caller, chain):
            return HistoryPage(data=())
        query = {"cursor": cursor, "chainId": str(chain)}
        return await self._api.ask(caller, path, parse_history, query)

    async def purchases(
        self, caller: Caller, chain: ChainId, address: str, *, cursor: str | None = None
    ) -> HistoryPage:
        """A page of what was bought with a card for an account, on all networks, the newest first; kept for 2 s.

        Args:
            caller: the embed.
            chain: the active network; empty where the service does not know it.
            address: a plain address of its namespace.
            cursor: `next` of the page before.
        """
        path = f"/v1/account/{path_segment(normal_address(chain.namespace, address))}/history"
        if not await self._api.knows(caller, chain):
            return HistoryPage(data=())
        query = {"cursor": cursor, "onramp": _COINBASE}
        return await self._api.lookup(caller, path, parse_history, ttl=PURCHASES_TTL, query=query)

    async def balance(
        self, caller: Caller, chain: ChainId, address: str, *, force_update: Sequence[str] | None = None
    ) -> Portfolio:
        """What an account owns on the network, kept for 30 s.

        Args:
            caller: the embed.
            chain: the network.
            address: a plain address of its namespace.
            force_update: not None asks even if an answer is kept, such as after a transaction; CAIP-10 ids of the contracts that the
                service must not answer from its own cache (the native coin has one too; EVM networks only).
        """
        path = f"/v1/account/{path_segment(normal_address(chain.namespace, address))}/balance"
        if not await self._api.knows(caller, chain):
            return Portfolio((), supported=False)
        contracts = ",".join(force_update or ()) if chain.namespace == "eip155" else ""
        balances = await self._api.lookup(
            caller,
            path,
            parse_token_balances,
            ttl=PORTFOLIO_TTL,
            query={"currency": _CURRENCY, "chainId": str(chain)},
            unkeyed={"forceUpdate": contracts},
            fresh=force_update is not None,
        )
        return Portfolio(balances)
