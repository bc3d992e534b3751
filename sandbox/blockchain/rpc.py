"""JSON-RPC to one chain's own node: single calls, batches, typed failures."""

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final

import httpx

from walletmodal.core.parsing.strict_json import read_json
from walletmodal.sandbox.blockchain.failures import NodeRefusedError, NodeUnavailableError

Post = Callable[[bytes], Awaitable[httpx.Response]]

MAX_BATCH: Final = 200
"""Requests in one HTTP request; longer batches are sent in parts."""

TIMEOUT_SECONDS: Final = 8.0
"""How long a node may take; below the 10 s that clients of the public services wait."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One JSON-RPC request: the method and its parameters."""

    method: str
    params: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeError:
    """What a node answered instead of a result.

    Attributes:
        code: JSON-RPC error code.
        message: the node's words.
        data: the revert data of a call, hexadecimal, where there is any.
    """

    code: int
    message: str
    data: str | None = None


class NodeClient:
    """A client of one node.

    Args:
        chain: CAIP-2 id, for errors.
        post: sends a JSON-RPC body to the node; raises httpx.HTTPError when it does not answer.
    """

    def __init__(self, chain: str, post: Post) -> None:
        self.chain = chain
        self._post = post
        self._ids = itertools.count(1)

    async def call(self, method: str, *params: object) -> object:
        """The result of one method.

        Raises:
            NodeRefusedError: the node answered with an error.
            NodeUnavailableError: no answer, or none that is JSON-RPC.
        """
        (answer,) = await self.ask([Ask(method, params)])
        if isinstance(answer, NodeError):
            raise NodeRefusedError(self.chain, method, answer.code, answer.message, answer.data)
        return answer

    async def ask(self, asks: Sequence[Ask]) -> list[object]:
        """The results of several methods, in their order; a `NodeError` where the node refused one.

        Raises:
            NodeUnavailableError: no answer, or none that is JSON-RPC.
        """
        answers: list[object] = []
        for start in range(0, len(asks), MAX_BATCH):
            answers += await self._send(asks[start : start + MAX_BATCH])
        return answers

    async def _send(self, asks: Sequence[Ask]) -> list[object]:
        numbered = {next(self._ids): ask for ask in asks}
        body = [
            {"jsonrpc": "2.0", "id": number, "method": ask.method, "params": list(ask.params)}
            for number, ask in numbered.items()
        ]
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                answer = await self._post(json.dumps(body).encode())
            answered = read_json(answer.content)
        except (httpx.HTTPError, TimeoutError, ValueError) as error:
            raise NodeUnavailableError(self.chain, repr(error)) from error
        if not isinstance(answered, list):
            raise NodeUnavailableError(self.chain, "the answer to a batch is no list")
        by_id = {one.get("id"): one for one in answered if isinstance(one, dict)}
        if missing := numbered.keys() - by_id.keys():
            raise NodeUnavailableError(self.chain, f"{len(missing)} requests of a batch were not answered")
        return [_result(by_id[number]) for number in numbered]


def loopback(url: str) -> Post:
    """Sends bodies to a node of this machine, one connection each, so that nothing is left to be closed."""
    client = httpx.AsyncClient(
        timeout=TIMEOUT_SECONDS, trust_env=False, limits=httpx.Limits(max_keepalive_connections=0)
    )

    async def post(body: bytes) -> httpx.Response:
        return await client.post(url, content=body, headers={"content-type": "application/json"})

    return post


def _result(answer: dict[str, object]) -> object:
    error = answer.get("error")
    if error is None:
        return answer.get("result")
    if not isinstance(error, dict):
        return NodeError(-32603, str(error)[:200])
    code, data = error.get("code"), error.get("data")
    return NodeError(
        code if isinstance(code, int) else -32603,
        str(error.get("message", ""))[:500],
        data if isinstance(data, str) else None,
    )
