"""POST /v1/fungible/price: only the first address is priced, as at the public service."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.chains.addresses import is_address
from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.currencies import per_dollar
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.prices import Prices, json_number
from walletmodal.sandbox.blockchain.requests import asset, body
from walletmodal.sandbox.blockchain.solana.balance import SOL_DECIMALS
from walletmodal.sandbox.blockchain.solana.tokens import SolanaTokens, SplName
from walletmodal.sandbox.blockchain.tokens import TokenBook, TokenInfo
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN
from walletmodal.sandbox.solana.world import tokens as mints

SOL_ADDRESS = "So11111111111111111111111111111111111111111"
"""Stands for SOL where a mint is asked for."""


class PriceRequest(BaseModel):
    """The body: a currency, and CAIP-10 ids of tokens."""

    model_config = ConfigDict(frozen=True, strict=True)

    currency: Literal["btc", "eth", "usd", "eur", "gbp", "aud", "cad", "inr", "jpy"]
    addresses: Annotated[list[str], Field(max_length=1000)]


class PriceEndpoint:
    """Answers prices.

    Args:
        chains: the EVM chains.
        tokens, prices: their tokens and what these are worth.
        solana: names and prices of SPL tokens, where there is a Solana node.
    """

    def __init__(self, chains: Chains, tokens: TokenBook, prices: Prices, solana: SolanaTokens | None) -> None:
        self._chains = chains
        self._tokens = tokens
        self._prices = prices
        self._solana = solana

    async def price(self, request: Request) -> Response:
        """Answer with `{fungibles}`: the first token; empty when nothing tells its price."""
        wish = await body(request, PriceRequest)
        if not wish.addresses:
            raise RefusedError(400, "addresses", "At least one address is needed")
        first = wish.addresses[0]
        rate = await per_dollar(wish.currency, self._chains, self._prices)
        if rate is None:
            return json_answer({"fungibles": []})
        if first.startswith(f"{SOLANA_CHAIN}:") and self._solana is not None:
            return json_answer({"fungibles": _of_solana(self._solana, first, rate)})
        return json_answer({"fungibles": await self._of_evm(first, rate)})

    async def _of_evm(self, caip10: str, rate: Decimal) -> list[dict[str, object]]:
        token = asset(self._chains, caip10, "addresses")
        infos = await self._tokens.of(token.chain, (token.address,))
        info = infos.get(token.address)
        if info is None:
            raise RefusedError(400, "addresses", "There is no such token on this chain")
        price = (await self._prices.of(token.chain)).of(token.address)
        if price is None:
            return []
        return [_row(token.caip10, info, price * rate, info.decimals)]


def _of_solana(tokens: SolanaTokens, caip10: str, rate: Decimal) -> list[dict[str, object]]:
    mint = caip10.rpartition(":")[2]
    if mint == SOL_ADDRESS:
        named = tokens.of(None)
        return [_row(caip10, named, named.dollars * rate, SOL_DECIMALS)]
    if not is_address("solana", mint):
        raise RefusedError(400, "addresses", "The address provided is invalid")
    known = mints().get(mint)
    if known is None:
        return []
    named = tokens.of(mint)
    return [_row(caip10, named, named.dollars * rate, known.decimals)]


def _row(address: str, named: TokenInfo | SplName, price: Decimal, decimals: int) -> dict[str, object]:
    return {
        "address": address,
        "name": named.name,
        "symbol": named.symbol,
        "iconUrl": named.icon_url or "",
        "price": json_number(price),
        "decimals": decimals,
    }
