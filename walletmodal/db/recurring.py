"""Recurring work of all processes on one database: each time one of them does it, and another where that one is gone.

A turn is a row, not a lock: a lock would be held by a connection, which a pooler in transaction mode gives to somebody else, and by a process
that is frozen. Who takes a turn moves the next one into the future at once, so whatever becomes of them, the next turn comes.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import BigInteger, or_, select
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import Field, SQLModel, col

from walletmodal.core.clock import Clock
from walletmodal.db.dialects import insert_for
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms

_LEAST_PAUSE: Final = 0.05


class RecurringColumns(SQLModel):
    """The columns of a table of recurring work; each database of a deployment has one.

    Attributes:
        name: of the work.
        next_at: Unix time in ms, from which on a process may take the next turn.
    """

    name: str = Field(primary_key=True, max_length=64)
    next_at: int = Field(sa_type=BigInteger, nullable=False)


@dataclass(frozen=True, slots=True)
class Turn:
    """What a process does now. `mine`: the work; `pause`: seconds until it asks again."""

    mine: bool
    pause: float


class RecurringWork:
    """A work that some process does every so many seconds.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        table: with the columns of `RecurringColumns`.
        name: of the work.
        seconds: between two turns.
        clock: civil time, which all processes share.
    """

    def __init__(self, engine: AsyncEngine, table: Any, name: str, *, seconds: float, clock: Clock) -> None:
        self._engine, self._table, self._name = engine, table, name
        self._seconds, self._clock = seconds, clock

    async def turn(self) -> Turn:
        """Takes the turn that is due, unless another process has.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        now, span = to_ms(self._clock.now()), round(self._seconds * 1000)
        next_at = col(self._table.next_at)
        # A process whose clock was far ahead keeps nobody from working.
        due = or_(next_at <= now, next_at > now + 2 * span)
        taking = insert_for(self._engine)(self._table).values(name=self._name, next_at=now + span)
        taking = taking.on_conflict_do_update(index_elements=["name"], set_={"next_at": now + span}, where=due)
        async with unit_of_work(self._engine) as connection:
            if (await connection.execute(taking.returning(next_at))).first() is not None:
                return Turn(mine=True, pause=self._seconds)
            following = await connection.scalar(select(next_at).where(col(self._table.name) == self._name))
        return Turn(mine=False, pause=max(_LEAST_PAUSE, ((following or now) - now) / 1000))
