"""How fast one page may speak on the event socket."""

from dataclasses import dataclass
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.web.origin import EVENT_PATH
from walletmodal.web.rate_limit import Rate

PACE: Final = Rate(per_second=1000, burst=10_000)
"""In messages, of which each kilobyte counts as one more. A page says some twenty when it loads, and then a few a second."""

_UNIT: Final = 1024


@dataclass(slots=True)
class _Bucket:
    left: float
    at: float


class PacedSockets:
    """ASGI middleware: who says more than a page ever does is listened to more slowly.

    Events run one after the other, and wait in memory until then. What is not taken off the socket waits at its sender instead, and
    nothing that an honest page has said is lost.

    Args:
        app: what is behind.
        pace: how fast each socket is listened to.
        clock: what the time is measured with.
    """

    def __init__(self, app: ASGIApp, *, pace: Rate = PACE, clock: Clock | None = None) -> None:
        self._app, self._pace, self._clock = app, pace, clock or SystemClock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; an event socket with a `receive` that takes its time."""
        if scope["type"] == "websocket" and scope["path"].startswith(EVENT_PATH):
            receive = self._paced(receive)
        await self._app(scope, receive, send)

    def _paced(self, receive: Receive) -> Receive:
        bucket = _Bucket(self._pace.burst, self._clock.monotonic())

        async def listen() -> Message:
            now = self._clock.monotonic()
            bucket.left = min(self._pace.burst, bucket.left + (now - bucket.at) * self._pace.per_second)
            bucket.at = now
            if bucket.left < 0:
                await self._clock.sleep(-bucket.left / self._pace.per_second)
            message = await receive()
            said = message.get("text") or message.get("bytes") or ""
            bucket.left -= 1 + len(said) // _UNIT
            return message

        return listen
