"""The log of events: written in the transaction of what has happened, read in the order of writing.

Numbers are given out before transactions are committed, so one of a later number may be there first. Who writes holds a shared lock until
its commit, and who reads waits for those: below the number that a reader was told last nothing appears any more.
"""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import func, insert, or_, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.webhooks.event import Event
from walletmodal.db.engine import unit_of_work
from walletmodal.db.expiry import delete_expired
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.tables import LoggedEvent

EVENT_LIFETIME: Final = timedelta(days=90)
MAX_EVENTS: Final = 1_000_000
MAX_READ: Final = 500

_TABLE: Final = LoggedEvent
_LOCK: Final = "hashtextextended('events', 0)"


async def write_events(connection: AsyncConnection, events: Sequence[Event], now: datetime) -> None:
    """Writes events, as the last thing of a transaction: who reads the log waits for its commit.

    Args:
        connection: of the transaction that writes what they tell of.
        events: in their order.
        now: from when on they are to be delivered.
    """
    if not events:
        return
    if connection.dialect.name == "postgresql":
        await connection.execute(text(f"SELECT pg_advisory_xact_lock_shared({_LOCK})"))
    await connection.execute(insert(_TABLE), [_row(event, to_ms(now)) for event in events])


class EventLog:
    """Reads the log, and deletes what is too old of it.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what ages are measured with.
        lifetime: how long an event is kept.
        max_events: how many are kept, about.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        clock: Clock | None = None,
        lifetime: timedelta = EVENT_LIFETIME,
        max_events: int = MAX_EVENTS,
    ) -> None:
        self._engine, self._clock = engine, clock or SystemClock()
        self._lifetime, self._max_events = lifetime, max_events

    async def after(self, number: int, *, since: datetime | None = None, limit: int = MAX_READ) -> list[Event]:
        """Lists what follows an event, the oldest first. Nothing appears later before the last one of them.

        Args:
            number: of the event; 0 for the beginning.
            since: only what has happened at this moment or later.
            limit: at most 500.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        last = await self.last()
        wanted = [col(_TABLE.number) > number, col(_TABLE.number) <= last]
        wanted += [col(_TABLE.at) >= to_ms(since)] if since else []
        table = _TABLE.__table__  # type: ignore[attr-defined]  # SQLModel makes it when the class is made
        query = select(table).where(*wanted).order_by(col(_TABLE.number)).limit(min(limit, MAX_READ))
        async with unit_of_work(self._engine) as connection:
            return [read_event(row) for row in (await connection.execute(query)).mappings().all()]

    async def last(self) -> int:
        """Returns the number of the last event below which all are there; 0 for none.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        async with unit_of_work(self._engine) as connection:
            if connection.dialect.name == "postgresql":
                await connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
            return (await connection.execute(select(func.max(col(_TABLE.number))))).scalar_one_or_none() or 0

    async def purge(self) -> int:
        """Deletes what is too old or too much; returns how many events.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = to_ms(self._clock.now() - self._lifetime)
        async with unit_of_work(self._engine) as connection:
            last = (await connection.execute(select(func.max(col(_TABLE.number))))).scalar_one_or_none() or 0
        over = or_(col(_TABLE.at) <= moment, col(_TABLE.number) <= last - self._max_events)
        return await delete_expired(self._engine, _TABLE, over)


def _row(event: Event, now: int) -> dict[str, object]:
    data = json.dumps(event.data, separators=(",", ":"))
    facts = {"id": event.id, "at": to_ms(event.at), "type": event.type, "address": event.address, "data": data}
    return {**facts, "due_at": now if event.told else None}


def read_event(row: Any) -> Event:
    """Reads a row of the table."""
    return Event(
        at=from_ms(row["at"]),
        type=row["type"],
        address=row["address"],
        data=json.loads(row["data"]),
        id=row["id"],
        number=row["number"],
    )
