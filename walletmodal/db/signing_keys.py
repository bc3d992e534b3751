"""The keys of sign-in tokens: shared by all workers, the same after a restart, replaced now and then without anybody noticing.

A new key is published before it signs, so that hosts that keep the published set know it by then; an old one stays published until the last
of its tokens is over. Sessions have nothing to do with it: they are on record, and their next token is signed with the next key.
"""

import json
import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.core.sign_in.token_claims import MAX_KEYS, KeyDocument, PublicKey
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.tables import SigningKeyRow, table_of
from walletmodal.services.sign_in.keys import SigningKey, new_key, read_key, written_key

REPLACED_AFTER: Final = timedelta(days=30)
PUBLISHED_AHEAD: Final = timedelta(hours=1)
"""Longer than any host keeps the published set."""
PUBLISHED_AFTER: Final = timedelta(hours=1)
"""Longer than a token lasts, and the clocks of hosts differ."""
KEPT_AFTER: Final = timedelta(days=30)
"""For how long a key stays on record that signs no more."""
READ_EVERY: Final = timedelta(seconds=30)
"""So long a worker goes on with what it has read; after that it knows what others have made or withdrawn."""

_TABLE: Final = SigningKeyRow
_ATTEMPTS: Final = 3

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class KeyOnRecord:
    """A key as operators see it.

    Attributes:
        kid: its name.
        made_at: when it was made; starts_at: when it signs, until the next one does.
        withdrawn: somebody has taken it back.
        readable: SECRET_KEY opens it.
        signs: it is the one that signs now. published: hosts are told of it.
    """

    kid: str
    made_at: datetime
    starts_at: datetime
    withdrawn: bool
    readable: bool
    signs: bool
    published: bool


@dataclass(frozen=True, slots=True)
class _Known:
    """A key of the table. `pair` is None where this deployment's secret does not open it, or it is withdrawn."""

    number: int
    public: PublicKey
    pair: SigningKey | None
    starts_at: int
    made_at: int
    withdrawn: bool


class SigningKeys:
    """Store of the signing keys.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        secret: SECRET_KEY of the deployment, with which they are encrypted; None writes them as they are. A key that it does not open,
            after it has changed or is gone, is only published, and a new one signs.
        clock: what ages are measured with.
        kept_after: how long a key stays on record that signs no more.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        secret: str | None = None,
        clock: Clock | None = None,
        kept_after: timedelta = KEPT_AFTER,
    ) -> None:
        self._engine, self._secret, self._clock, self._kept_after = engine, secret, clock or SystemClock(), kept_after
        self._known: Sequence[_Known] = ()
        self._read_at: datetime | None = None
        # Opening an encrypted key takes long on purpose, so each is opened once.
        self._opened: dict[str, SigningKey | None] = {}

    async def current(self) -> SigningKey:
        """Returns the key that signs now; made when there is none, and its successor when it has become old.

        Raises:
            SignInUnavailableError: the database does not answer.
        """
        for _ in range(_ATTEMPTS):
            known = await self._fresh()
            now = to_ms(self._clock.now())
            usable = [key for key in known if key.pair is not None and not key.withdrawn]
            signing = [key.pair for key in usable if key.starts_at <= now]
            newest = usable[-1] if usable else None
            if not signing or newest is None:
                await self._make(known, now)
            elif newest.starts_at <= now and newest.made_at + _span(REPLACED_AFTER) <= now:
                await self._make(known, now + _span(PUBLISHED_AHEAD))
            if signing and signing[-1] is not None:
                return signing[-1]
        raise SignInUnavailableError("no key could be made")

    async def document(self) -> KeyDocument:
        """Returns what is published: the key that signs, the one that will, and those whose tokens may still be about.

        Raises:
            SignInUnavailableError: the database does not answer.
        """
        await self.current()
        return KeyDocument(keys=[key.public for key in self._published(await self._fresh())])

    async def on_record(self) -> list[KeyOnRecord]:
        """Lists all keys in their order. Nothing is made or changed.

        Raises:
            SignInUnavailableError: the database does not answer.
        """
        known, now = await self._fresh(), to_ms(self._clock.now())
        published = self._published(known)
        signing = [key for key in known if key.pair is not None and key.starts_at <= now]
        return [
            KeyOnRecord(
                key.public["kid"],
                from_ms(key.made_at),
                from_ms(key.starts_at),
                withdrawn=key.withdrawn,
                readable=key.pair is not None,
                signs=key in signing[-1:],
                published=key in published,
            )
            for key in known
        ]

    async def purge(self) -> int:
        """Delete the keys that have been followed by another for long; returns how many.

        Raises:
            SignInUnavailableError, SQLAlchemyError, OSError: the database does not answer.
        """
        before, known = to_ms(self._clock.now() - self._kept_after), await self._fresh()
        last = max((key.number for key in known if key.pair is not None and key.starts_at <= before), default=0)
        over = [key.public["kid"] for key in known if key.number < last]
        if not over:
            return 0
        async with unit_of_work(self._engine, seconds=LONG_WORK_SECONDS) as connection:
            return (await connection.execute(delete(_TABLE).where(col(_TABLE.kid).in_(over)))).rowcount

    async def replace(self) -> None:
        """Make the next key before it is time; it signs as soon as every host can know it.

        Raises:
            SignInUnavailableError: the database does not answer.
        """
        await self.current()
        await self._make(await self._fresh(), to_ms(self._clock.now() + PUBLISHED_AHEAD))

    async def withdraw(self, kid: str) -> bool:
        """Take a key back that somebody else may have: it signs no more, is no longer published, and its private part is deleted.

        Workers know within 30 seconds; hosts as soon as they read the published set again. False where there is no such key.

        Raises:
            SignInUnavailableError: the database does not answer.
        """
        statement = (
            update(_TABLE)
            .where(col(_TABLE.kid) == kid, col(_TABLE.withdrawn_at).is_(None))
            .values(withdrawn_at=to_ms(self._clock.now()), private="")
        )
        try:
            async with self._begin() as connection:
                changed = (await connection.execute(statement)).rowcount
        except (SQLAlchemyError, OSError) as error:
            raise SignInUnavailableError(type(error).__name__) from error
        self._read_at = None
        return changed > 0

    def _published(self, known: Sequence[_Known]) -> list[_Known]:
        """Lists keys that are neither withdrawn nor long followed by one that signs."""
        now = to_ms(self._clock.now())
        started = [key for key in known if key.pair is not None]
        published: list[_Known] = []
        for key in known:
            followed = next((later.starts_at for later in started if later.number > key.number), None)
            if not key.withdrawn and (followed is None or now < followed + _span(PUBLISHED_AFTER)):
                published.append(key)
        return published[-MAX_KEYS:]

    async def _fresh(self) -> Sequence[_Known]:
        """The keys in their order, as they were not long ago."""
        now = self._clock.now()
        if self._read_at is None or not self._read_at <= now < self._read_at + READ_EVERY:
            table = table_of(_TABLE)
            try:
                async with self._begin() as connection:
                    rows = (await connection.execute(select(table).order_by(col(_TABLE.number)))).all()
            except (SQLAlchemyError, OSError) as error:
                # Whoever asks for the published keys would write a traceback each time.
                logger.warning("the keys of sign-in tokens could not be read: %s", type(error).__name__)
                raise SignInUnavailableError(type(error).__name__) from error
            self._known, self._read_at = [self._read(row) for row in rows], now
        return self._known

    def _read(self, row: Row[Any]) -> _Known:
        withdrawn = row.withdrawn_at is not None
        if row.kid not in self._opened:
            self._opened[row.kid] = read_key(row.private, self._secret)
            if self._opened[row.kid] is None and not withdrawn:
                logger.warning("SECRET_KEY does not open the signing key %s; another one signs", row.kid)
        pair = None if withdrawn else self._opened[row.kid]
        return _Known(row.number, json.loads(row.public), pair, row.starts_at, row.made_at, withdrawn)

    async def _make(self, known: Sequence[_Known], starts_at: int) -> None:
        """A new key, unless another worker makes one at this moment; read again in either case."""
        key = new_key()
        row = {
            "kid": key.kid,
            "number": known[-1].number + 1 if known else 1,
            "private": written_key(key, self._secret),
            "public": json.dumps(key.public),
            "made_at": to_ms(self._clock.now()),
            "starts_at": starts_at,
            "withdrawn_at": None,
        }
        try:
            async with self._begin() as connection:
                await connection.execute(insert(_TABLE).values(**row))
        except IntegrityError:
            logger.info("another worker has made the next signing key")
        except (SQLAlchemyError, OSError) as error:
            raise SignInUnavailableError(type(error).__name__) from error
        self._read_at = None

    def _begin(self) -> AbstractAsyncContextManager[AsyncConnection]:
        return unit_of_work(self._engine)


def _span(length: timedelta) -> int:
    return round(length.total_seconds() * 1000)
