"""The sign-ins that were verified: who is signed in, from which browser, at which host page, and until when."""

import logging
import secrets
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, insert, or_, select, text, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.caip import AccountId
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.sign_in_errors import SignInRefusedError, SignInUnavailableError, TooManySignInsError
from walletmodal.core.sign_in_session import SignInSession
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.tables import SignIn
from walletmodal.services.sign_in import ProvenSignIn

MAX_PER_HOLDER: Final = 32
"""Accounts that one browser is signed in with at one host page."""
KEPT_AFTER: Final = timedelta(days=30)
"""For how long a sign-in that is over stays on record."""
MAX_LISTED: Final = 500

_TABLE: Final = SignIn
_ID_BYTES: Final = 16
_TIMES: Final = ("issued_at", "proven_at", "expires_at")

logger = logging.getLogger(__name__)


def holder_key(browser_secret: str) -> str:
    """The table's key of a browser's secret; "" for a browser that keeps none."""
    return sha256(browser_secret.encode()).hexdigest() if browser_secret else ""


class SignInStore:
    """Keeps, finds and ends them.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what ends are measured with.
    """

    def __init__(self, engine: AsyncEngine, *, clock: Clock | None = None) -> None:
        self._engine, self._clock = engine, clock or SystemClock()

    async def add(self, proven: ProvenSignIn, browser_secret: str) -> SignInSession:
        """Put a proven sign-in on record; one of the same browser, page, network and account ends by it.

        Args:
            proven: what `SignInProofs.prove` has verified.
            browser_secret: of the cookie; "" where the browser keeps none: then it is found by its id alone.

        Raises:
            SignInRefusedError: there is one with the same nonce.
            TooManySignInsError: the browser has 32 at this page.
            SignInUnavailableError: the database did not take it.
        """
        holder, session = holder_key(browser_secret), _session(proven)
        same = (
            col(_TABLE.holder) == holder,
            col(_TABLE.origin) == session.origin,
            col(_TABLE.revoked_at).is_(None),
        )
        this_account = (col(_TABLE.chain) == session.chain, col(_TABLE.address) == session.address)
        try:
            async with self._begin() as connection:
                if holder:
                    await self._take_turns(connection, holder)
                    await connection.execute(
                        update(_TABLE).where(*same, *this_account).values(revoked_at=_ms(self._clock.now()))
                    )
                    if await self._count(connection, *same, self._not_over()) >= MAX_PER_HOLDER:
                        raise TooManySignInsError(session.origin)
                await connection.execute(insert(_TABLE).values(**_row(session), holder=holder))
        except IntegrityError as error:
            raise SignInRefusedError("unknown") from error
        except (SQLAlchemyError, OSError) as error:
            logger.exception("a sign-in could not be put on record")
            raise SignInUnavailableError(type(error).__name__) from error
        return session

    async def live(self, session_id: str) -> SignInSession | None:
        """A sign-in that counts now, or None.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        found = await self._select(col(_TABLE.id) == session_id, *self._alive(), limit=1)
        return found[0] if found else None

    async def held(self, browser_secret: str, origin: str) -> list[SignInSession]:
        """With which accounts a browser is signed in at a host page, the latest first.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        if not browser_secret:
            return []
        mine = (col(_TABLE.holder) == holder_key(browser_secret), col(_TABLE.origin) == origin)
        return await self._select(*mine, *self._alive(), limit=MAX_PER_HOLDER)

    async def of_account(self, browser_secret: str, origin: str, account: AccountId) -> SignInSession | None:
        """The browser's sign-in with this very account on this very network at this very page, or None.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        held = await self.held(browser_secret, origin)
        return next((one for one in held if one.account == account), None)

    async def listed(self, *, address: str = "", origin: str = "", limit: int = MAX_LISTED) -> list[SignInSession]:
        """Those that count, for an operator; the latest first.

        Args:
            address: only of this account.
            origin: only at this page.
            limit: at most 500.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        wanted = [col(_TABLE.address) == address] if address else []
        wanted += [col(_TABLE.origin) == origin] if origin else []
        return await self._select(*wanted, *self._alive(), limit=min(limit, MAX_LISTED))

    async def revoke(self, session_id: str) -> bool:
        """End one, by whoever may; False where none counts by that id.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        return await self._end(col(_TABLE.id) == session_id) > 0

    async def sign_out(self, browser_secret: str, origin: str, account: AccountId | None = None) -> int:
        """End a browser's sign-ins at a host page: with one account on one network, or all. Returns how many.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        if not browser_secret:
            return 0
        ends = [col(_TABLE.holder) == holder_key(browser_secret), col(_TABLE.origin) == origin]
        if account is not None:
            ends += [col(_TABLE.chain) == str(account.chain), col(_TABLE.address) == account.address]
        return await self._end(*ends)

    async def purge(self) -> int:
        """Delete what has been over for thirty days; returns how many.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = _ms(self._clock.now() - KEPT_AFTER)
        over = or_(col(_TABLE.expires_at) <= moment, col(_TABLE.revoked_at) <= moment)
        async with unit_of_work(self._engine, seconds=LONG_WORK_SECONDS) as connection:
            return (await connection.execute(delete(_TABLE).where(over))).rowcount

    def _begin(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return unit_of_work(self._engine)

    def _not_over(self) -> ColumnElement[bool]:
        return col(_TABLE.expires_at) > _ms(self._clock.now())

    def _alive(self) -> tuple[ColumnElement[bool], ...]:
        return col(_TABLE.revoked_at).is_(None), self._not_over()

    async def _take_turns(self, connection: AsyncConnection, holder: str) -> None:
        """Two tabs that sign in at once count one after the other. SQLite has one writer anyway, once it has begun to write."""
        if self._engine.dialect.name == "postgresql":
            lock = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 1))")
            await connection.execute(lock, {"key": holder})
        else:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")

    async def _count(self, connection: AsyncConnection, *conditions: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(_TABLE).where(*conditions)
        return int((await connection.execute(query)).scalar_one())

    async def _end(self, *conditions: ColumnElement[bool]) -> int:
        statement = update(_TABLE).where(*conditions, *self._alive()).values(revoked_at=_ms(self._clock.now()))
        async with self._begin() as connection:
            return (await connection.execute(statement)).rowcount

    async def _select(self, *conditions: ColumnElement[bool], limit: int) -> list[SignInSession]:
        table = _TABLE.__table__  # type: ignore[attr-defined]  # SQLModel makes it when the class is made
        query = select(table).where(*conditions).order_by(col(_TABLE.proven_at).desc(), col(_TABLE.id)).limit(limit)
        async with self._begin() as connection:
            return [_read(row) for row in (await connection.execute(query)).mappings().all()]


def _session(proven: ProvenSignIn) -> SignInSession:
    message = proven.message
    if message.expiration_time is None:
        raise SignInRefusedError("expired")
    return SignInSession(
        id=secrets.token_hex(_ID_BYTES),
        origin=proven.origin,
        chain=message.chain_id,
        address=message.account_address,
        statement=message.statement or "",
        request_id=message.request_id or "",
        text=proven.text,
        signature=proven.signature,
        nonce=message.nonce,
        issued_at=message.issued_at,
        proven_at=_whole(proven.proven_at),
        expires_at=message.expiration_time,
    )


def _row(session: SignInSession) -> dict[str, object]:
    row = {name: getattr(session, name) for name in session.__slots__}
    return {**row, **{name: _ms(row[name]) for name in _TIMES}}


def _read(row: Any) -> SignInSession:
    values = {name: value for name, value in row.items() if name != "holder"}
    for name in (*_TIMES, "revoked_at"):
        if values[name] is not None:
            values[name] = datetime.fromtimestamp(values[name] / 1000, UTC)
    return SignInSession(**values)


def _whole(moment: datetime) -> datetime:
    """To the millisecond, as it is kept."""
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
