"""GET /v1/convert/quotes: what a swap would give now."""

import re

from starlette.requests import Request
from starlette.responses import Response

from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.convert.swaps import SwapFinder
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.requests import base_units, evm_address, optional, required


class QuotesEndpoint:
    """Quotes from the pools.

    Args:
        finder: finds the way.
    """

    def __init__(self, finder: SwapFinder) -> None:
        self._finder = finder

    async def quotes(self, request: Request) -> Response:
        """Answer with `{quotes}`: the best one."""
        amount = base_units(required(request, "amount"))
        source_id, target_id = required(request, "from"), required(request, "to")
        if (user := optional(request, "userAddress")) is not None:
            evm_address(user.rpartition(":")[2], "userAddress")
        if not re.fullmatch("[0-9]{1,78}", optional(request, "gasPrice") or "0"):
            raise RefusedError(400, "gasPrice", "A gas price is a whole number of wei")
        swap = await self._finder.find(source_id, target_id, amount)
        quote = {
            "id": None,
            "fromAmount": str(swap.amount),
            "fromAccount": swap.source.caip10,
            "toAmount": str(swap.route.amount_out),
            "toAccount": swap.target.caip10,
        }
        return json_answer({"quotes": [quote]})
