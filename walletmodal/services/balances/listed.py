"""Balances over the nodes alone, for deployments without a blockchain service: the native coin, and tokens that somebody has listed."""

import asyncio
import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import astuple
from functools import lru_cache
from importlib.resources import files

from walletmodal.core.accounts.tokens import TokenBalance, parse_token_balance, without_zero_decimals
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import AccountId, ChainId, Namespace
from walletmodal.core.chains.networks import Network, bundled_networks
from walletmodal.core.constants import PORTFOLIO_TTL
from walletmodal.core.errors import NetworkError, TransportError
from walletmodal.core.text.amounts import format_units
from walletmodal.core.text.texts import UNSUPPORTED_CHAIN
from walletmodal.services.cache import Cache
from walletmodal.services.chains.adapter import ChainAdapter, Token
from walletmodal.services.single_flight import SingleFlight

_Held = list[tuple[Token, int]]
"""Tokens and how much there is of each, in base units; the native coin, which has no address, first."""

logger = logging.getLogger(__name__)


@lru_cache(maxsize=1)
def bundled_tokens() -> Mapping[str, tuple[Token, ...]]:
    """Well-known tokens by CAIP-2 id. Read once."""
    text = files("walletmodal.services.balances").joinpath("tokens.json").read_text("utf-8")
    return {chain: tuple(Token(*row) for row in rows) for chain, rows in json.loads(text).items()}


class ListedTokens:
    """Reads the native coin and the listed tokens of accounts, for all visitors of a process.

    Args:
        adapters: one per namespace that can be asked.
        cache: where answers are kept for 30 s; shared between workers when it is Redis.
        named: further tokens, CAIP-10 ids that the deployment names; what they are called is read from the chain once.

    Raises:
        AddressError: one of the named is no address.
    """

    def __init__(self, adapters: Iterable[ChainAdapter], cache: Cache, named: Iterable[AccountId] = ()) -> None:
        self._adapters: dict[Namespace, ChainAdapter] = {adapter.namespace: adapter for adapter in adapters}
        self._cache = cache
        self._named: dict[str, list[str]] = {}
        for token in named:
            address = normal_address(token.namespace, token.address)
            self._named.setdefault(str(token.chain), []).append(address)
        self._known: dict[tuple[str, str], Token] = {}
        self._flights: SingleFlight[_Held] = SingleFlight()

    async def balances(self, chain: ChainId, address: str, *, fresh: bool = False) -> tuple[TokenBalance, ...]:
        """The native coin, also where there is none of it, and the listed tokens that the account has. Nobody knows prices here.

        Args:
            chain: a bundled network.
            address: of its namespace.
            fresh: ask the nodes even if an answer is kept, such as after a transaction.

        Raises:
            AddressError: the address is none.
            NetworkError: `Unsupported chain`: the network is not in the table, or no adapter reads its balances.
            TransportError: its nodes cannot be asked.
        """
        account = normal_address(chain.namespace, address)
        adapter, network = self._adapters.get(chain.namespace), bundled_networks().get(str(chain))
        if adapter is None or network is None:
            raise NetworkError(UNSUPPORTED_CHAIN, details=str(chain))
        key = f"listed:{chain}:{account}"
        held = None if fresh else _parse_cached(await self._cache.get(key))
        if held is None:
            held = await self._flights.join(key, lambda: self._ask(adapter, network, account, key), fresh=fresh)
        return without_zero_decimals(_balance(chain, token, base_units) for token, base_units in held)

    async def close(self) -> None:
        """Give up what is still being asked."""
        await self._flights.close()

    async def _ask(self, adapter: ChainAdapter, network: Network, account: str, key: str) -> _Held:
        chain, coin = network.chain_id, network.native_currency
        tokens = await self._tokens(adapter, chain)
        # In this order the calls of both reach the transport in one tick, which makes one request of them.
        amounts, native = await asyncio.gather(
            adapter.token_balances(chain, account, tokens), adapter.native_balance(chain, account)
        )
        held: _Held = [(Token("", coin.name, coin.symbol, coin.decimals), native)]
        held += [(token, amounts[token.address]) for token in tokens if amounts.get(token.address)]
        if self._flights.is_newest(key):
            rows = [[*astuple(token), str(base_units)] for token, base_units in held]
            await self._cache.set(key, json.dumps(rows), PORTFOLIO_TTL)
        return held

    async def _tokens(self, adapter: ChainAdapter, chain: ChainId) -> tuple[Token, ...]:
        listed = bundled_tokens().get(str(chain), ())
        known = {token.address for token in listed}
        wanted = [address for address in self._named.get(str(chain), ()) if address not in known]
        read = await asyncio.gather(*(self._read(adapter, chain, address) for address in wanted))
        return (*listed, *(token for token in read if token is not None))

    async def _read(self, adapter: ChainAdapter, chain: ChainId, address: str) -> Token | None:
        key = (str(chain), address)
        if key not in self._known:
            try:
                self._known[key] = await adapter.read_token(chain, address)
            except (NetworkError, TransportError) as error:
                # The others are shown all the same; this one is asked for again the next time.
                logger.warning("the token %s:%s cannot be read: %s", chain, address, error.details or error)
                return None
        return self._known[key]


def _parse_cached(text: str | None) -> _Held | None:
    """Parses a cached value; None where it is none, or another version of the product has written it into a shared cache."""
    if text is None:
        return None
    try:
        rows = [
            (str(address), str(name), str(symbol), int(decimals), int(amount))
            for address, name, symbol, decimals, amount in json.loads(text)
        ]
    except (TypeError, ValueError):
        return None
    return [(Token(*row[:4]), row[4]) for row in rows] or None


def _balance(chain: ChainId, token: Token, base_units: int) -> TokenBalance:
    """Of a token, or of the native coin, which has no address."""
    return parse_token_balance(
        {
            "name": token.name,
            "symbol": token.symbol,
            "chainId": str(chain),
            "address": f"{chain}:{token.address}" if token.address else None,
            "quantity": {"decimals": str(token.decimals), "numeric": format_units(base_units, token.decimals)},
        }
    )
