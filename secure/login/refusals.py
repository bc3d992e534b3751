"""The link "it was not me" of a mail: freezes the address for a day, ends what the attempt has led to, and undoes a change of address."""

from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, Literal

from sqlalchemy import delete, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.custody.box_addresses import BoxAddresses
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.db.tables import Attempt, DeletionRequest, Refusal, Session, User
from walletmodal.secure.encoding import digest
from walletmodal.secure.errors import CallError
from walletmodal.secure.login import addresses
from walletmodal.secure.login.address_changes import drop_change, former_row, pending_change
from walletmodal.secure.notices import Notices
from walletmodal.secure.users import Users, address_row

Effect = Literal["freeze", "undo"]

REFUSAL_MS: Final = 3 * addresses.DAY_MS
"""For how long a link counts."""


async def put_refusal(connection: AsyncConnection, key: str, token: str, now: int, *, user: str = "") -> None:
    """Makes a link count. `user`: whose change of address it may undo, or ""."""
    row = {"token": digest(token), "address_key": key, "user": user, "since": now, "expires_at": now + REFUSAL_MS}
    await connection.execute(insert(Refusal).values(row))


class Refusals:
    """Freezes addresses.

    Args:
        engine: of the site's database.
        clock: what the day is measured with.
        keys: open the former address.
        users, notices: of the site.
        boxes: where codes of recovery go.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: KeyRing,
        users: Users,
        notices: Notices,
        boxes: BoxAddresses,
    ) -> None:
        self._engine, self._clock, self._keys = engine, clock, keys
        self._users, self._notices, self._boxes = users, notices, boxes

    async def effect(self, token: str) -> Effect | None:
        """What a link would do; None where it does not count."""
        async with unit_of_work(self._engine) as connection:
            row = await self._find(connection, token)
            if row is None:
                return None
            return "undo" if await pending_change(connection, row["user"], self._now()) else "freeze"

    async def use(self, token: str) -> Effect | None:
        """Freezes the address of a link: its codes end, so do the sessions that began since. A change of address is undone.

        Returns:
            What was done; None where the link does not count.
        """
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            row = await self._find(connection, token)
            if row is None:
                return None
            key = row["address_key"]
            user = await connection.scalar(select(col(User.id)).where(col(User.address_key) == key))
            attempts = col(Attempt.address_key) == key
            if user is not None:
                # Of an account at a provider they have the key of the address that it tells.
                attempts = or_(attempts, col(Attempt.user) == user)
            # In the order of who enters a code: the attempt, then its address. Two that wait for each other would both fail.
            await connection.execute(
                select(col(Attempt.id)).where(attempts).order_by(col(Attempt.id)).with_for_update()
            )
            await addresses.freeze(connection, key, now)
            await connection.execute(delete(Attempt).where(attempts))
            # A code that counted meanwhile may have made it.
            user = user or await connection.scalar(select(col(User.id)).where(col(User.address_key) == key))
            if user is not None:
                since = (col(Session.user) == user, col(Session.created_at) >= row["since"])
                await connection.execute(delete(Session).where(*since))
                await connection.execute(delete(DeletionRequest).where(col(DeletionRequest.user) == user))
            await record(connection, "frozen", at=now, user=user or "")
            change = await pending_change(connection, row["user"], now)
            if change is None:
                return "freeze"
            await self._undo(connection, change, now)
        self._notices.send_soon()
        # What the service does not take now it is told again, and no code of recovery is asked of it before.
        with suppress(CallError):
            await self._boxes.settle(change["user"])
        return "undo"

    async def _undo(self, connection: AsyncConnection, change: Any, now: int) -> None:
        user, former_key = change["user"], change["former_key"]
        # Of two clicks at the same moment one finds nothing.
        if not await drop_change(connection, user):
            return
        former = self._keys.open(change["former"], former_row(user)).decode()
        account = await self._users.account(connection, user)
        values = {"address_key": former_key, "address": self._keys.seal(former.encode(), address_row(user))}
        await connection.execute(update(User).where(col(User.id) == user).values(values))
        await self._boxes.follow(connection, user)
        moved = col(Refusal.address_key) == account.address_key
        await connection.execute(update(Refusal).where(moved).values(address_key=former_key))
        await addresses.freeze(connection, former_key, now)
        # Whoever has changed the address had a session.
        await connection.execute(delete(Session).where(col(Session.user) == user))
        await connection.execute(delete(Attempt).where(col(Attempt.user) == user))
        await record(connection, "address_restored", at=now, user=user)
        for told in (replace(account, address=former), account):
            await self._notices.add(connection, "address_restored", told, "")

    async def _find(self, connection: AsyncConnection, token: str) -> Any:
        mine = (col(Refusal.token) == digest(token), col(Refusal.expires_at) > self._now())
        return (await connection.execute(select(Refusal).where(*mine))).mappings().first()

    def _now(self) -> int:
        return to_ms(self._clock.now())
