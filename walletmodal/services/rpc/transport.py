"""What every way to a node looks like. Batching, retry and fallback wrap a transport and are one themselves."""

from collections.abc import Mapping, Sequence
from typing import Protocol

JsonParams = Sequence[object] | Mapping[str, object]


class RpcTransport(Protocol):
    """A way to one network's nodes."""

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """Ask and return the `result`, unchecked JSON.

        Raises:
            TransportError: see `core.errors` for its kinds; `RpcRequestError` when the node answered with an error.
        """
        ...
