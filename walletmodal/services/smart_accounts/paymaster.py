"""Client of paymasters (ERC-7677), and of their prices in tokens."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, RpcRequestError, ShapeError
from walletmodal.core.errors.operations import OPERATION_CODES, PaymasterRefusedError, operation_error
from walletmodal.core.smart_accounts.answers import (
    PaymasterStub,
    TokenQuote,
    read_paymaster_data,
    read_stub,
    read_token_quotes,
)
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.services.rpc.transport import JsonParams, RpcTransport

_T = TypeVar("_T")

Context = Mapping[str, Any]
"""What a paymaster is told besides, as it wants it: an id of a policy, or the token that pays."""


class Paymaster:
    """One paymaster service on one network.

    Args:
        transport: the way to it.
        chain: the network.
    """

    def __init__(self, transport: RpcTransport, chain: ChainId) -> None:
        self._transport, self._chain = transport, chain

    async def stub(self, operation: UserOperation, entry_point: str, context: Context) -> PaymasterStub:
        """Asks what the operation is to be estimated with.

        Raises:
            PaymasterTermsError: it wants more than any paymaster needs.
            OperationError: it does not pay for this.
            TransportError: it cannot be asked, or answers with what cannot be understood.
        """
        answer = await self._request("pm_getPaymasterStubData", self._params(operation, entry_point, context))
        return self._understood(lambda: read_stub(answer))

    async def data(self, operation: UserOperation, entry_point: str, context: Context, stub: PaymasterStub) -> bytes:
        """Asks for the data with which it pays for the operation, whose gas is worked out. Raises as `stub`."""
        if stub.is_final:
            return stub.data
        answer = await self._request("pm_getPaymasterData", self._params(operation, entry_point, context))
        return self._understood(lambda: read_paymaster_data(answer, stub))

    async def token_quotes(self, tokens: Sequence[str], entry_point: str) -> dict[str, TokenQuote]:
        """Asks at which price it takes tokens for gas; one that it does not take has no quote. Raises as `stub`."""
        wanted = {"tokens": list(tokens)}
        answer = await self._request("pimlico_getTokenQuotes", [wanted, entry_point, hex(self._chain.number)])
        return self._understood(lambda: read_token_quotes(answer, tokens))

    def _params(self, operation: UserOperation, entry_point: str, context: Context) -> JsonParams:
        unsigned = {name: value for name, value in operation.to_json().items() if name != "signature"}
        return [unsigned, entry_point, hex(self._chain.number), dict(context)]

    async def _request(self, method: str, params: JsonParams) -> object:
        try:
            return await self._transport.request(method, params)
        except RpcRequestError as error:
            if error.code not in OPERATION_CODES:
                raise PaymasterRefusedError(error.details) from error
            raise operation_error(error.code, error.details) from error

    def _understood(self, read: Callable[[], _T]) -> _T:
        try:
            return read()
        except ShapeError as error:
            raise MalformedResponseError(url=str(self._chain), details=error.details) from error
