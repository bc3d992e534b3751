"""Filters stay with the node that made them (EIP-1474): the id that a host gets is sealed, and says which node that is.

Nodes number their filters, some from one on, and give their changes to whoever names them, once. A seal cannot be made up, so
nobody takes the changes of another visitor's filter. Nothing is kept here: every worker that has the key reads it.
"""

import hmac
import re
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.core.requests.methods import NODE_METHODS
from walletmodal.services.rpc.fallback import FallbackTransport
from walletmodal.services.rpc.transport import JsonParams, RpcTransport

_LABEL: Final = b"walletmodal filter 1\0"
_SEAL_BYTES: Final = 16
_NODES_ID: Final = re.compile(r"0x([0-9a-fA-F]{1,64})")
_FORM: Final = re.compile(rf"0x([0-9a-f]{{{2 * _SEAL_BYTES}}})([0-9a-fA-F]{{1,64}})")
_INVALID_INPUT: Final = -32000
"""What nodes answer for a filter that they have dropped; libraries make a new one then."""


def filter_key(secret: str | None = None) -> bytes:
    """The key of the seals.

    Args:
        secret: of the deployment, the same in each worker; None makes a key that only this process knows.
    """
    return secrets.token_bytes(32) if secret is None else hmac.digest(secret.encode(), _LABEL, sha256)


class FilterTransport:
    """A transport over the nodes of one network, that asks each filter of its own node.

    Args:
        nodes: the URL of each node and the way to it alone; at least one.
        fallback: over the same nodes in the same order, where there are several.
        chain: the network: a filter of another one is not found.
        key: see `filter_key`.
    """

    def __init__(
        self,
        nodes: Sequence[tuple[str, RpcTransport]],
        *,
        fallback: FallbackTransport | None = None,
        chain: ChainId,
        key: bytes,
    ) -> None:
        self._nodes, self._fallback, self._chain, self._key = tuple(nodes), fallback, str(chain).encode(), key

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """As `RpcTransport.request`.

        Raises:
            RpcRequestError: also for a filter that no node of this network has, -32000.
        """
        spec = NODE_METHODS.get(method)
        if spec and spec.filter == "makes":
            return await self._make(method, params)
        if not spec or not spec.filter:
            return (await self._ask(method, params))[1]
        found = self._find(params)
        if found is None:
            if method == "eth_uninstallFilter":
                return False
            raise RpcRequestError(code=_INVALID_INPUT, details="filter not found", url="")
        node, node_id = found
        return await node.request(method, [node_id])

    async def _make(self, method: str, params: JsonParams) -> str:
        place, made = await self._ask(method, params)
        url, _ = self._nodes[place]
        known = _NODES_ID.fullmatch(made) if isinstance(made, str) else None
        if known is None:
            raise MalformedResponseError(url="", details="a filter without an id")
        return f"0x{self._seal(url, known[1])}{known[1]}"

    async def _ask(self, method: str, params: JsonParams) -> tuple[int, object]:
        if self._fallback is not None:
            return await self._fallback.request_from(method, params)
        return 0, await self._nodes[0][1].request(method, params)

    def _find(self, params: JsonParams) -> tuple[RpcTransport, str] | None:
        given = params[0] if isinstance(params, Sequence) and params else None
        sealed = _FORM.fullmatch(given) if isinstance(given, str) else None
        if sealed is None:
            return None
        for url, node in self._nodes:
            if hmac.compare_digest(self._seal(url, sealed[2]), sealed[1]):
                return node, f"0x{sealed[2]}"
        return None

    def _seal(self, url: str, node_id: str) -> str:
        content = b"\0".join((self._chain, url.encode(), node_id.encode()))
        return hmac.digest(self._key, content, sha256)[:_SEAL_BYTES].hex()
