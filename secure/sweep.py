"""Deletes what has expired, every minute."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from sqlalchemy import and_, delete
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from secure.audit import AUDIT_DAYS
from secure.db.tables import (
    AddressChange,
    AddressRecord,
    Attempt,
    AuditRow,
    Grant,
    Handover,
    HeldSpending,
    Proof,
    Refusal,
    Session,
)
from secure.login.addresses import DAY_MS
from secure.passkeys.tables import PasskeyChallenge
from secure.social.tables import SocialAttempt
from secure.waiting import first_of
from walletmodal.core.clock import Clock
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.moments import to_ms

PAUSE_SECONDS: Final = 60.0

logger = logging.getLogger(__name__)


async def sweep(engine: AsyncEngine, clock: Clock) -> None:
    """Deletes it once."""
    now = to_ms(clock.now())
    expiring = (
        *(Attempt, Session, Refusal, AddressChange, Grant, Handover),
        *(HeldSpending, Proof, SocialAttempt, PasskeyChallenge),
    )
    done: list[Any] = [delete(row).where(col(row.expires_at) <= now) for row in expiring]
    quiet = and_(
        col(AddressRecord.asked_at) <= now - DAY_MS,
        col(AddressRecord.killed_at) <= now - DAY_MS,
        col(AddressRecord.frozen_until) <= now,
    )
    done += [delete(AddressRecord).where(quiet), delete(AuditRow).where(col(AuditRow.at) <= now - AUDIT_DAYS * DAY_MS)]
    for statement in done:
        async with unit_of_work(engine, seconds=LONG_WORK_SECONDS) as connection:
            await connection.execute(statement)


async def sweep_until(
    stopping: asyncio.Event, engine: AsyncEngine, clock: Clock, *besides: Callable[[], Awaitable[None]]
) -> None:
    """Deletes it every minute until `stopping`, and does `besides`; a database that cannot do it now is asked again the next time."""
    while not stopping.is_set():
        try:
            await sweep(engine, clock)
            for work in besides:
                await work()
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what has expired could not be deleted: %s", type(error).__name__)
        await first_of(stopping.wait(), clock.sleep(PAUSE_SECONDS))
