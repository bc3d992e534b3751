"""`python -m walletmodal.secure restored`: what a restored backup would bring back to life that was used up, ended or stopped since, ends."""

from typing import Any, Final

from sqlalchemy import delete, or_, select, update
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.db.tables import Attempt, DeletionRequest, Grant, Handover, LooseBox, Proof, Session
from walletmodal.secure.passkeys.tables import PasskeyChallenge
from walletmodal.secure.social.tables import SocialAttempt

COUNTS_ONCE: Final[tuple[Any, ...]] = (Attempt, Proof, Grant, Handover, PasskeyChallenge, SocialAttempt, Session)
"""Codes, proofs and the like, which may have been used since; and sessions, which may have been ended."""


async def end_restored(engine: AsyncEngine, clock: Clock, *, wait_ms: int) -> tuple[int, int]:
    """Ends it, before the site is started on the restored database.

    Args:
        engine: of the site's database, which is migrated.
        clock: of the site.
        wait_ms: for how long a deletion waits: those that are back may have been stopped, so their owners are told and can stop them again.

    Returns:
        How many rows have ended, and how many deletions wait anew.
    """
    due = to_ms(clock.now()) + wait_ms
    # The codes of these logins may have come since. Their boxes stay, as those of all wallets that are missing: a newer backup has them.
    awaited = or_(col(LooseBox.given) != "", col(LooseBox.id).in_(select(col(Attempt.id))))
    async with unit_of_work(engine, seconds=LONG_WORK_SECONDS) as connection:
        await connection.execute(delete(LooseBox).where(awaited))
        ended = [(await connection.execute(delete(table))).rowcount for table in COUNTS_ONCE]
        waiting = await connection.execute(update(DeletionRequest).values(due_at=due, reminded=False))
    return sum(ended), waiting.rowcount
