"""The calls of a change of address: `/v1/email/…`. A code to the present address first, then one to the new one."""

import secrets
from typing import Annotated, Any, NamedTuple

from pydantic import Field
from sqlalchemy import select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.endpoint import Answer, Body, Calls, UserCall
from walletmodal.secure.custody.box_addresses import BoxAddresses, Move
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.db.tables import Refusal, User
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.address_changes import drop_change, former_row, is_reserved, pending_change, put_change
from walletmodal.secure.login.attempts import Attempts, Request
from walletmodal.secure.login.calls import CodeBody
from walletmodal.secure.login.email_address import normal_email
from walletmodal.secure.login.refusals import put_refusal
from walletmodal.secure.notices import Notices
from walletmodal.secure.users import Account, Users, address_row


class UpdateBody(Body):
    """The new address; `linked`: the change is approved behind a link in the mail, where no card can be shown for it."""

    email: Annotated[str, Field(max_length=512)]
    linked: bool = False


class _Change(NamedTuple):
    """From which address to which, and what the recovery service is told of it."""

    former: Account
    address: str
    address_key: str
    move: Move | None


class EmailUpdateCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: seal addresses.
        attempts, users, notices: of the site.
        boxes: where codes of recovery go.
        hold_ms: for how long a change can be undone.
        clock: of the site.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: KeyRing,
        attempts: Attempts,
        users: Users,
        notices: Notices,
        boxes: BoxAddresses,
        hold_ms: int,
    ) -> None:
        self._engine, self._keys, self._attempts, self._users = engine, keys, attempts, users
        self._hold_ms = hold_ms
        self._notices, self._boxes, self._clock = notices, boxes, clock

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/email/update", UpdateBody, self.update),
            calls.user_route("/v1/email/primary", CodeBody, self.primary),
            calls.user_route("/v1/email/secondary", CodeBody, self.secondary),
        ]

    async def update(self, call: UserCall[UpdateBody]) -> Answer:
        """Mails a code, or a link to it, to the present address."""
        following = normal_email(call.body.email)
        async with unit_of_work(self._engine) as connection:
            account = await self._users.unfrozen(connection, call.user, self._now())
        if not account.address:
            raise CallError(409, "no_email", _("This account has no email address."))
        return await self._attempts.start(
            _request(call),
            account.address,
            "primary",
            user=call.user,
            account_key=account.address_key,
            following=following,
            linked=call.body.linked,
        )

    async def primary(self, call: UserCall[CodeBody]) -> Answer:
        """Accepts it, and mails a code to the new one."""

        async def accept(_connection: AsyncConnection, row: Any) -> str:
            return self._attempts.following_of(row)

        following = await self._redeem(call, accept, "primary")
        return await self._attempts.start(_request(call), following, "secondary", user=call.user)

    async def secondary(self, call: UserCall[CodeBody]) -> Answer:
        """Accepts that: the account has the new address from now on, and the former one is told."""

        async def accept(connection: AsyncConnection, row: Any) -> _Change:
            account = await self._users.unfrozen(connection, call.user, self._now())
            key, now = row["address_key"], self._now()
            owner = await connection.scalar(select(col(User.id)).where(col(User.address_key) == key))
            if owner or await is_reserved(connection, key, now, besides=call.user):
                raise _taken()
            move = await self._boxes.begin(connection, call.user)
            return _Change(account, self._attempts.address_of(row), key, move)

        begun = self._now()
        change = await self._redeem(call, accept, "secondary")
        # Before the account changes: codes of recovery must not go on to an address that nobody logs in with any more.
        await self._boxes.tell(change.move, change.former, change.address)
        try:
            user = await self._change(call, change, begun + self._hold_ms)
        except IntegrityError as error:
            raise _taken() from error
        self._notices.send_soon()
        return {"user": user}

    async def _change(self, call: UserCall[CodeBody], change: "_Change", until: int) -> dict[str, Any]:
        """Changes the address; `until` then it can be undone."""
        sealed, now = self._keys.seal(change.address.encode(), address_row(call.user)), self._now()
        values = {"address_key": change.address_key, "address": sealed}
        refusal = secrets.token_urlsafe(24)
        async with unit_of_work(self._engine) as connection:
            await self._users.unfrozen(connection, call.user, now)
            await self._boxes.end(connection, call.user, change.move)
            await self._keep_former(connection, call.user, change, until)
            await connection.execute(update(User).where(col(User.id) == call.user).values(values))
            # "It was not me" in the mails before freezes the account, wherever its codes go now.
            former = col(Refusal.address_key) == change.former.address_key
            await connection.execute(update(Refusal).where(former).values(address_key=change.address_key))
            await record(connection, "address_changed", at=now, user=call.user, device=call.device.id)
            await put_refusal(connection, change.address_key, refusal, now, user=call.user)
            await self._notices.add(
                connection, "address_changed", change.former, browser_text(call.browser), refusal=refusal
            )
            return await self._users.describe(connection, call.user, call.device, now)

    async def _keep_former(self, connection: AsyncConnection, user: str, change: "_Change", until: int) -> None:
        pending = await pending_change(connection, user, self._now())
        if pending is None:
            # One that is over, and not swept yet.
            await drop_change(connection, user)
        if pending is not None and pending["former_key"] == change.address_key:
            await drop_change(connection, user)
        elif until > self._now():
            sealed = self._keys.seal(change.former.address.encode(), former_row(user))
            await put_change(connection, user, sealed, change.former.address_key, until)

    async def _redeem(self, call: UserCall[CodeBody], then: Any, purpose: Any) -> Any:
        return await self._attempts.redeem(
            call.device, call.body.attempt, call.body.otp, then, purpose=purpose, user=call.user
        )

    def _now(self) -> int:
        return to_ms(self._clock.now())


def _request(call: UserCall[Any]) -> Request:
    return Request(call.device, call.line, browser_text(call.browser))


def _taken() -> CallError:
    return CallError(409, "email_taken", _("Another account has this address."))
