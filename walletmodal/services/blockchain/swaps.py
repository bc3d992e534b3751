"""Tokens, prices, quotes and the transactions of a swap. Amounts are base units."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from walletmodal.core.accounts.tokens import FungiblePrice, parse_fungible_prices
from walletmodal.core.analytics.payload import to_number
from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.constants import SWAP_REFRESH
from walletmodal.core.errors.services import UnsupportedServiceNetworkError
from walletmodal.core.swaps.answers import (
    ApprovalTransaction,
    GasPrice,
    SwapQuote,
    SwapToken,
    SwapTransaction,
    parse_allowance,
    parse_approval_transaction,
    parse_gas_price,
    parse_swap_quotes,
    parse_swap_tokens,
    parse_swap_transaction,
)
from walletmodal.core.swaps.terms import DEFAULT_SLIPPAGE
from walletmodal.services.blockchain.api import BlockchainApi
from walletmodal.services.http import Caller

TOKENS_TTL: Final = 300.0
QUOTE_TTL: Final = float(SWAP_REFRESH)
PRICE_TTL: Final = 15.0
_CURRENCY: Final = "usd"


class SwapCalls:
    """Calls about swaps.

    Each raises `NotConfiguredError` without a service, and `ServiceError` when it fails or answers with nothing that can be used; its text
    is the provider's reason where there is one. Tokens are CAIP-10 ids of their contracts, the native coin's too. `chain` is the active
    network.
    """

    def __init__(self, api: BlockchainApi) -> None:
        self._api = api

    async def tokens(self, caller: Caller, chain: ChainId) -> tuple[SwapToken, ...]:
        """What can be swapped on the network, kept for 5 minutes; nothing on a network that the service does not know."""
        if not await self._api.knows(caller, chain):
            return ()
        query = {"chainId": str(chain)}
        return await self._api.lookup(caller, "/v1/convert/tokens", parse_swap_tokens, ttl=TOKENS_TTL, query=query)

    async def quotes(
        self,
        caller: Caller,
        account: AccountId,
        *,
        amount: int,
        source: str,
        target: str,
        gas_price: int,
        fresh: bool = False,
    ) -> tuple[SwapQuote, ...]:
        """What an amount of one token brings of another, the best first; nothing on a network that the service does not know.

        Kept for 10 seconds, for all visitors: it depends on the pools and not on who swaps.

        Args:
            caller: the embed.
            account: who swaps, on the active network.
            amount: base units of the source token.
            source: the token that is given.
            target: the token that is wanted.
            gas_price: in wei.
            fresh: ask even if an answer is kept.
        """
        if not await self._api.knows(caller, account.chain):
            return ()
        return await self._api.lookup(
            caller,
            "/v1/convert/quotes",
            parse_swap_quotes,
            ttl=QUOTE_TTL,
            query={"amount": str(amount), "from": source, "to": target},
            unkeyed={"userAddress": account.address, "gasPrice": str(gas_price)},
            fresh=fresh,
        )

    async def prices(self, caller: Caller, chain: ChainId, tokens: Sequence[str]) -> tuple[FungiblePrice, ...]:
        """What tokens cost in US dollars (the public service prices the first alone), kept for 15 s; nothing on a network that the service does not know."""
        if not tokens or not await self._api.knows(caller, chain):
            return ()
        body = {"currency": _CURRENCY, "addresses": list(tokens), "projectId": caller.project_id}
        return await self._api.lookup(caller, "/v1/fungible/price", parse_fungible_prices, ttl=PRICE_TTL, body=body)

    async def allowance(self, caller: Caller, account: AccountId, token: str) -> int:
        """Returns how many base units of a token the swap contract may take; 0 on a network that the service does not know."""
        if not await self._api.knows(caller, account.chain):
            return 0
        query = {"tokenAddress": token, "userAddress": str(account)}
        return await self._api.ask(caller, "/v1/convert/allowance", parse_allowance, query)

    async def gas_price(self, caller: Caller, chain: ChainId) -> GasPrice:
        """What gas costs on the network, in wei.

        Raises:
            UnsupportedServiceNetworkError: `Network not supported for Gas Price`.
        """
        if not await self._api.knows(caller, chain):
            raise UnsupportedServiceNetworkError("gas-price")
        return await self._api.ask(caller, "/v1/convert/gas-price", parse_gas_price, {"chainId": str(chain)})

    async def build_transaction(
        self,
        caller: Caller,
        account: AccountId,
        *,
        amount: int,
        source: str,
        target: str,
        slippage: Decimal = DEFAULT_SLIPPAGE,
    ) -> SwapTransaction:
        """The transaction that swaps, without an estimate of its gas: an approval may still be under way.

        Args:
            caller: the embed.
            account: who swaps, on the active network.
            amount: base units of the source token.
            source: the token that is given.
            target: the token that is wanted.
            slippage: how much less than quoted it may bring, in percent.

        Raises:
            UnsupportedServiceNetworkError: `Network not supported for Swaps`.
        """
        await self._require(caller, account.chain)
        body = {
            "amount": str(amount),
            "eip155": {"slippage": to_number(slippage)},
            "projectId": caller.project_id,
            "from": source,
            "to": target,
            "userAddress": str(account),
            "disableEstimate": True,
        }
        return await self._api.send(caller, "/v1/convert/build-transaction", body, parse_swap_transaction)

    async def build_approval(
        self, caller: Caller, account: AccountId, *, source: str, target: str, amount: int | None = None
    ) -> ApprovalTransaction:
        """The transaction that lets the swap contract take the source token.

        Args:
            caller: the embed.
            account: who swaps, on the active network.
            source: the token that is given.
            target: the token that is wanted.
            amount: how many base units it may take; None leaves it without a limit.

        Raises:
            UnsupportedServiceNetworkError: `Network not supported for Swaps`.
        """
        await self._require(caller, account.chain)
        query = {
            "userAddress": str(account),
            "from": source,
            "to": target,
            "amount": None if amount is None else str(amount),
        }
        return await self._api.ask(caller, "/v1/convert/build-approve", parse_approval_transaction, query)

    async def _require(self, caller: Caller, chain: ChainId) -> None:
        if not await self._api.knows(caller, chain):
            raise UnsupportedServiceNetworkError("swaps")
