"""GET /v1/convert/allowance and /v1/convert/build-approve: what the router may take."""

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.abi import calldata, decoded_number, eth_call
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.convert.gas import gas_prices
from walletmodal.sandbox.blockchain.convert.swaps import SwapFinder
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.requests import MAX_UINT, asset, base_units, evm_address, optional, required
from walletmodal.sandbox.blockchain.tokens import TokenBook


class ApprovalsEndpoint:
    """Allowances of the swap router.

    Args:
        chains: the chains.
        tokens: their tokens.
        finder: checks the two sides of a swap.
    """

    def __init__(self, chains: Chains, tokens: TokenBook, finder: SwapFinder) -> None:
        self._chains = chains
        self._tokens = tokens
        self._finder = finder

    async def allowance(self, request: Request) -> Response:
        """Answer with `{allowance}` in base units; the native coin needs none, so its is without limit."""
        token = asset(self._chains, required(request, "tokenAddress"), "tokenAddress")
        user = asset(self._chains, required(request, "userAddress"), "userAddress")
        if user.chain is not token.chain:
            raise RefusedError(400, "userAddress", "The account must be on the chain of the token")
        if token.is_native:
            return json_answer({"allowance": str(MAX_UINT)})
        if not await self._tokens.of(token.chain, (token.address,)):
            raise RefusedError(400, "tokenAddress", "There is no such token on this chain")
        data = calldata("allowance(address,address)", user.address, token.chain.router)
        (answer,) = await token.chain.node.ask([eth_call(token.address, data)])
        return json_answer({"allowance": str(decoded_number(answer) or 0)})

    async def build_approve(self, request: Request) -> Response:
        """Answer with the transaction that lets the router take the source token.

        `tx.from` and `tx.to` repeat the query's, as the public service has it: the contract to call is `tx.from`.
        """
        evm_address(required(request, "userAddress").rpartition(":")[2], "userAddress")
        source_id, target_id = required(request, "from"), required(request, "to")
        wanted = optional(request, "amount")
        amount = MAX_UINT if wanted is None else base_units(wanted)
        source, _ = await self._finder.pair(source_id, target_id)
        if source.is_native:
            raise RefusedError(400, "from", "The native coin needs no approval")
        prices = await gas_prices(source.chain)
        return json_answer(
            {
                "tx": {
                    "from": source_id,
                    "to": target_id,
                    "data": calldata("approve(address,uint256)", source.chain.router, amount),
                    "value": "0",
                    "eip155": {"gasPrice": str(prices.standard)},
                }
            }
        )
