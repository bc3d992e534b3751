"""Sessions: a token that counts together with the key of its device alone."""

import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import bindparam, delete, exists, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.core.language import _
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.calls.device import Device
from walletmodal.secure.db.tables import Half, User
from walletmodal.secure.db.tables import Session as Row
from walletmodal.secure.encoding import digest
from walletmodal.secure.errors import CallError
from walletmodal.secure.language import language

IDLE: Final = timedelta(days=7)
LONGEST: Final = timedelta(days=30)
_NOTED_MS: Final = 3_600_000
"""A use is written down once an hour: not every call is to write."""
MAX_TOKEN: Final = 64
_NOTE_LANGUAGE: Final = (
    update(User)
    .where(
        *(col(User.id) == bindparam("of_user"), col(User.language) != bindparam("tag")),
        (col(User.language) == "")
        | exists().where(col(Half.user) == bindparam("of_user"), col(Half.device) == bindparam("of_device")),
    )
    .values(language=bindparam("tag"))
)


@dataclass(frozen=True, slots=True)
class Session:
    """A session that counts now.

    Attributes:
        key: SHA-256 of its token, in hex.
        user: whose it is.
    """

    key: str
    user: str


class Sessions:
    """Makes, finds and ends sessions.

    Args:
        engine: of the site's database.
        clock: what their time is measured with.
    """

    def __init__(self, engine: AsyncEngine, clock: Clock) -> None:
        self._engine, self._clock = engine, clock

    async def begin(self, connection: AsyncConnection, user: str, device: Device, *, spoken: bool = False) -> str:
        """Starts a session within a transaction; returns its token. `spoken`: the account has the language of this login already."""
        token, now = secrets.token_urlsafe(32), to_ms(self._clock.now())
        row = {
            "token": digest(token), "user": user, "device": device.id,
            "created_at": now, "last_used_at": now, "expires_at": now + _ms(IDLE),
        }  # fmt: skip
        await connection.execute(insert(Row), row)
        if not spoken:
            await _note_language(connection, user, device)
        return token

    async def find(self, token: str, device: Device) -> Session:
        """The session of a call.

        Raises:
            CallError: 401 `session`: unknown, expired, or another device's.
        """
        key, now = digest(token), to_ms(self._clock.now())
        mine = (col(Row.token) == key, col(Row.device) == device.id, col(Row.expires_at) > now)
        async with unit_of_work(self._engine) as connection:
            query = select(col(Row.user), col(Row.created_at), col(Row.last_used_at)).where(*mine)
            found = (await connection.execute(query)).first() if 0 < len(token) <= MAX_TOKEN else None
            if found is None:
                raise no_session()
            user, created_at, last_used_at = found
            if now - last_used_at >= _NOTED_MS:
                end = min(now + _ms(IDLE), created_at + _ms(LONGEST))
                await connection.execute(update(Row).where(*mine).values(last_used_at=now, expires_at=end))
        return Session(key, user)

    async def end(self, session: Session) -> None:
        """Ends one."""
        async with unit_of_work(self._engine) as connection:
            await connection.execute(delete(Row).where(col(Row.token) == session.key))


async def _note_language(connection: AsyncConnection, user: str, device: Device) -> None:
    """Has the account's mails in the language of this login. Not of a stranger's: its owner is to read the mail that warns of it."""
    await connection.execute(_NOTE_LANGUAGE, {"of_user": user, "of_device": device.id, "tag": language().tag})


def no_session() -> CallError:
    """There is no session, or none any more."""
    return CallError(401, "session", _("Please log in again."))


def _ms(span: timedelta) -> int:
    return round(span.total_seconds() * 1000)
