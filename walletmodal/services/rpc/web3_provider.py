"""web3 over our transport, so that there is one path to a chain: batching, retries and all else hold for it, too."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from walletmodal.core.errors import RpcRequestError, TransportError
from walletmodal.services.rpc.transport import RpcTransport
from walletmodal.services.rpc.web3_library import AsyncJSONBaseProvider, AsyncWeb3, RPCEndpoint, RPCError, RPCResponse


class TransportProvider(AsyncJSONBaseProvider):
    """A provider for `AsyncWeb3`.

    A node's own error reaches the caller as web3's exceptions (`Web3RPCError`, `ContractLogicError`…); any other failure as
    `TransportError`. Answers that a contract asks to be fetched elsewhere (CCIP-Read, EIP-3668) are not: this server goes only to
    URLs of its settings.

    Args:
        transport: the way to the network's nodes.
    """

    global_ccip_read_enabled = False

    def __init__(self, transport: RpcTransport) -> None:
        super().__init__()
        self._transport = transport

    async def make_request(self, method: RPCEndpoint, params: Any) -> RPCResponse:
        """One call, as the response object that web3 reads.

        Raises:
            TransportError: it could not be answered, unless by the node's own error.
            ValueError: the parameters are no JSON.
        """
        request_id = next(self.request_counter)
        try:
            result = await self._transport.request(method, _plain(params or []))
        except RpcRequestError as error:
            failure = RPCError(code=error.code, message=error.details)
            if isinstance(error.data, str):
                failure["data"] = error.data
            return RPCResponse(jsonrpc="2.0", id=request_id, error=failure)
        return RPCResponse(jsonrpc="2.0", id=request_id, result=result)

    async def make_batch_request(self, requests: Sequence[tuple[RPCEndpoint, Any]]) -> list[RPCResponse]:
        """Several calls of one tick; the transport makes one request of them.

        Raises:
            TransportError, ValueError: as `make_request`.
        """
        return list(await asyncio.gather(*(self.make_request(method, params) for method, params in requests)))

    async def is_connected(self, show_traceback: bool = False) -> bool:  # noqa: FBT001, FBT002 - the signature is web3's
        """Whether a node answers.

        Raises:
            TransportError: it does not, and `show_traceback` asks for the reason.
        """
        try:
            response = await self.make_request(RPCEndpoint("web3_clientVersion"), [])
        except TransportError:
            if show_traceback:
                raise
            return False
        return "error" not in response


def web3_over(transport: RpcTransport) -> AsyncWeb3[TransportProvider]:
    """web3 for the network that the transport leads to. Cheap enough to be made for each use."""
    return AsyncWeb3(TransportProvider(transport))


def _plain(value: Any) -> Any:
    """The parameters as JSON values: web3 leaves bytes and its own mappings in them."""
    if isinstance(value, bytes):
        return f"0x{value.hex()}"
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value
