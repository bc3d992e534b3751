"""One swap: what is asked, the way it takes, and the call of the chain's contracts that does it."""

from dataclasses import dataclass
from typing import Final

from walletmodal.sandbox.blockchain.abi import calldata
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.failures import ProviderRefusedError, RefusedError
from walletmodal.sandbox.blockchain.pools import Route, best_route
from walletmodal.sandbox.blockchain.prices import Prices
from walletmodal.sandbox.blockchain.requests import Asset, asset
from walletmodal.sandbox.blockchain.tokens import TokenBook

INSUFFICIENT_LIQUIDITY: Final = "insufficient_liquidity"


@dataclass(frozen=True, slots=True)
class Swap:
    """A swap that the pools can do now.

    Attributes:
        source, target: what is given and what is taken.
        amount: base units given.
        route: its way; of a wrap or unwrap, the two sides with nothing lost.
    """

    source: Asset
    target: Asset
    amount: int
    route: Route

    @property
    def is_wrap(self) -> bool:
        """Whether the native coin becomes its own ERC-20 form."""
        return self.source.is_native and self.target.address == self.source.chain.wrapped

    @property
    def is_unwrap(self) -> bool:
        """Whether the ERC-20 form becomes the native coin."""
        return self.target.is_native and self.source.address == self.source.chain.wrapped

    @property
    def contract(self) -> str:
        """The contract that is called, lower case."""
        return self.source.chain.wrapped if self.is_wrap or self.is_unwrap else self.source.chain.router

    def calldata(self, recipient: str, minimum: int, deadline: int) -> str:
        """The call, hexadecimal.

        Args:
            recipient: who gets the target, lower case.
            minimum: base units of the target below which the swap fails.
            deadline: Unix seconds after which it fails.
        """
        if self.is_wrap:
            return calldata("deposit()")
        if self.is_unwrap:
            return calldata("withdraw(uint256)", self.amount)
        path = list(self.route.path)
        if self.source.is_native:
            signature = "swapExactETHForTokens(uint256,address[],address,uint256)"
            return calldata(signature, minimum, path, recipient, deadline)
        name = "swapExactTokensForETH" if self.target.is_native else "swapExactTokensForTokens"
        signature = f"{name}(uint256,uint256,address[],address,uint256)"
        return calldata(signature, self.amount, minimum, path, recipient, deadline)


class SwapFinder:
    """Finds how to swap.

    Args:
        chains: the chains.
        tokens: their tokens.
        prices: their pools.
    """

    def __init__(self, chains: Chains, tokens: TokenBook, prices: Prices) -> None:
        self._chains = chains
        self._tokens = tokens
        self._prices = prices

    async def pair(self, source_id: str, target_id: str) -> tuple[Asset, Asset]:
        """The two sides of a swap by their CAIP-10 ids.

        Raises:
            RefusedError: 400, one of them is no token of a served chain, or they cannot be swapped for each other.
            NodeUnavailableError: the chain does not answer.
        """
        source = asset(self._chains, source_id, "from")
        target = asset(self._chains, target_id, "to")
        if source.chain is not target.chain:
            raise RefusedError(400, "to", "Both tokens must be on the same chain")
        if source.address == target.address:
            raise RefusedError(400, "to", "The two tokens must differ")
        infos = await self._tokens.of(source.chain, (source.address, target.address))
        for side, field in ((source, "from"), (target, "to")):
            if side.address not in infos:
                raise RefusedError(400, field, "There is no such token on this chain")
        return source, target

    async def find(self, source_id: str, target_id: str, amount: int) -> Swap:
        """The best way to swap an amount now.

        Raises:
            RefusedError: 400, as `pair`.
            ProviderRefusedError: no pools lead there, or they hold too little.
            NodeUnavailableError: the chain does not answer.
        """
        source, target = await self.pair(source_id, target_id)
        if source.contract == target.contract:
            return Swap(source, target, amount, Route((source.contract, target.contract), amount))
        pools = await self._prices.pools(source.chain)
        route = await best_route(source.chain, pools, source.contract, target.contract, amount)
        if route is None:
            raise ProviderRefusedError(INSUFFICIENT_LIQUIDITY, "insufficient liquidity for this swap")
        return Swap(source, target, amount, route)
