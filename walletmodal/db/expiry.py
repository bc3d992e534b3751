"""Deletion of what was kept long enough, a few rows at a time: nobody who writes meanwhile waits for long."""

import logging
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, select, tuple_
from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work

AT_A_TIME: Final = 1000

logger = logging.getLogger(__name__)


async def delete_expired(engine: AsyncEngine, table: Any, over: ColumnElement[bool]) -> int:
    """Deletes the rows of which a condition holds; returns how many.

    Args:
        engine: an engine of `open_engine`.
        table: of the rows.
        over: the condition; rows of which it comes to hold meanwhile may stay.

    Raises:
        SQLAlchemyError, OSError: the database cannot be written; what was deleted before stays deleted.
    """
    key = list(table.__table__.primary_key.columns)
    some = select(*key).where(over).limit(AT_A_TIME)
    mine = key[0].in_(some) if len(key) == 1 else tuple_(*key).in_(some)
    done = 0
    while True:
        async with unit_of_work(engine, seconds=LONG_WORK_SECONDS) as connection:
            deleted = (await connection.execute(delete(table).where(mine))).rowcount
        done += deleted
        if deleted < AT_A_TIME:
            return done


async def delete_old(engine: AsyncEngine, table: Any, over: ColumnElement[bool], *, most: int | None) -> int:
    """Deletes the rows of a log that are too old, and of too many the first ones, which an operator is told; returns how many.

    Args:
        engine: an engine of `open_engine`.
        table: of the rows, which has their `number`.
        over: what too old means.
        most: how many stay, about; None for all that are not too old.

    Raises:
        SQLAlchemyError, OSError: the database cannot be written; what was deleted before stays deleted.
    """
    deleted = await delete_expired(engine, table, over)
    if most is None:
        return deleted
    number = table.__table__.c.number
    async with unit_of_work(engine) as connection:
        last = (await connection.execute(select(func.max(number)))).scalar_one_or_none() or 0
    early = await delete_expired(engine, table, number <= last - most)
    if early:
        name = table.__tablename__
        logger.warning("%d rows of %s were deleted before their time: AUDIT_ROWS says how many are kept", early, name)
    return deleted + early
