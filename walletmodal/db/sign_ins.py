"""Store of verified sign-ins: who is signed in, from which browser, at which host page, and until when."""

import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, func, insert, or_, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.chains.caip import AccountId
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.sign_in import SignInRefusedError, SignInUnavailableError, TooManySignInsError
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.webhooks.event import Event, sign_in_created, sign_in_ended
from walletmodal.db.dialects import lock_writes
from walletmodal.db.engine import unit_of_work
from walletmodal.db.events import write_events
from walletmodal.db.expiry import delete_expired
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.tables import SignIn, table_of
from walletmodal.services.metrics import count_sign_in
from walletmodal.services.sign_in import ProvenSignIn

MAX_PER_HOLDER: Final = 32
"""Accounts that one browser is signed in with at one host page."""
KEPT_AFTER: Final = timedelta(days=30)
"""For how long a sign-in that is over stays on record."""
MAX_OVER: Final = 32
"""Of those that are over so many of one browser, the latest: it can sign in and out as often as it likes."""
MAX_LISTED: Final = 500

_TABLE: Final = SignIn
_TIMES: Final = ("issued_at", "proven_at", "expires_at", "revoked_at", "checked_at")

logger = logging.getLogger(__name__)


def holder_key(browser_secret: str) -> str:
    """The table's key of a browser's secret; "" for a browser that keeps none."""
    return sha256(browser_secret.encode()).hexdigest() if browser_secret else ""


class SignInStore:
    """Stores, finds and ends sign-ins.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what ends are measured with.
        kept_after: how long one that is over stays on record.
    """

    def __init__(self, engine: AsyncEngine, *, clock: Clock | None = None, kept_after: timedelta = KEPT_AFTER) -> None:
        self._engine, self._clock, self._kept_after = engine, clock or SystemClock(), kept_after

    async def add(self, proven: ProvenSignIn, holder: str) -> SignInSession:
        """Records a proven sign-in; one of the same browser, page, network and account ends by it.

        Args:
            proven: what `SignInProofs.prove` has verified.
            holder: `holder_key` of the browser; "" where there is none: then it is found by its id alone.

        Raises:
            SignInRefusedError: there is one with the same nonce on the same network.
            TooManySignInsError: the browser has 32 at this page.
            SignInUnavailableError: the database did not take it.
        """
        (session,) = await self.add_all([proven], holder)
        return session

    async def add_all(self, proven: Sequence[ProvenSignIn], holder: str) -> list[SignInSession]:
        """As `add`, for all networks of a one-click sign-in: either each of them is on record, or none.

        Raises:
            SignInRefusedError, TooManySignInsError, SignInUnavailableError: as `add`.
        """
        sessions = [one.session() for one in proven]
        try:
            async with self._begin() as connection:
                if holder:
                    await lock_writes(connection, f"sign_ins {holder}")
                ended = [event for session in sessions for event in await self._put(connection, session, holder)]
                if holder:
                    await self._delete_expired(connection, holder)
                await write_events(connection, [*ended, *map(sign_in_created, sessions)], self._clock.now())
        except IntegrityError as error:
            raise SignInRefusedError("unknown") from error
        except (SQLAlchemyError, OSError) as error:
            logger.exception("a sign-in could not be put on record")
            raise SignInUnavailableError(type(error).__name__) from error
        for _ in sessions:
            count_sign_in("signed_in")
        return sessions

    async def live(self, session_id: str) -> SignInSession | None:
        """Returns a sign-in that counts now, or None.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        found = await self._select(col(_TABLE.id) == session_id, *self._alive(), limit=1)
        return found[0] if found else None

    async def held(self, holder: str, origin: str) -> list[SignInSession]:
        """Lists with which accounts a browser is signed in at a host page, the latest first.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        if not holder:
            return []
        mine = (col(_TABLE.holder) == holder, col(_TABLE.origin) == origin)
        return await self._select(*mine, *self._alive(), limit=MAX_PER_HOLDER)

    async def of_account(self, holder: str, origin: str, account: AccountId) -> SignInSession | None:
        """Returns the browser's sign-in with this very account on this very network at this very page, or None.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        held = await self.held(holder, origin)
        return next((one for one in held if one.account == account), None)

    async def listed(
        self, *, address: str = "", chain: str = "", origin: str = "", limit: int = MAX_LISTED
    ) -> list[SignInSession]:
        """Lists sign-ins that count, for an operator; the latest first.

        Args:
            address: only of this account.
            chain: only on this network.
            origin: only at this page.
            limit: at most 500.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        wanted = [col(_TABLE.address) == address] if address else []
        wanted += [col(_TABLE.chain) == chain] if chain else []
        wanted += [col(_TABLE.origin) == origin] if origin else []
        return await self._select(*wanted, *self._alive(), limit=min(limit, MAX_LISTED))

    async def count(self) -> int:
        """Counts sign-ins that count now.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        async with self._begin() as connection:
            return await self._count(connection, *self._alive())

    async def revoke(self, session_id: str) -> bool:
        """End one, by whoever may; False where none counts by that id.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        return await self._end(col(_TABLE.id) == session_id) > 0

    async def begin_check(self, session_id: str, before: datetime) -> bool:
        """Whether the contract of a sign-in that counts was asked last before a moment: then it counts as asked now, so that one caller asks.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        due = (col(_TABLE.id) == session_id, col(_TABLE.checked_at) <= to_ms(before), *self._alive())
        async with self._begin() as connection:
            asked = update(_TABLE).where(*due).values(checked_at=to_ms(self._clock.now()))
            return (await connection.execute(asked)).rowcount > 0

    async def sign_out(self, holder: str, origin: str, account: AccountId | None = None) -> int:
        """End a browser's sign-ins at a host page: with one account on one network, or all. Returns how many.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        if not holder:
            return 0
        ends = [col(_TABLE.holder) == holder, col(_TABLE.origin) == origin]
        if account is not None:
            ends += [col(_TABLE.chain) == str(account.chain), col(_TABLE.address) == account.address]
        return await self._end(*ends)

    async def purge(self) -> int:
        """Delete what has been over for long; returns how many.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = to_ms(self._clock.now() - self._kept_after)
        over = or_(col(_TABLE.expires_at) <= moment, col(_TABLE.revoked_at) <= moment)
        return await delete_expired(self._engine, _TABLE, over)

    async def _put(self, connection: AsyncConnection, session: SignInSession, holder: str) -> list[Event]:
        """One row, in the place of the browser's earlier one of the same account on the same network at the same page, which ends by it."""
        ended: list[Event] = []
        if holder:
            same = (
                col(_TABLE.holder) == holder,
                col(_TABLE.origin) == session.origin,
                col(_TABLE.revoked_at).is_(None),
            )
            this_account = (col(_TABLE.chain) == session.chain, col(_TABLE.address) == session.address)
            ended = await self._revoke(connection, *same, *this_account)
            if await self._count(connection, *same, self._not_over()) >= MAX_PER_HOLDER:
                raise TooManySignInsError(session.origin)
        await connection.execute(insert(_TABLE).values(**_row(session), holder=holder))
        return ended

    async def _revoke(self, connection: AsyncConnection, *conditions: ColumnElement[bool]) -> list[Event]:
        """Ends rows that are not revoked yet; returns what the log is to say of them."""
        now = self._clock.now()
        which = [col(_TABLE.id), col(_TABLE.chain), col(_TABLE.address), col(_TABLE.origin), col(_TABLE.expires_at)]
        statement = update(_TABLE).where(*conditions).values(revoked_at=to_ms(now)).returning(*which)
        rows = (await connection.execute(statement)).mappings().all()
        ended = [row for row in rows if row["expires_at"] > to_ms(now)]
        return [sign_in_ended(now, row["id"], row["chain"], row["address"], row["origin"]) for row in ended]

    async def _delete_expired(self, connection: AsyncConnection, holder: str) -> None:
        over = or_(col(_TABLE.revoked_at).is_not(None), col(_TABLE.expires_at) <= to_ms(self._clock.now()))
        latest = (col(_TABLE.proven_at).desc(), col(_TABLE.id))
        more = select(col(_TABLE.id)).where(col(_TABLE.holder) == holder, over).order_by(*latest).offset(MAX_OVER)
        await connection.execute(delete(_TABLE).where(col(_TABLE.id).in_(more)))

    def _begin(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return unit_of_work(self._engine)

    def _not_over(self) -> ColumnElement[bool]:
        return col(_TABLE.expires_at) > to_ms(self._clock.now())

    def _alive(self) -> tuple[ColumnElement[bool], ...]:
        return col(_TABLE.revoked_at).is_(None), self._not_over()

    async def _count(self, connection: AsyncConnection, *conditions: ColumnElement[bool]) -> int:
        query = select(func.count()).select_from(_TABLE).where(*conditions)
        return int((await connection.execute(query)).scalar_one())

    async def _end(self, *conditions: ColumnElement[bool]) -> int:
        async with self._begin() as connection:
            ended = await self._revoke(connection, *conditions, *self._alive())
            await write_events(connection, ended, self._clock.now())
        return len(ended)

    async def _select(self, *conditions: ColumnElement[bool], limit: int) -> list[SignInSession]:
        table = table_of(_TABLE)
        query = select(table).where(*conditions).order_by(col(_TABLE.proven_at).desc(), col(_TABLE.id)).limit(limit)
        async with self._begin() as connection:
            return [_read(row) for row in (await connection.execute(query)).mappings().all()]


def _row(session: SignInSession) -> dict[str, object]:
    row = {name: getattr(session, name) for name in session.__slots__}
    return {**row, **{name: to_ms(row[name]) for name in _TIMES if row[name] is not None}}


def _read(row: Any) -> SignInSession:
    values = {name: value for name, value in row.items() if name != "holder"}
    for name in _TIMES:
        if values[name] is not None:
            values[name] = from_ms(values[name])
    return SignInSession(**values)
