"""Prices in US dollars, from the pools: what the deepest way to the chain's dollar token says."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Final

from walletmodal.sandbox.blockchain.chains import NATIVE, Chain, Chains
from walletmodal.sandbox.blockchain.pools import Pools, Reserves
from walletmodal.sandbox.blockchain.tokens import TokenBook, TokenInfo
from walletmodal.sandbox.price_board import PriceBoard

_EXACT: Final = Context(prec=100)
_SHOWN: Final = Context(prec=15)
"""Significant digits of a price or value in an answer; a JSON number holds no more."""


@dataclass(frozen=True, slots=True)
class ChainPrices:
    """The prices of one chain at one moment.

    Attributes:
        dollars: by contract (lower case, `NATIVE` included): dollars per whole token.
    """

    dollars: Mapping[str, Decimal]

    def of(self, address: str) -> Decimal | None:
        """The price of a token, or None where no pool tells it."""
        return self.dollars.get(address)

    def value(self, token: TokenInfo, amount: int) -> Decimal | None:
        """What an amount in base units is worth, in dollars."""
        price = self.dollars.get(token.address)
        return None if price is None else _EXACT.multiply(price, whole_units(amount, token.decimals))


class Prices:
    """Prices of every chain, read from its pools at each call; those of the chain's own coins move by the board.

    Args:
        chains: the chains.
        tokens: for the decimals of tokens in pools.
        board: how prices move.
    """

    def __init__(self, chains: Chains, tokens: TokenBook, board: PriceBoard) -> None:
        self._tokens, self._board = tokens, board
        self._pools = {chain.caip2: Pools(chain) for chain in chains}

    async def pools(self, chain: Chain) -> list[Reserves]:
        """The pools of a chain that hold something.

        Raises:
            NodeUnavailableError: the chain does not answer.
        """
        return await self._pools[chain.caip2].reserves()

    async def of(self, chain: Chain) -> ChainPrices:
        """The prices of a chain now.

        Raises:
            NodeUnavailableError: the chain does not answer.
        """
        pools = await self.pools(chain)
        infos = await self._tokens.of(chain, {token for pool in pools for token in (pool.token0, pool.token1)})
        dollars = _from_pools(pools, infos, chain.world.dollar.address.lower())
        for token in chain.world.tokens:
            told = dollars.get(token.address.lower())
            if told is not None:
                # A wrapped coin is worth what is in it, on every chain.
                dollars[token.address.lower()] = self._board.of(token.symbol.removeprefix("W"), told)
        if chain.wrapped in dollars:
            dollars[NATIVE] = dollars[chain.wrapped]
        return ChainPrices(dollars)


def whole_units(amount: int, decimals: int) -> Decimal:
    """Base units as whole ones, exactly."""
    return Decimal(amount).scaleb(-decimals, _EXACT)


def units_text(amount: int, decimals: int) -> str:
    """Base units as decimal text without exponent and without zeros at the end."""
    text = f"{whole_units(amount, decimals):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def json_number(value: Decimal) -> float | int:
    """The JSON number nearest to a price or value, at the outer edge; whole ones without a fraction."""
    shown = _SHOWN.plus(value)
    if shown == shown.to_integral_value() and abs(shown) < 10**15:
        return int(shown)
    return float(shown)


def _from_pools(pools: list[Reserves], infos: Mapping[str, TokenInfo], dollar: str) -> dict[str, Decimal]:
    """Prices spread from the dollar, each token's through the pool that holds most dollars' worth."""
    dollars = {dollar: Decimal(1)}
    left = [pool for pool in pools if pool.token0 in infos and pool.token1 in infos]
    while True:
        deepest: tuple[Decimal, str, Decimal] | None = None
        for pool in left:
            known = pool.token0 if pool.token0 in dollars else pool.token1
            unknown = pool.other(known)
            if known not in dollars or unknown in dollars:
                continue
            worth = _EXACT.multiply(dollars[known], whole_units(pool.of(known), infos[known].decimals))
            price = _EXACT.divide(worth, whole_units(pool.of(unknown), infos[unknown].decimals))
            if deepest is None or worth > deepest[0]:
                deepest = (worth, unknown, price)
        if deepest is None:
            return dollars
        dollars[deepest[1]] = deepest[2]
