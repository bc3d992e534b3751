"""The calls of recovery passwords: `/v1/password/…`.

The page derives two keys of the password (argon2id): one that this site compares, and one that opens the password's own half. So the box,
and the server's half, are given out for the right password alone, and nobody but this site could try passwords out.
"""

from typing import Annotated, Any, Final

from pydantic import Field
from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col
from starlette.routing import Route

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.core.text.browser_text import browser_text
from walletmodal.core.wallets.refusals import wrong_password
from walletmodal.db.dialects import insert_for
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.audit import record
from walletmodal.secure.calls.endpoint import Answer, Body, Calls, Nothing, UserCall
from walletmodal.secure.custody.envelope import KeyRing, row_id
from walletmodal.secure.custody.recovery import new_grant, recovered
from walletmodal.secure.custody.ways import check_last_way
from walletmodal.secure.db.tables import RecoveryPassword as Row
from walletmodal.secure.db.tables import Wallet
from walletmodal.secure.encoding import BytesText, HalfText, decode, encode
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.addresses import DAY_MS
from walletmodal.secure.login.proofs import ProofBody, use_proof
from walletmodal.secure.notices import Notices
from walletmodal.secure.pepper import Pepper
from walletmodal.secure.users import Users

MOST_WRONG: Final = 10
"""Wrong passwords within a day after which none counts."""

SaltText = Annotated[BytesText, Field(min_length=22, max_length=22)]
"""16 bytes."""
AuthText = Annotated[BytesText, Field(min_length=43, max_length=43)]
"""32 bytes."""
_BoxText = Annotated[BytesText, Field(min_length=59, max_length=59)]


class SetBody(ProofBody):
    """A password, as far as this site knows it, and its set. `half`: the server's; `box`: the password's own, sealed under it."""

    salt: SaltText
    auth: AuthText
    half: HalfText
    box: _BoxText


class OpenedBody(Body):
    """What the page derives of a password to be compared."""

    auth: AuthText


def password_row(user: str) -> str:
    """The row of a password's half, for the envelope."""
    return row_id("recovery_passwords", user, "half")


class PasswordCalls:
    """Answers them.

    Args:
        engine: of the site's database.
        keys: seal the halves.
        pepper: under which passwords are compared.
        users, notices: of the site.
        escrow: whether the site has a recovery service.
        clock: of the site.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        keys: KeyRing,
        pepper: Pepper,
        users: Users,
        notices: Notices,
        escrow: bool,
    ) -> None:
        self._engine, self._clock, self._keys, self._pepper = engine, clock, keys, pepper
        self._users, self._notices, self._escrow = users, notices, escrow

    def routes(self, calls: Calls) -> list[Route]:
        """Their routes."""
        return [
            calls.user_route("/v1/password/set", SetBody, self.set),
            calls.user_route("/v1/password/remove", ProofBody, self.remove),
            calls.user_route("/v1/password/open", Nothing, self.open),
            calls.user_route("/v1/password/opened", OpenedBody, self.opened),
        ]

    async def set(self, call: UserCall[SetBody]) -> Answer:
        """Stores a password and its set in the place of the former one: only a device that can open the wallet can make a set."""
        body, now = call.body, self._now()
        row = {
            "user": call.user, "salt": decode(body.salt), "auth": self._pepper.password(call.user, body.auth),
            "half": self._keys.seal(decode(body.half), password_row(call.user)), "box": decode(body.box),
            "failed": "", "created_at": now,
        }  # fmt: skip
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            await use_proof(connection, body.proof, "password", call, now)
            fresh = {name: value for name, value in row.items() if name != "user"}
            upsert = insert_for(connection)(Row).values(row).on_conflict_do_update(index_elements=["user"], set_=fresh)
            await connection.execute(upsert)
            await record(connection, "password_set", at=now, user=call.user, device=call.device.id)
            await self._notices.add(connection, "password_set", account, browser_text(call.browser))
        self._notices.send_soon()
        return {}

    async def remove(self, call: UserCall[ProofBody]) -> Answer:
        """Deletes the password and its set, unless nobody could recover the wallet then. Only a device of the wallet may whose transfers do not wait: the proof can be a mail."""
        now = self._now()
        async with unit_of_work(self._engine) as connection:
            account = await self._users.holder(connection, call.user, call.device, now)
            await check_last_way(connection, account, "password", escrow=self._escrow)
            await use_proof(connection, call.body.proof, "password", call, now)
            if (await connection.execute(delete(Row).where(col(Row.user) == call.user))).rowcount != 1:
                raise _none()
            await record(connection, "password_removed", at=now, user=call.user, device=call.device.id)
            await self._notices.add(connection, "password_removed", account, browser_text(call.browser))
        self._notices.send_soon()
        return {}

    async def open(self, call: UserCall[Nothing]) -> Answer:
        """What the page needs to derive the keys."""
        async with unit_of_work(self._engine) as connection:
            await self._users.unfrozen(connection, call.user, self._now())
            salt = await connection.scalar(select(col(Row.salt)).where(col(Row.user) == call.user))
        if salt is None:
            raise _none()
        return {"salt": encode(salt)}

    async def opened(self, call: UserCall[OpenedBody]) -> Answer:
        """Both parts of the password's set for the right one, and leave to make this device one of the wallet's."""
        now, given = self._now(), self._pepper.password(call.user, call.body.auth)
        async with unit_of_work(self._engine) as connection:
            account = await self._users.unfrozen(connection, call.user, now)
            # Counted before it is looked at, so that guesses at the same moment count too.
            row = await self._locked(connection, call.user)
            wrong = [moment for moment in map(int, filter(None, row["failed"].split(","))) if now - moment < DAY_MS]
            if len(wrong) >= MOST_WRONG:
                raise CallError(429, "too_many_tries", _("Too many wrong passwords. Please try again tomorrow."))
            right = (col(Row.user) == call.user, col(Row.auth) == given)
            found = (await connection.execute(select(Row).where(*right))).mappings().first()
            answer = None
            if found is not None:
                answer = await self._give(connection, call, found, now)
                await self._notices.add(connection, "password_used", account, browser_text(call.browser))
            else:
                wrong.append(now)
                failed = {"failed": ",".join(map(str, wrong))}
                await connection.execute(update(Row).where(col(Row.user) == call.user).values(failed))
                await record(connection, "password_refused", at=now, user=call.user, device=call.device.id)
                if len(wrong) == MOST_WRONG:
                    await self._notices.add(connection, "password_failed", account, browser_text(call.browser))
        self._notices.send_soon()
        if answer is None:
            raise CallError(403, "wrong_password", wrong_password(MOST_WRONG - len(wrong)))
        return answer

    async def _locked(self, connection: AsyncConnection, user: str) -> Any:
        locking = update(Row).where(col(Row.user) == user).values(failed=col(Row.failed)).returning(Row)
        row = (await connection.execute(locking)).mappings().first()
        if row is None:
            raise _none()
        return row

    async def _give(self, connection: AsyncConnection, call: UserCall[Any], row: Any, now: int) -> Answer:
        wallet = (await connection.execute(select(Wallet).where(col(Wallet.user) == call.user))).mappings().one()
        grant = await new_grant(connection, call.user, call.device, now)
        await record(connection, "password_used", at=now, user=call.user, device=call.device.id)
        half = self._keys.open(row["half"], password_row(call.user))
        return recovered(wallet, half, grant, box=encode(row["box"]))

    def _now(self) -> int:
        return to_ms(self._clock.now())


def _none() -> CallError:
    return CallError(409, "no_password", _("This wallet has no recovery password."))
