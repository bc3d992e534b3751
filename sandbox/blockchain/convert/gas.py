"""GET /v1/convert/gas-price: what a transaction costs now."""

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.abi import hex_number
from walletmodal.sandbox.blockchain.chains import Chain, Chains
from walletmodal.sandbox.blockchain.requests import required
from walletmodal.sandbox.blockchain.rpc import Ask, NodeError
from walletmodal.sandbox.blockchain.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN as SOLANA_CHAIN

_FAST_PERCENT: Final = 115
_INSTANT_PERCENT: Final = 135


@dataclass(frozen=True, slots=True)
class GasPrices:
    """Three gas prices in wei, of which each is at least as high as the one before."""

    standard: int
    fast: int
    instant: int


async def gas_prices(chain: Chain) -> GasPrices:
    """The gas prices of a chain now: what the node advises, and that with room for rising base fees.

    Raises:
        NodeUnavailableError: the chain does not answer.
    """
    advised, block = await chain.node.ask([Ask("eth_gasPrice"), Ask("eth_getBlockByNumber", ("latest", False))])
    base = 0 if isinstance(block, NodeError) or not isinstance(block, dict) else hex_number(block.get("baseFeePerGas"))
    # A transaction below the base fee of the next block is not mined; that fee rises by an eighth at most.
    standard = max(hex_number(advised), base * 9 // 8 + 1)
    return GasPrices(standard, standard * _FAST_PERCENT // 100, standard * _INSTANT_PERCENT // 100)


class GasEndpoint:
    """Gas prices of every chain.

    Args:
        chains: the EVM chains.
        solana: the Solana node, where there is one.
    """

    def __init__(self, chains: Chains, solana: SolanaNode | None) -> None:
        self._chains = chains
        self._solana = solana

    async def gas_price(self, request: Request) -> Response:
        """Answer with `{standard, fast, instant}`: wei, or on Solana lamports per transaction."""
        caip2 = required(request, "chainId")
        if caip2 == SOLANA_CHAIN and self._solana is not None:
            fee = await self._solana.transaction_fee()
            prices = GasPrices(fee, fee, fee)
        else:
            prices = await gas_prices(self._chains.require(caip2))
        return json_answer({"standard": str(prices.standard), "fast": str(prices.fast), "instant": str(prices.instant)})
