"""The log of events: written in the transaction of what has happened, read in the order of writing.

Numbers are given out before transactions are committed, so one of a later number may be there first. On PostgreSQL who writes holds a shared
lock until its commit, and who reads waits until those that held it have ended, without taking it: below the number that a reader was told
last nothing appears any more, and no writer waits for a reader.
"""

import asyncio
import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import insert, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.webhooks.event import Event
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work, with_timeout
from walletmodal.db.expiry import delete_old
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.tables import LoggedEvent, table_of

EVENT_LIFETIME: Final = timedelta(days=90)
MAX_READ: Final = 500

UNREADABLE: Final[dict[str, Any]] = {"unreadable": True}
"""The data of an event whose row holds what no version has written."""

_TABLE: Final = LoggedEvent
_LOCK: Final = text("SELECT pg_advisory_xact_lock_shared(hashtextextended('events', 0))")
_LOOK_SECONDS: Final = 0.05
"""Between two looks of a reader who waits for a writer."""
_LAST_NUMBER: Final = {
    "sqlite": text("SELECT seq FROM sqlite_sequence WHERE name = 'events'"),
    "postgresql": text("SELECT pg_sequence_last_value(pg_get_serial_sequence('events', 'number')::regclass)"),
}
_WRITERS: Final = text(
    "SELECT virtualtransaction FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock' AND granted AND objsubid = 1"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    " AND (classid::bigint << 32) | objid::bigint = hashtextextended('events', 0)"
)


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
        await connection.execute(_LOCK)
    await connection.execute(insert(_TABLE), [_row(event, to_ms(now)) for event in events])


async def which_are_written(connection: AsyncConnection, ids: Sequence[str]) -> set[str]:
    """Lists those of some ids that the log has: for who does not know whether he has written them."""
    return set((await connection.execute(select(col(_TABLE.id)).where(col(_TABLE.id).in_(ids)))).scalars())


class EventLog:
    """Reads the log, and deletes what is too old of it.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what ages are measured with.
        lifetime: how long an event is kept.
        max_events: how many are kept, about; None for all.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        clock: Clock | None = None,
        lifetime: timedelta = EVENT_LIFETIME,
        max_events: int | None = None,
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
        table = table_of(_TABLE)
        query = select(table).where(*wanted).order_by(col(_TABLE.number)).limit(min(limit, MAX_READ))
        async with unit_of_work(self._engine) as connection:
            return [read_event(row) for row in (await connection.execute(query)).mappings().all()]

    async def last(self) -> int:
        """Returns the number that was given out last, once every event up to it is there or will never be; 0 for none.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        async with with_timeout(self._engine, seconds=LONG_WORK_SECONDS):
            async with unit_of_work(self._engine) as connection:
                last = (await connection.execute(_LAST_NUMBER[connection.dialect.name])).scalar_one_or_none() or 0
            # Who comes later has later numbers.
            writers = await self._writers()
            while writers:
                await asyncio.sleep(_LOOK_SECONDS)
                writers &= await self._writers()
        return int(last)

    async def purge(self) -> int:
        """Deletes what is too old or too much; returns how many events.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = to_ms(self._clock.now() - self._lifetime)
        return await delete_old(self._engine, _TABLE, col(_TABLE.at) <= moment, most=self._max_events)

    async def _writers(self) -> set[str]:
        """Lists the transactions that hold the lock: whoever has a number has taken it before."""
        async with unit_of_work(self._engine) as connection:
            # SQLite has one writer, whose numbers nobody sees before its commit.
            return set() if connection.dialect.name == "sqlite" else set((await connection.execute(_WRITERS)).scalars())


def _row(event: Event, now: int) -> dict[str, object]:
    data = json.dumps(event.data, separators=(",", ":"))
    facts = {"id": event.id, "at": to_ms(event.at), "type": event.type, "address": event.address, "data": data}
    return {**facts, "due_at": now if event.told else None}


def read_event(row: Any) -> Event:
    """Reads a row of the table, whatever it holds: one that cannot be read holds up no other."""
    try:
        at, data = from_ms(row["at"]), json.loads(row["data"])
    except (ValueError, OverflowError, RecursionError):
        at, data = from_ms(0), None
    return Event(
        at=at,
        type=row["type"],
        address=row["address"],
        data=data if isinstance(data, dict) else UNREADABLE,
        id=row["id"],
        number=row["number"],
    )
