"""Delivery of events to WEBHOOK_URL: tried until the receiver has them, more and more rarely."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import HttpRequestError, TransportError
from walletmodal.db.deliveries import Delivery, DeliveryStore
from walletmodal.db.engine import describe_failure
from walletmodal.services.rpc.retrying import retry_after
from walletmodal.services.webhooks import WebhookSender

LOOK_SECONDS: Final = 1.0
"""Between two looks for what is due: any server of the deployment may have written it."""
AT_ONCE: Final = 8
"""Events that one process delivers at the same time."""
MAX_TRIES: Final = 16
"""Over one to two days; then it is given up, and an operator may have it delivered again."""
FIRST_WAIT, WAIT_FACTOR, LONGEST_WAIT = timedelta(seconds=5), 4, timedelta(hours=6)
LONGEST_PAUSE: Final = timedelta(hours=1)
"""What a receiver may ask for by Retry-After."""

logger = logging.getLogger(__name__)


class WebhookDelivery:
    """Delivers what is due.

    Args:
        store: which events those are.
        sender: the way to the receiver.
        clock: what is waited by.
        jitter: a random number from 0 to 1, so that what has failed together is not tried again together.
    """

    def __init__(
        self,
        store: DeliveryStore,
        sender: WebhookSender,
        *,
        clock: Clock | None = None,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._store, self._sender, self._clock, self._jitter = store, sender, clock or SystemClock(), jitter
        self._paused_until = self._clock.now()
        self._running = set[asyncio.Task[None]]()

    async def run(self, stopped: asyncio.Event) -> None:
        """Delivers until it is stopped. What is cut off then is another's in two minutes."""
        stopping = asyncio.create_task(stopped.wait())
        try:
            while not stopped.is_set():
                await self.start_due()
                # Where all places are taken, the next event goes as soon as one of them is free.
                full = len(self._running) >= AT_ONCE
                awaited = {stopping, *self._running} if full else {stopping}
                await asyncio.wait(awaited, timeout=None if full else LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            await self.finish()
        finally:
            left = (stopping, *self._running)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def start_due(self) -> int:
        """Begins a try of what is due, as far as there is place; returns of how many events. A receiver that asks to be left alone is, and so is a database that fails."""
        if self._clock.now() < self._paused_until:
            return 0
        try:
            taken = await self._store.take(AT_ONCE - len(self._running))
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what is to be delivered cannot be read: %s", describe_failure(error))
            return 0
        for delivery in taken:
            task = asyncio.create_task(self._deliver(delivery), name="webhook")
            self._running.add(task)
            task.add_done_callback(self._running.discard)
        return len(taken)

    async def finish(self) -> None:
        """Waits for the tries that have begun."""
        if self._running:
            await asyncio.wait(self._running)

    async def _deliver(self, delivery: Delivery) -> None:
        try:
            await self._try(delivery)
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what became of a delivery cannot be written: %s", describe_failure(error))

    async def _try(self, delivery: Delivery) -> None:
        try:
            await self._sender.send(delivery.event)
        except TransportError as error:
            await self._fail(delivery, _reason(error), retry_after(error, self._clock.now()))
        except Exception as error:  # whatever an answer has done to a library
            logger.exception("the delivery of the event %s has failed", delivery.event.id)
            await self._fail(delivery, type(error).__name__)
        else:
            await self._store.delivered(delivery.event)

    async def _fail(self, delivery: Delivery, why: str, asked_for: float | None = None) -> None:
        event, now = delivery.event, self._clock.now()
        if asked_for is not None:
            self._paused_until = now + min(timedelta(seconds=asked_for), LONGEST_PAUSE)
        if delivery.tries >= MAX_TRIES:
            logger.error("the event %s is given up: %s", event.id, why)
            await self._store.failed(event, why, None)
            return
        logger.info("the event %s could not be delivered: %s", event.id, why)
        wait = min(FIRST_WAIT * WAIT_FACTOR ** (delivery.tries - 1), LONGEST_WAIT) * (1 + self._jitter()) / 2
        await self._store.failed(event, why, max(now + wait, self._paused_until))


def _reason(error: TransportError) -> str:
    if isinstance(error, HttpRequestError) and error.status is not None:
        return f"the receiver answered with status {error.status}"
    return error.details or error.short_message
