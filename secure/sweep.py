"""Deletes what has expired."""

from typing import Any

from sqlalchemy import and_, delete
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import AUDIT_DAYS
from walletmodal.secure.db.tables import (
    AddressChange,
    AddressRecord,
    Attempt,
    AuditRow,
    Grant,
    Handover,
    HeldSpending,
    Notice,
    Proof,
    Refusal,
    Session,
)
from walletmodal.secure.login.addresses import DAY_MS
from walletmodal.secure.passkeys.tables import PasskeyChallenge
from walletmodal.secure.social.tables import SocialAttempt


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
    told = and_(col(Notice.sent), col(Notice.at) <= now - DAY_MS)
    done += [delete(AddressRecord).where(quiet), delete(Notice).where(told)]
    done += [delete(AuditRow).where(col(AuditRow.at) <= now - AUDIT_DAYS * DAY_MS)]
    for statement in done:
        async with unit_of_work(engine, seconds=LONG_WORK_SECONDS) as connection:
            await connection.execute(statement)
