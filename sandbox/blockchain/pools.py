"""The Uniswap v2 pools of a chain, those of foreign clients too: reserves, ways between tokens, and what a swap gives."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from walletmodal.sandbox.blockchain.abi import calldata, decoded, decoded_address, decoded_number, eth_call
from walletmodal.sandbox.blockchain.chains import Chain

MAX_PAIRS: Final = 500


@dataclass(frozen=True, slots=True)
class Reserves:
    """What lies in one pool, in base units; addresses are lower case."""

    pair: str
    token0: str
    token1: str
    reserve0: int
    reserve1: int

    def of(self, token: str) -> int:
        """The reserve of one of its two tokens."""
        return self.reserve0 if token == self.token0 else self.reserve1

    def other(self, token: str) -> str:
        """The token that is not this one."""
        return self.token1 if token == self.token0 else self.token0


class Pools:
    """The pools of one chain, found through its factory.

    Args:
        chain: which chain.
    """

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._pairs: list[tuple[str, str, str]] = []

    async def reserves(self) -> list[Reserves]:
        """All pools that hold something.

        Raises:
            NodeUnavailableError: the chain does not answer.
        """
        await self._find_pairs()
        answers = await self._chain.node.ask([eth_call(pair, calldata("getReserves()")) for pair, _, _ in self._pairs])
        found: list[Reserves] = []
        for (pair, token0, token1), answer in zip(self._pairs, answers, strict=True):
            values = decoded(answer, "uint112", "uint112", "uint32")
            if values is None:
                # The pool is gone: the chain was taken back behind its creation.
                self._pairs = []
            elif values[0] and values[1]:
                found.append(Reserves(pair, token0, token1, int(values[0]), int(values[1])))
        return found

    async def _find_pairs(self) -> None:
        factory = self._chain.world.factory
        (answer,) = await self._chain.node.ask([eth_call(factory, calldata("allPairsLength()"))])
        count = min(decoded_number(answer) or 0, MAX_PAIRS)
        if count < len(self._pairs):
            self._pairs = []
        missing = range(len(self._pairs), count)
        answers = await self._chain.node.ask(
            [eth_call(factory, calldata("allPairs(uint256)", number)) for number in missing]
        )
        pairs = [pair for answer in answers if (pair := decoded_address(answer))]
        asks = [eth_call(pair, calldata(f"{side}()")) for pair in pairs for side in ("token0", "token1")]
        sides = [decoded_address(answer) for answer in await self._chain.node.ask(asks)]
        found = [
            (pair, token0, token1)
            for pair, token0, token1 in zip(pairs, sides[::2], sides[1::2], strict=True)
            if token0 and token1
        ]
        # Another request may have found the same ones meanwhile.
        self._pairs = [*self._pairs[: missing.start], *found]


@dataclass(frozen=True, slots=True)
class Route:
    """A way from one token to another, and what it gives.

    Attributes:
        path: contracts, lower case, from the source to the destination.
        amount_out: base units of the last one.
    """

    path: tuple[str, ...]
    amount_out: int


async def best_route(chain: Chain, pools: Sequence[Reserves], source: str, target: str, amount: int) -> Route | None:
    """The way that gives most, asked of the chain's router; None where no pool leads there.

    Ways are direct ones and those through the wrapped native coin and the dollar.

    Raises:
        NodeUnavailableError: the chain does not answer.
    """
    joined = {frozenset((pool.token0, pool.token1)) for pool in pools}
    dollar = chain.world.dollar.address.lower()
    paths = [path for path in _paths(source, target, (chain.wrapped, dollar)) if _is_joined(path, joined)]
    asks = [eth_call(chain.router, calldata("getAmountsOut(uint256,address[])", amount, list(path))) for path in paths]
    best: Route | None = None
    for path, answer in zip(paths, await chain.node.ask(asks), strict=True):
        values = decoded(answer, "uint256[]")
        if values is not None and values[0] and (best is None or values[0][-1] > best.amount_out):
            best = Route(path, int(values[0][-1]))
    return best if best is not None and best.amount_out > 0 else None


def _paths(source: str, target: str, hubs: tuple[str, str]) -> Iterable[tuple[str, ...]]:
    first, second = hubs
    for between in ((), (first,), (second,), (first, second), (second, first)):
        path = (source, *between, target)
        if len(set(path)) == len(path):
            yield path


def _is_joined(path: tuple[str, ...], joined: set[frozenset[str]]) -> bool:
    return all(frozenset(step) in joined for step in pairwise(path))
