"""Deletes what has expired."""

from typing import Any, Final

from sqlalchemy import and_
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.db.expiry import delete_expired
from walletmodal.db.moments import to_ms
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

EXPIRING: Final = (
    *(Attempt, Session, Refusal, AddressChange, Grant, Handover),
    *(HeldSpending, Proof, SocialAttempt, PasskeyChallenge),
)


async def sweep(engine: AsyncEngine, clock: Clock, *, expired_ms: int, audit_days: int) -> None:
    """Deletes it once, a few rows at a time.

    Args:
        engine: of the site's database.
        clock: of the site.
        expired_ms: for how long a row stays after its end.
        audit_days: for how long the audit is kept.
    """
    now = to_ms(clock.now())
    ended = now - expired_ms
    over: list[tuple[Any, Any]] = [(row, col(row.expires_at) <= ended) for row in EXPIRING]
    # Mails are limited by the day.
    quiet = and_(
        col(AddressRecord.asked_at) <= ended - DAY_MS,
        col(AddressRecord.killed_at) <= ended - DAY_MS,
        col(AddressRecord.frozen_until) <= ended,
    )
    told = and_(col(Notice.sent), col(Notice.at) <= ended - DAY_MS)
    over += [(AddressRecord, quiet), (Notice, told), (AuditRow, col(AuditRow.at) <= now - audit_days * DAY_MS)]
    for table, condition in over:
        await delete_expired(engine, table, condition)
