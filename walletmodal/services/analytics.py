"""Reporting events to the analytics service without keeping a visitor waiting (specification §7 and §8, reference services.md §3)."""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal

from prometheus_client import Counter

from walletmodal.core.analytics import NEVER_SENT, EventBody
from walletmodal.core.constants import FORBIDDEN
from walletmodal.core.service_errors import ServiceError
from walletmodal.services.http import Caller, HttpService

QUEUE_SIZE: Final = 1000
SENDERS: Final = 4
DRAIN_SECONDS: Final = 2.0
MAX_FORBIDDEN: Final = 1024

Outcome = Literal["sent", "failed", "dropped"]

_EVENTS = Counter("walletmodal_analytics_events", "Events for the analytics service, by outcome", ["outcome"])

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Report:
    caller: Caller
    body: EventBody


class AnalyticsReporter:
    """Sends events in the background; when the service cannot keep up, what does not fit into the queue is dropped and counted.

    Args:
        http: the way to the service; without a base URL nothing is ever sent.
        allowed: whether a caller's events may be sent at all, asked before each is; see `DirectoryClient.analytics_enabled`.
        on_forbidden: called when the service refuses a caller's origin (403), once until a later event of that caller gets through:
            the alert `INVALID_APP_CONFIGURATION`.
        queue_size: how many events wait at most.
        drain_seconds: how long `close` goes on sending what waits.
    """

    def __init__(
        self,
        http: HttpService,
        *,
        allowed: Callable[[Caller], Awaitable[bool]] | None = None,
        on_forbidden: Callable[[Caller], None] | None = None,
        queue_size: int = QUEUE_SIZE,
        drain_seconds: float = DRAIN_SECONDS,
    ) -> None:
        self._allowed = allowed
        self._http, self._on_forbidden, self._drain_seconds = http, on_forbidden, drain_seconds
        self._queue: asyncio.Queue[_Report] = asyncio.Queue(queue_size)
        self._senders: list[asyncio.Task[None]] = []
        self._forbidden: OrderedDict[Caller, None] = OrderedDict()
        self._closed = False

    @property
    def configured(self) -> bool:
        """Whether there is a service."""
        return self._http.configured

    def is_forbidden(self, caller: Caller) -> bool:
        """Whether the service refused the caller's origin the last time: what the alert is raised for."""
        return caller in self._forbidden

    def report(self, caller: Caller, body: EventBody) -> bool:
        """Hand over an event; returns at once.

        Args:
            caller: the embed in which it happened.
            body: see `core.analytics.event_body`.

        Returns:
            Whether it is taken: not without a service, for MODAL_CREATED, or when the queue is full.
        """
        if not self.configured or self._closed or body["props"]["event"] in NEVER_SENT:
            return False
        try:
            self._queue.put_nowait(_Report(caller, body))
        except asyncio.QueueFull:
            _EVENTS.labels("dropped").inc()
            return False
        if not self._senders:
            self._senders = [asyncio.create_task(self._send_forever(), name="analytics") for _ in range(SENDERS)]
        return True

    async def close(self) -> None:
        """Send what waits, for a moment; then give up the rest and count it."""
        self._closed = True
        if self._senders:
            waiting = asyncio.create_task(self._queue.join())
            await asyncio.wait({waiting}, timeout=self._drain_seconds)
            waiting.cancel()
            for sender in self._senders:
                sender.cancel()
            await asyncio.gather(waiting, *self._senders, return_exceptions=True)
        _EVENTS.labels("dropped").inc(self._queue.qsize())

    async def _send_forever(self) -> None:
        while True:
            report = await self._queue.get()
            try:
                await self._send(report)
            except Exception:
                # One event that cannot be sent must not end the sending of all others.
                logger.exception("an event could not be sent")
            finally:
                self._queue.task_done()

    async def _send(self, report: _Report) -> None:
        if self._allowed is not None and not await self._allowed(report.caller):
            return
        try:
            await self._http.post(report.caller, "/e", dict(report.body))
        except ServiceError as error:
            _EVENTS.labels("failed").inc()
            if error.status == FORBIDDEN:
                self._refused(report.caller)
            return
        _EVENTS.labels("sent").inc()
        self._forbidden.pop(report.caller, None)

    def _refused(self, caller: Caller) -> None:
        first = caller not in self._forbidden
        self._forbidden[caller] = None
        self._forbidden.move_to_end(caller)
        while len(self._forbidden) > MAX_FORBIDDEN:
            self._forbidden.popitem(last=False)
        if first and self._on_forbidden is not None:
            self._on_forbidden(caller)
