"""The link "it was not me" of a mail: freezes the address for a day, and ends what the attempt has led to."""

from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from secure.audit import record
from secure.db.tables import Attempt, Refusal, Session, User
from secure.encoding import digest
from secure.login import addresses
from walletmodal.core.clock import Clock
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms


class Refusals:
    """Freezes addresses.

    Args:
        engine: of the site's database.
        clock: what the day is measured with.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    async def counts(self, token: str) -> bool:
        """Whether a link counts."""
        async with unit_of_work(self._engine) as connection:
            return await self._find(connection, token) is not None

    async def freeze(self, token: str) -> bool:
        """Freezes the address of a link: its codes end, so do the sessions that began since; False where the link does not count."""
        now = to_ms(self._clock.now())
        async with unit_of_work(self._engine) as connection:
            row = await self._find(connection, token)
            if row is None:
                return False
            key = row["address_key"]
            await addresses.freeze(connection, key, now)
            await connection.execute(delete(Attempt).where(col(Attempt.address_key) == key))
            user = await connection.scalar(select(col(User.id)).where(col(User.address_key) == key))
            if user is not None:
                since = (col(Session.user) == user, col(Session.created_at) >= row["since"])
                await connection.execute(delete(Session).where(*since))
            await record(connection, "frozen", at=now, user=user or "")
        return True

    async def _find(self, connection: AsyncConnection, token: str) -> Any:
        mine = (col(Refusal.token) == digest(token), col(Refusal.expires_at) > to_ms(self._clock.now()))
        return (await connection.execute(select(Refusal).where(*mine))).mappings().first()
