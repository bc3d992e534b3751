"""Deliveries of webhooks: which events wait, which have failed, and who delivers one.

Whoever takes an event has it for two minutes; one that died meanwhile leaves it to the next. So each event is delivered at least once.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.webhooks.event import Event
from walletmodal.db.dialects import lock_writes, storable
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.events import UNREADABLE, read_event
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.tables import LoggedEvent, table_of

HELD_FOR: Final = timedelta(minutes=2)
"""For so long an event is left to who has taken it: longer than a try may take, by servers whose clocks are a minute apart, too."""
WAITS_FOR: Final = timedelta(days=3)
"""What nobody has taken for so long has failed: a receiver that is set up later is not told of what was long before."""
MAX_LISTED: Final = 500
_MAX_ERROR: Final = 200
_GIVEN_UP: Final = 0
"""Long ago, so that one index finds all that has failed."""

_TABLE: Final = LoggedEvent

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Delivery:
    """An event that is to be delivered.

    Attributes:
        event: it. tries: how often it was tried, this time included. error: why the last try has failed, "" where none has.
    """

    event: Event
    tries: int
    error: str = ""


@dataclass(frozen=True, slots=True)
class DeliveryCounts:
    """How many events wait, how many have failed, and since when the one has waited that waits longest; None where none does."""

    waiting: int
    failed: int
    oldest: datetime | None


class DeliveryStore:
    """Hands out events that are to be delivered, and writes what has become of them.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what waits are measured with.
    """

    def __init__(self, engine: AsyncEngine, *, clock: Clock | None = None) -> None:
        self._engine, self._clock = engine, clock or SystemClock()

    async def take(self, limit: int) -> list[Delivery]:
        """Takes events that are due, those that have waited longest first; nobody else gets them for two minutes. What cannot be read is given up.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        now = self._clock.now()
        due = (self._waits(), col(_TABLE.due_at) <= to_ms(now))
        numbers = select(col(_TABLE.number)).where(*due).order_by(col(_TABLE.due_at), col(_TABLE.number)).limit(limit)
        async with unit_of_work(self._engine) as connection:
            if (await connection.execute(numbers.limit(1))).first() is None:
                return []
        async with unit_of_work(self._engine) as connection:
            await lock_writes(connection, "events due")
            taken = list((await connection.execute(numbers)).scalars())
            held = {"due_at": to_ms(now + HELD_FOR), "tries": col(_TABLE.tries) + 1}
            mine = col(_TABLE.number).in_(taken)
            await connection.execute(update(_TABLE).where(mine).values(held))
            table = table_of(_TABLE)
            rows = (await connection.execute(select(table).where(mine).order_by(col(_TABLE.number)))).mappings().all()
            deliveries = [Delivery(read_event(row), row["tries"], row["error"]) for row in rows]
            if unreadable := [one.event.number for one in deliveries if one.event.data is UNREADABLE]:
                logger.error("events that cannot be read are given up: %s", unreadable)
                given_up = {"due_at": _GIVEN_UP, "error": "the event cannot be read"}
                await connection.execute(update(_TABLE).where(col(_TABLE.number).in_(unreadable)).values(given_up))
            return [one for one in deliveries if one.event.number not in unreadable]

    async def delivered(self, event: Event) -> None:
        """Writes that an event is delivered.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written; the event will be delivered once more.
        """
        await self._write(event, None, "")

    async def failed(self, event: Event, error: str, again_at: datetime | None) -> None:
        """Writes that a try has failed.

        Args:
            event: which one.
            error: why, in a line.
            again_at: when it is tried again; None: nobody tries again by himself.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        due_at = _GIVEN_UP if again_at is None else to_ms(again_at)
        await self._write(event, due_at, storable(error[:_MAX_ERROR]))

    async def skip_old(self) -> int:
        """Has nobody deliver what has waited too long: nobody was to be told of it. Returns how many events.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        skipped = update(_TABLE).where(self._has_failed(), col(_TABLE.tries) == 0).values({"due_at": None})
        async with unit_of_work(self._engine, seconds=LONG_WORK_SECONDS) as connection:
            return (await connection.execute(skipped)).rowcount

    async def list_failed(self, limit: int = MAX_LISTED) -> list[Delivery]:
        """Lists what has failed, the latest first.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        table = table_of(_TABLE)
        latest = select(table).where(self._has_failed()).order_by(col(_TABLE.number).desc())
        async with unit_of_work(self._engine) as connection:
            rows = (await connection.execute(latest.limit(min(limit, MAX_LISTED)))).mappings().all()
        return [Delivery(read_event(row), row["tries"], row["error"]) for row in rows]

    async def retry(self, ids: Sequence[str] = ()) -> int:
        """Has events delivered again; returns how many.

        Args:
            ids: of the events, delivered ones too; none: all that have failed.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        chosen = col(_TABLE.id).in_(ids) if ids else self._has_failed()
        anew = {"due_at": to_ms(self._clock.now()), "tries": 0, "error": ""}
        async with unit_of_work(self._engine, seconds=LONG_WORK_SECONDS) as connection:
            return (await connection.execute(update(_TABLE).where(chosen).values(anew))).rowcount

    async def count(self) -> DeliveryCounts:
        """Counts what waits and what has failed.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        waiting = select(func.count(), func.min(col(_TABLE.at))).where(self._waits())
        failed = select(func.count()).select_from(_TABLE).where(self._has_failed())
        async with unit_of_work(self._engine) as connection:
            count, oldest = (await connection.execute(waiting)).one()
            lost = (await connection.execute(failed)).scalar_one()
        return DeliveryCounts(count, lost, None if oldest is None else from_ms(oldest))

    async def _write(self, event: Event, due_at: int | None, error: str) -> None:
        async with unit_of_work(self._engine) as connection:
            written = update(_TABLE).where(col(_TABLE.number) == event.number)
            await connection.execute(written.values({"due_at": due_at, "error": error}))

    def _waits(self) -> ColumnElement[bool]:
        return col(_TABLE.due_at) > to_ms(self._clock.now() - WAITS_FOR)

    def _has_failed(self) -> ColumnElement[bool]:
        return col(_TABLE.due_at) <= to_ms(self._clock.now() - WAITS_FOR)
