"""Joins equal questions that are asked at the same time."""

import asyncio
import copy
from dataclasses import dataclass

from walletmodal.core.constants import CACHE_SIZE
from walletmodal.services.rpc.envelope import encode_call
from walletmodal.services.rpc.reads import READ_METHODS
from walletmodal.services.rpc.transport import JsonParams, RpcTransport


@dataclass(slots=True)
class _Question:
    task: asyncio.Task[object]
    waiting: int = 0
    shared: bool = False


class JoiningTransport:
    """A transport that asks equal questions once, for as long as the answer is on its way. Nothing is kept afterwards.

    Only reads are joined: never `eth_sendRawTransaction`, and nothing that its asking changes.

    Args:
        inner: asked once for all.
        max_joined: of more open questions the further ones are asked each for itself.
    """

    def __init__(self, inner: RpcTransport, *, max_joined: int = CACHE_SIZE) -> None:
        self._inner, self._max_joined = inner, max_joined
        self._open: dict[str, _Question] = {}

    @property
    def unjoined(self) -> RpcTransport:
        """The same way for whoever must not get the answer to a question that was asked earlier."""
        return self._inner

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """As `RpcTransport.request`; each caller gets an answer of its own to do with as it likes."""
        if method not in READ_METHODS:
            return await self._inner.request(method, params)
        key = encode_call(method, params).text
        question = self._open.get(key)
        if question is not None and not question.task.done():
            question.shared = True
        elif len(self._open) >= self._max_joined:
            return await self._inner.request(method, params)
        else:
            question = self._ask(key, method, params)
        question.waiting += 1
        try:
            # One caller who leaves must not take the answer from the others.
            result = await asyncio.shield(question.task)
        finally:
            question.waiting -= 1
            if not question.waiting and not question.task.done():
                self._forget(key, question)
                question.task.cancel()
        return copy.deepcopy(result) if question.shared and isinstance(result, dict | list) else result

    def _ask(self, key: str, method: str, params: JsonParams) -> _Question:
        question = _Question(asyncio.create_task(self._answer(method, params), name=method))
        self._open[key] = question
        question.task.add_done_callback(lambda _task: self._settled(key, question))
        return question

    async def _answer(self, method: str, params: JsonParams) -> object:
        return await self._inner.request(method, params)

    def _settled(self, key: str, question: _Question) -> None:
        self._forget(key, question)
        if not question.task.cancelled():
            # Everyone who asked may have left; their error is then nobody's, and asyncio would complain.
            question.task.exception()

    def _forget(self, key: str, question: _Question) -> None:
        if self._open.get(key) is question:
            del self._open[key]
