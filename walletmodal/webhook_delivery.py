"""Delivery of events to WEBHOOK_URL: tried until the receiver has them, more and more rarely."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable
from contextlib import suppress
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

    async def run(self, stopped: asyncio.Event) -> None:
        """Delivers until it is stopped. What is cut off then is another's in a minute."""
        while not stopped.is_set():
            try:
                more = await self.deliver_due()
            except Exception:  # the next events are delivered, whatever an answer has done to a library
                logger.exception("the delivery of events has failed")
                more = 0
            if not more:
                with suppress(TimeoutError):
                    await asyncio.wait_for(stopped.wait(), LOOK_SECONDS)

    async def deliver_due(self) -> int:
        """Tries some of what is due, once; returns how many events. A receiver that asks to be left alone is, and so is a database that fails."""
        if self._clock.now() < self._paused_until:
            return 0
        try:
            taken = await self._store.take(AT_ONCE)
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what is to be delivered cannot be read: %s", describe_failure(error))
            return 0
        async with asyncio.TaskGroup() as together:
            for delivery in taken:
                together.create_task(self._deliver(delivery))
        return len(taken)

    async def _deliver(self, delivery: Delivery) -> None:
        try:
            await self._try(delivery)
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what became of a delivery cannot be written: %s", describe_failure(error))
        except Exception:  # the events beside it are delivered, whatever an answer has done to a library
            logger.exception("the delivery of the event %s has failed", delivery.event.id)

    async def _try(self, delivery: Delivery) -> None:
        try:
            await self._sender.send(delivery.event)
        except TransportError as error:
            await self._fail(delivery, error)
        else:
            await self._store.delivered(delivery.event)

    async def _fail(self, delivery: Delivery, error: TransportError) -> None:
        event, now = delivery.event, self._clock.now()
        why = _reason(error)
        asked_for = retry_after(error, now)
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
