"""A transport in memory that does as it is told."""

import asyncio
from collections.abc import Callable, Sequence

from walletmodal.core.errors import HttpRequestError, RpcRequestError
from walletmodal.services.rpc.transport import JsonParams, RpcTransport

URL = "http://node"


def status(number: int | None, *, retry_after: str | None = None) -> HttpRequestError:
    """The failure of an HTTP status."""
    return HttpRequestError(url=URL, status=number, headers={} if retry_after is None else {"retry-after": retry_after})


def rpc_error(code: int, message: str = "") -> RpcRequestError:
    """A node's own error."""
    return RpcRequestError(code=code, details=message, url=URL)


def ask(way: RpcTransport, count: int, first: int = 0) -> list[asyncio.Task[object]]:
    """Asks for so many numbers at once; the node answers each with itself."""
    return [asyncio.create_task(way.request("eth_call", [first + place])) for place in range(count)]


class TransportDouble:
    """`RpcTransport`: each request takes the next of `answers`, the last one for ever; an exception is raised.

    With `held` it answers only once that is set. `asked` are the requests that came; `left` counts those that were given up.
    """

    def __init__(self, *answers: object) -> None:
        self.answers: list[object] = list(answers) or ["0x0"]
        self.asked: list[tuple[str, JsonParams]] = []
        self.held: asyncio.Event | None = None
        self.left = 0
        self.before: Callable[[], None] = lambda: None

    @property
    def methods(self) -> list[str]:
        return [method for method, _ in self.asked]

    async def request(self, method: str, params: JsonParams = ()) -> object:
        self.asked.append((method, params))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.before()
        try:
            if self.held is not None:
                await self.held.wait()
        except asyncio.CancelledError:
            self.left += 1
            raise
        if isinstance(answer, Exception):
            raise answer
        return answer


async def settled(tasks: Sequence[asyncio.Task[object]]) -> list[object]:
    """What became of them."""
    return list(await asyncio.gather(*tasks, return_exceptions=True))
