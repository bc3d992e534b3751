"""Deletions that are asked for without a device of the wallet: `/v1/account/delete/request`.

Who asks has shown twice that the owner's mail arrives, and no more: so the deletion waits, the owner is told by mail, and a link in it,
or any use of the wallet, stops it.
"""

import logging
import secrets
from typing import Any, Final

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.endpoint import Answer, Calls, UserCall
from walletmodal.secure.custody.deletion import Deletions, refuse_after_change
from walletmodal.secure.custody.envelope import EnvelopeError, KeyRing, row_id
from walletmodal.secure.db.tables import DeletionRequest as Row
from walletmodal.secure.db.tables import Half, Wallet
from walletmodal.secure.encoding import digest
from walletmodal.secure.errors import CallError, spell_moment
from walletmodal.secure.login.address_changes import pending_change
from walletmodal.secure.login.addresses import DAY_MS, frozen_until
from walletmodal.secure.login.proofs import ProofBody, use_proof
from walletmodal.secure.notices import Notices
from walletmodal.secure.users import Account, Users

_BY_REQUEST: Final = _("A request by email, without a device")

logger = logging.getLogger(__name__)


def link_row(user: str) -> str:
    """The row of the token of a request's link, for the envelope."""
    return row_id("deletion_requests", user, "link")


async def requested_deletion(connection: AsyncConnection, user: str) -> int | None:
    """When a user's account is going to be deleted, in ms; None where nobody has asked for it."""
    due: int | None = await connection.scalar(select(col(Row.due_at)).where(col(Row.user) == user))
    return due


async def stop_deletion(connection: AsyncConnection, notices: Notices, account: Account, detail: str, now: int) -> bool:
    """Takes a request back within a transaction, and tells the owner; False where there is none.

    Args:
        connection: of the transaction.
        notices: of the site.
        account: whose.
        detail: by whom, for the mail.
        now: in ms.
    """
    if (await connection.execute(delete(Row).where(col(Row.user) == account.id))).rowcount != 1:
        return False
    await record(connection, "deletion_stopped", at=now, user=account.id)
    await notices.add(connection, "deletion_stopped", account, detail)
    return True


class DeletionRequests:
    """Takes requests, stops them, and carries out what nobody has stopped.

    Args:
        engine: of the site's database.
        clock: of the site.
        keys: seal the tokens of links.
        deletions, users, notices: of the site.
        wait_ms: for how long a request waits.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: KeyRing,
        deletions: Deletions,
        users: Users,
        notices: Notices,
        wait_ms: int,
    ) -> None:
        self._engine, self._clock, self._keys = engine, clock, keys
        self._deletions, self._users, self._notices, self._wait_ms = deletions, users, notices, wait_ms

    def routes(self, calls: Calls) -> list[Route]:
        """Its route."""
        return [calls.user_route("/v1/account/delete/request", ProofBody, self.request)]

    async def request(self, call: UserCall[ProofBody]) -> Answer:
        """Asks for the deletion; a second request changes nothing. On a device with the wallet it is `/v1/account/delete`."""
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            account = await self._users.unfrozen(connection, call.user, now)
            await _require_lost(connection, call)
            await refuse_after_change(connection, call.user, now)
            await use_proof(connection, call.body.proof, "delete", call, now)
            due = await requested_deletion(connection, call.user)
            if due is None:
                due, token = now + self._wait_ms, secrets.token_urlsafe(24)
                row = {
                    "user": call.user, "token": digest(token), "link": self._keys.seal(token.encode(), link_row(call.user)),
                    "asked_at": now, "reminded": False, "due_at": due,
                }  # fmt: skip
                await connection.execute(insert(Row).values(row))
                await record(connection, "deletion_requested", at=now, user=call.user, device=call.device.id)
                detail = _dated(browser_text(call.browser), due)
                await self._notices.add(connection, "deletion_requested", account, detail, refusal=token)
        self._notices.send_soon()
        return {"deletesAt": due}

    async def of_link(self, token: str) -> int | None:
        """When the deletion is due that a link stops; None where the link does not count any more."""
        async with unit_of_work(self._engine) as connection:
            due: int | None = await connection.scalar(select(col(Row.due_at)).where(col(Row.token) == digest(token)))
        return due

    async def stop(self, token: str) -> bool:
        """Stops the deletion of a link; False where the link does not count any more."""
        async with unit_of_work(self._engine) as connection:
            user = await connection.scalar(select(col(Row.user)).where(col(Row.token) == digest(token)))
            if user is None:
                return False
            account = await self._users.account(connection, user)
            stopped = await stop_deletion(connection, self._notices, account, _("the link in our mail"), self._now())
        self._notices.send_soon()
        return stopped

    async def carry_on(self) -> None:
        """Tells owners once more a day before, and deletes what is due."""
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            near = (col(Row.due_at) <= now + DAY_MS) & ((col(Row.due_at) <= now) | ~col(Row.reminded))
            rows = (await connection.execute(select(Row).where(near).order_by(col(Row.due_at)))).mappings().all()
        for row in rows:
            try:
                await (self._delete(row["user"], now) if row["due_at"] <= now else self._remind(row))
            except EnvelopeError as error:
                # That of one account, for which the others do not wait.
                logger.warning("a deletion that was asked for cannot go on: %s", error)
        if rows:
            self._notices.send_soon()

    async def _remind(self, row: Any) -> None:
        async with unit_of_work(self._engine) as connection:
            mine = (col(Row.user) == row["user"], ~col(Row.reminded))
            if (await connection.execute(update(Row).where(*mine).values(reminded=True))).rowcount != 1:
                return
            account = await self._users.account(connection, row["user"])
            token = self._keys.open(row["link"], link_row(row["user"])).decode()
            detail = _dated(_BY_REQUEST, row["due_at"])
            await self._notices.add(connection, "deletion_near", account, detail, refusal=token)

    async def _delete(self, user: str, now: int) -> None:
        async with unit_of_work(self._engine) as connection:
            # First, as a lock: of several workers one deletes, and none looks for an account that another has deleted meanwhile.
            mine = (col(Row.user) == user, col(Row.due_at) <= now)
            if (await connection.execute(update(Row).where(*mine).values(reminded=True))).rowcount != 1:
                return
            account = await self._users.account(connection, user)
            # Who froze it or has changed its address is heard first.
            frozen = await frozen_until(connection, account.address_key, now) is not None
            if frozen or await pending_change(connection, user, now):
                return
            await self._deletions.begin(connection, account, now, detail=_BY_REQUEST)
        await self._deletions.carry_on(user)

    def _now(self) -> int:
        return to_ms(self._clock.now())


def _dated(who: str, due: int) -> str:
    # Translators: who has asked for the deletion of a wallet, and when it is due
    return _("{who}. Deletion: {moment}", who=who, moment=spell_moment(due))


async def _require_lost(connection: AsyncConnection, call: UserCall[ProofBody]) -> None:
    wallet = await connection.scalar(select(col(Wallet.user)).where(col(Wallet.user) == call.user))
    mine = (col(Half.user) == call.user, col(Half.device) == call.device.id)
    if wallet is None or await connection.scalar(select(col(Half.device)).where(*mine)) is not None:
        raise CallError(409, "device_known", _("This device can delete the wallet at once."))
