"""Reporting events to the analytics service without keeping a visitor waiting."""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal

from cachetools import LRUCache
from prometheus_client import Counter

from walletmodal.core.analytics.payload import NEVER_SENT, EventBody
from walletmodal.core.errors.services import ServiceError
from walletmodal.core.text.texts import AlertKey
from walletmodal.services.http import Caller, HttpService, alert_for_failure

QUEUE_SIZE: Final = 1000
QUEUE_CHARACTERS: Final = 4 * 1024 * 1024
"""Of all events that wait together: what a host page sets, and one event tells of it, may be a quarter of a megabyte."""
SENDERS: Final = 4
DRAIN_SECONDS: Final = 2.0
MAX_REFUSALS: Final = 1024

Outcome = Literal["sent", "failed", "dropped"]

_EVENTS = Counter("walletmodal_analytics_events", "Events for the analytics service, by outcome", ["outcome"])

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Report:
    caller: Caller
    body: EventBody
    characters: int


class AnalyticsReporter:
    """Sends events in the background; when the service cannot keep up, what does not fit into the queue is dropped and counted.

    Args:
        http: the way to the service; without a base URL nothing is ever sent.
        allowed: whether a caller's events may be sent at all, asked before each is; see `DirectoryClient.analytics_enabled`.
        queue_size: how many events wait at most.
        queue_characters: how long they are together at most, as JSON.
        drain_seconds: how long `close` goes on sending what waits.
    """

    def __init__(
        self,
        http: HttpService,
        *,
        allowed: Callable[[Caller], Awaitable[bool]] | None = None,
        queue_size: int = QUEUE_SIZE,
        queue_characters: int = QUEUE_CHARACTERS,
        drain_seconds: float = DRAIN_SECONDS,
    ) -> None:
        self._allowed = allowed
        self._http, self._drain_seconds = http, drain_seconds
        self._queue: asyncio.Queue[_Report] = asyncio.Queue(queue_size)
        self._characters_left = queue_characters
        self._senders: list[asyncio.Task[None]] = []
        self._refusals: LRUCache[Caller, AlertKey] = LRUCache(MAX_REFUSALS)
        self._closed = False

    @property
    def configured(self) -> bool:
        """Whether there is a service."""
        return self._http.configured

    def refusal(self, caller: Caller) -> AlertKey | None:
        """The alert that the service's last answer to the caller asks for: its origin (403) or its project id (401) is refused."""
        return self._refusals.get(caller)

    def report(self, caller: Caller, body: EventBody) -> bool:
        """Hand over an event; returns at once.

        Args:
            caller: the embed in which it happened.
            body: see `core.analytics.payload.event_body`.

        Returns:
            Whether it is taken: not without a service, for MODAL_CREATED, or when the queue is full.
        """
        if not self.configured or self._closed or body["props"]["event"] in NEVER_SENT:
            return False
        characters = len(json.dumps(body))
        if self._queue.full() or characters > self._characters_left:
            _EVENTS.labels("dropped").inc()
            return False
        self._queue.put_nowait(_Report(caller, body, characters))
        self._characters_left -= characters
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
                self._characters_left += report.characters
                self._queue.task_done()

    async def _send(self, report: _Report) -> None:
        if self._allowed is not None and not await self._allowed(report.caller):
            return
        try:
            await self._http.post(report.caller, "/e", dict(report.body))
        except ServiceError as error:
            _EVENTS.labels("failed").inc()
            alert = alert_for_failure(error)
            if alert is not None:
                self._refused(report.caller, alert)
            return
        _EVENTS.labels("sent").inc()
        self._refusals.pop(report.caller, None)

    def _refused(self, caller: Caller, key: AlertKey) -> None:
        self._refusals[caller] = key
