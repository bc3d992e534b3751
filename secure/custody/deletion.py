"""The end of an account, on a device that has its wallet: `/v1/account/delete`. What the site holds of a user is erased at once, and what it cannot reach yet is erased later."""

import secrets
from typing import Any, Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import Kind, record
from walletmodal.secure.calls.endpoint import Answer, Calls, UserCall
from walletmodal.secure.custody.loose_boxes import LooseBoxes
from walletmodal.secure.db.tables import (
    AddressChange,
    Attempt,
    AuditRow,
    Deletion,
    DeletionRequest,
    Grant,
    Half,
    Handover,
    HeldSpending,
    Proof,
    RecoveryPassword,
    Refusal,
    Session,
    User,
    Wallet,
)
from walletmodal.secure.encoding import encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.address_changes import pending_change
from walletmodal.secure.login.addresses import DAY_MS
from walletmodal.secure.login.proofs import ProofBody, use_proof
from walletmodal.secure.notices import Notices
from walletmodal.secure.passkeys.tables import Passkey, PasskeyChallenge
from walletmodal.secure.social.tables import SocialIdentity
from walletmodal.secure.users import Account, Users

OF_USER: Final[tuple[Any, ...]] = (
    *(Wallet, Half, HeldSpending, Passkey, RecoveryPassword, SocialIdentity, Session, Attempt),
    *(Proof, Grant, Handover, PasskeyChallenge, AddressChange, Refusal, DeletionRequest),
)
"""The tables whose rows are somebody's, by their column `user`."""


class Deletions:
    """Carries deletions on until nothing is left.

    Args:
        engine: of the site's database.
        notices: of the site; tell the owner.
        boxes: takes boxes back from the recovery service.
        clock: of the site.
    """

    def __init__(self, engine: AsyncEngine, notices: Notices, boxes: LooseBoxes, clock: Clock) -> None:
        self._engine, self._notices, self._boxes, self._clock = engine, notices, boxes, clock

    async def begin(
        self, connection: AsyncConnection, account: Account, now: int, *, detail: str, kind: Kind = "account_deleted"
    ) -> None:
        """Erases a user within a transaction, and writes down what is left to do.

        Args:
            connection: of the transaction.
            account: who is erased, and told.
            now: in ms.
            detail: by whom, for the mail.
            kind: for the audit.
        """
        user = account.id
        await connection.execute(insert(Deletion).values(user=user, at=now))
        await self._erase(connection, user)
        await connection.execute(delete(Attempt).where(col(Attempt.address_key) == account.address_key))
        await connection.execute(delete(Refusal).where(col(Refusal.address_key) == account.address_key))
        await record(connection, kind, at=now, user=await _forget_in_audit(connection, user))
        await self._notices.add(connection, "account_deleted", account, detail)

    async def carry_on(self, user: str = "") -> None:
        """Erases what a call under way has written since, for a day, and has boxes taken back from the recovery service. `user`: of that one alone."""
        query = select(Deletion).where(col(Deletion.user) == user) if user else select(Deletion)
        async with unit_of_work(self._engine) as connection:
            rows = (await connection.execute(query)).mappings().all()
        for row in rows:
            async with unit_of_work(self._engine) as connection:
                await self._erase(connection, row["user"])
                await _forget_in_audit(connection, row["user"])
                if row["at"] + DAY_MS <= to_ms(self._clock.now()):
                    await connection.execute(delete(Deletion).where(col(Deletion.user) == row["user"]))
        await self._boxes.take_back(waiting=bool(user))

    async def _erase(self, connection: AsyncConnection, user: str) -> None:
        box = await connection.scalar(select(col(Wallet.box)).where(col(Wallet.user) == user))
        await self._boxes.loosen(connection, box or "")
        for row in OF_USER:
            await connection.execute(delete(row).where(col(row.user) == user))
        await connection.execute(delete(User).where(col(User.id) == user))


class DeletionCalls:
    """Answers the call.

    Args:
        engine: of the site's database.
        deletions, users, notices: of the site.
        clock: of the site.
    """

    def __init__(
        self, engine: AsyncEngine, clock: Clock, *, deletions: Deletions, users: Users, notices: Notices
    ) -> None:
        self._engine, self._clock = engine, clock
        self._deletions, self._users, self._notices = deletions, users, notices

    def routes(self, calls: Calls) -> list[Route]:
        """Its route."""
        return [calls.user_route("/v1/account/delete", ProofBody, self.delete)]

    async def delete(self, call: UserCall[ProofBody]) -> Answer:
        """Deletes the account and its wallet. Not while a change of its address can be undone: it may not be the owner who asks."""
        now = to_ms(self._clock.now())
        async with unit_of_work(self._engine) as connection:
            account = await self._users.unfrozen(connection, call.user, now)
            wallet = await connection.scalar(select(col(Wallet.user)).where(col(Wallet.user) == call.user))
            if wallet is not None:
                await self._users.holder(connection, call.user, call.device, now)
            await refuse_after_change(connection, call.user, now)
            await use_proof(connection, call.body.proof, "delete", call, now)
            await self._deletions.begin(connection, account, now, detail=call.browser)
        self._notices.send_soon()
        await self._deletions.carry_on(call.user)
        return {}


async def refuse_after_change(connection: AsyncConnection, user: str, now: int) -> None:
    """Refuses a deletion while a change of the address can be undone: it may not be the owner who asks.

    Raises:
        CallError: 423 `held`.
    """
    if await pending_change(connection, user, now):
        raise CallError(
            423, "held", _("The email address of this wallet has changed lately. Please try again in a day.")
        )


async def _forget_in_audit(connection: AsyncConnection, user: str) -> str:
    """Gives the rows of an account another name, which is returned: they stay together, and tell nobody whose they were."""
    alias = encode(secrets.token_bytes(16))
    await connection.execute(update(AuditRow).where(col(AuditRow.user) == user).values(user=alias, device=""))
    return alias
