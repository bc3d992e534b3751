"""POST /v1/convert/build-transaction: the transaction of a swap, ready to be signed and sent as it is."""

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from walletmodal.core.clock import Clock
from walletmodal.sandbox.answers import json_answer
from walletmodal.sandbox.blockchain.abi import hex_number
from walletmodal.sandbox.blockchain.chains import Chains
from walletmodal.sandbox.blockchain.convert.gas import gas_prices
from walletmodal.sandbox.blockchain.convert.swaps import Swap, SwapFinder
from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.requests import asset, base_units, body
from walletmodal.sandbox.blockchain.rpc import Ask, NodeError

DEFAULT_SLIPPAGE: Final = Decimal(1)
DEADLINE_SECONDS: Final = 1200
_GAS_OF_CALL: Final = 120_000
_GAS_OF_HOP: Final = 110_000
_GAS_MARGIN_PERCENT: Final = 125


def _a_number(value: object) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError("must be a number")  # noqa: TRY004 (pydantic turns this one into its own error)
    return value


class Eip155Options(BaseModel):
    """What an EVM swap may be told: `slippage` in per cent, `permit` of EIP-2612."""

    model_config = ConfigDict(frozen=True, strict=True)

    slippage: Annotated[
        Decimal, Field(ge=0, le=50, strict=False), BeforeValidator(_a_number, json_schema_input_type=float)
    ] = DEFAULT_SLIPPAGE
    permit: str | None = None


class BuildTransactionRequest(BaseModel):
    """The body: base units as text, CAIP-10 ids."""

    model_config = ConfigDict(frozen=True, strict=True, populate_by_name=True)

    amount: str
    source: Annotated[str, Field(alias="from")]
    target: Annotated[str, Field(alias="to")]
    user_address: Annotated[str, Field(alias="userAddress")]
    eip155: Eip155Options = Eip155Options()
    disable_estimate: Annotated[bool | None, Field(alias="disableEstimate")] = None


class TransactionsEndpoint:
    """Builds swap transactions.

    Args:
        chains: the chains.
        finder: finds the way of a swap.
        clock: for deadlines.
    """

    def __init__(self, chains: Chains, finder: SwapFinder, clock: Clock) -> None:
        self._chains = chains
        self._finder = finder
        self._clock = clock

    async def build(self, request: Request) -> Response:
        """Answer with `{tx}`: call `tx.to` with `tx.data`, and the amount as value where the source is the native coin."""
        wish = await body(request, BuildTransactionRequest)
        amount = base_units(wish.amount)
        user = asset(self._chains, wish.user_address, "userAddress")
        if wish.eip155.permit:
            raise RefusedError(400, "permit", "The router of this chain takes no permits")
        swap = await self._finder.find(wish.source, wish.target, amount)
        if user.chain is not swap.source.chain:
            raise RefusedError(400, "userAddress", "The account must be on the chain of the tokens")
        data = swap.calldata(user.address, _minimum(swap, wish.eip155.slippage), await self._deadline(swap))
        gas = await _gas(swap, user.address, data, must_succeed=not wish.disable_estimate)
        prices = await gas_prices(swap.source.chain)
        return json_answer(
            {
                "tx": {
                    "from": user.caip10,
                    "to": f"{swap.source.chain.caip2}:{swap.contract}",
                    "data": data,
                    "amount": str(amount),
                    "eip155": {"gas": str(gas), "gasPrice": str(prices.standard)},
                }
            }
        )

    async def _deadline(self, swap: Swap) -> int:
        # A chain whose time was moved forward by a test judges deadlines by its own clock.
        block = await swap.source.chain.node.call("eth_getBlockByNumber", "latest", False)
        mined = hex_number(block.get("timestamp")) if isinstance(block, dict) else 0
        return max(mined, int(self._clock.now().timestamp())) + DEADLINE_SECONDS


def _minimum(swap: Swap, slippage: Decimal) -> int:
    return int(swap.route.amount_out * (1 - Fraction(slippage) / 100))


async def _gas(swap: Swap, user: str, data: str, *, must_succeed: bool) -> int:
    transaction = {"from": user, "to": swap.contract, "data": data}
    if swap.source.is_native:
        transaction["value"] = hex(swap.amount)
    (answer,) = await swap.source.chain.node.ask([Ask("eth_estimateGas", (transaction,))])
    if not isinstance(answer, NodeError):
        return hex_number(answer) * _GAS_MARGIN_PERCENT // 100
    if must_succeed:
        raise RefusedError(400, "userAddress", f"The swap would fail now: {answer.message[:200]}")
    # Without an estimate the account may still lack its approval; this is what the longest way of as many steps takes.
    return _GAS_OF_CALL + _GAS_OF_HOP * (len(swap.route.path) - 1)
