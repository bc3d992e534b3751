"""Interface of a node's transport. Batching, retry, fallback and joining wrap a transport and are one themselves."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from walletmodal.core.errors import TransportError
from walletmodal.services.rpc.envelope import EncodedCall

JsonParams = Sequence[object] | Mapping[str, object]

Outcome = object | TransportError
"""What became of one call of several: its `result`, unchecked JSON, or why there is none."""


class RpcTransport(Protocol):
    """A way to one network's nodes."""

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """Ask and return the `result`, unchecked JSON.

        Raises:
            TransportError: see `core.errors` for its kinds; `RpcRequestError` when the node answered with an error.
            ValueError: the parameters are no JSON; nothing was sent.
        """
        ...


class BatchRpcTransport(RpcTransport, Protocol):
    """A way to one URL that can carry several calls in one request."""

    @property
    def shown_url(self) -> str:
        """What errors may say of the URL."""
        ...

    async def request_many(self, calls: Sequence[EncodedCall]) -> list[Outcome]:
        """Ask all of them at once; the outcomes stand in the order of the calls.

        Raises:
            TransportError: the request as a whole came to nothing.
        """
        ...
