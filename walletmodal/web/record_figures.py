"""Metrics of the tables: read when somebody asks, for no worker counts what all of them write."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final, Protocol

from prometheus_client import CollectorRegistry, Gauge, generate_latest
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.db.deliveries import DeliveryCounts
from walletmodal.db.signing_keys import KeyOnRecord
from walletmodal.db.sponsorships import Totals

KEPT_SECONDS: Final = 10.0
"""So long an answer serves all who ask."""

_log: Final = logging.getLogger(__name__)


class CountedSessions(Protocol):
    """Who knows how many are signed in, such as `db.sign_ins.SignInStore`."""

    async def count(self) -> int:
        """Counts sessions that count now."""
        ...


class ListedKeys(Protocol):
    """Who has the keys, such as `db.signing_keys.SigningKeys`."""

    async def on_record(self) -> list[KeyOnRecord]:
        """All of them."""
        ...


class CountedSponsorships(Protocol):
    """Who knows what is paid for visitors, such as `Sponsorships`."""

    async def totals(self) -> dict[str, Totals]:
        """Adds up what counts now, by network."""
        ...


class CountedDeliveries(Protocol):
    """Who knows which events wait to be delivered, such as `db.deliveries.DeliveryStore`."""

    async def count(self) -> DeliveryCounts:
        """Counts what waits and what was given up."""
        ...


Figures = Callable[[], Awaitable[bytes]]
"""Gives figures in the text format."""


async def no_figures() -> bytes:
    """For who has no tables."""
    return b""


class RecordFigures:
    """Figures of the tables.

    Args:
        sessions: who counts those that are signed in, asked for at each look.
        keys: who has the keys, likewise.
        sponsorships: who knows what is paid for visitors, likewise.
        deliveries: who knows which events wait, likewise; None where nobody is told of any.
        clock: what ages are measured with.
    """

    def __init__(
        self,
        sessions: Callable[[], CountedSessions],
        keys: Callable[[], ListedKeys],
        sponsorships: Callable[[], CountedSponsorships],
        *,
        deliveries: Callable[[], CountedDeliveries] | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._sessions, self._keys, self._sponsorships = sessions, keys, sponsorships
        self._deliveries = deliveries
        self._clock = clock or SystemClock()
        self._turns = asyncio.Lock()
        self._told, self._until = b"", float("-inf")

    async def __call__(self) -> bytes:
        """The figures; `walletmodal_record_up` is 0, and the others are left out, where the database does not answer."""
        async with self._turns:
            if self._clock.monotonic() >= self._until:
                self._told = await self._load()
                self._until = self._clock.monotonic() + KEPT_SECONDS
        return self._told

    async def _load(self) -> bytes:
        registry = CollectorRegistry()
        up = Gauge(
            "walletmodal_record_up", "Whether the database has told the figures of the tables.", registry=registry
        )
        try:
            signed_in, keys = await self._sessions().count(), await self._keys().on_record()
            sponsored = await self._sponsorships().totals()
            deliveries = await self._deliveries().count() if self._deliveries else None
        except (SignInUnavailableError, SQLAlchemyError, OSError) as error:
            _log.warning("the figures of the tables cannot be read: %s", type(error).__name__)
        else:
            up.set(1)
            _tell(registry, signed_in, keys, self._clock.now())
            _tell_sponsored(registry, sponsored)
            if deliveries is not None:
                _tell_deliveries(registry, deliveries, self._clock.now())
        return generate_latest(registry)


def _tell(registry: CollectorRegistry, signed_in: int, keys: list[KeyOnRecord], now: datetime) -> None:
    sessions = Gauge("walletmodal_signed_in", "Sign-ins that count now.", registry=registry)
    sessions.set(signed_in)
    held = Gauge("walletmodal_signing_keys", "Keys of sign-in tokens, by state.", ["state"], registry=registry)
    held.labels("published").set(sum(key.published for key in keys))
    held.labels("unreadable").set(sum(not key.readable and not key.withdrawn for key in keys))
    held.labels("withdrawn").set(sum(key.withdrawn for key in keys))
    for key in keys:
        if key.signs:
            age = Gauge("walletmodal_signing_key_age_seconds", "Age of the key that signs.", registry=registry)
            age.set((now - key.made_at).total_seconds())


def _tell_sponsored(registry: CollectorRegistry, totals: dict[str, Totals]) -> None:
    if not totals:
        return
    told = "Fees of visitors within a day, in gwei of the network's coin: paid, and promised at most."
    sponsored = Gauge("walletmodal_sponsored_gwei", told, ["network", "state"], registry=registry)
    for network, total in totals.items():
        sponsored.labels(network, "paid").set(total.paid)
        sponsored.labels(network, "promised").set(total.promised)


def _tell_deliveries(registry: CollectorRegistry, counts: DeliveryCounts, now: datetime) -> None:
    told = "Events for WEBHOOK_URL that wait to be delivered, and that were given up."
    events = Gauge("walletmodal_webhook_events", told, ["state"], registry=registry)
    events.labels("waiting").set(counts.waiting)
    events.labels("failed").set(counts.failed)
    age = Gauge("walletmodal_webhook_oldest_seconds", "Age of the event that waits longest.", registry=registry)
    age.set((now - counts.oldest).total_seconds() if counts.oldest else 0)
