"""The resume records: read at a reload, written often, gathered into one transaction every 100 ms."""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any, Final

from pydantic_core import PydanticSerializationError, to_json
from sqlalchemy import and_, or_, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import RecordError
from walletmodal.db.dialects import insert_for
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work, with_timeout
from walletmodal.db.expiry import delete_expired
from walletmodal.db.moments import to_ms
from walletmodal.db.tables import Resume

MAX_RECORD_BYTES: Final = 64 * 1024
FLUSH_SECONDS: Final = 0.1
RECORD_LIFETIME: Final = timedelta(days=30)
MAX_PENDING: Final = 2_000
"""That wait for a database which does not take them."""
_ID_LENGTHS: Final = range(16, 129)
_RETRY_SECONDS: Final = (0.05, 0.2, 1.0, 5.0)
_exact = json.JSONEncoder(allow_nan=False, check_circular=False, separators=(",", ":")).encode

logger = logging.getLogger(__name__)


def resume_key(resume_id: str) -> str:
    """The table's key of a browser's secret resume id.

    Raises:
        RecordError: the id has not 16 to 128 printable ASCII characters.
    """
    if len(resume_id) not in _ID_LENGTHS or not resume_id.isascii() or not resume_id.isprintable():
        raise RecordError("Invalid resume id", details="16 to 128 printable ASCII characters")
    return sha256(resume_id.encode()).hexdigest()


class ResumeStore:
    """Loads and keeps resume records.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what expiry is measured with.
        lifetime: how long a record is kept after its last change.
        flush_seconds: how long changes are gathered.
        most: how many records are kept; None for all.

    Attributes:
        failures: how many transactions failed; their records stay pending and are tried again.
        lost: how many records could not be written before `close`.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        clock: Clock | None = None,
        lifetime: timedelta = RECORD_LIFETIME,
        flush_seconds: float = FLUSH_SECONDS,
        most: int | None = None,
    ) -> None:
        self._engine, self._clock = engine, clock or SystemClock()
        self._lifetime, self._flush_seconds, self._most = lifetime, flush_seconds, most
        self._dirty: dict[str, str] = {}
        self._writing = asyncio.Lock()
        self._writer: asyncio.Task[None] | None = None
        self._closed = False
        self.failures = 0
        self.lost = 0

    @property
    def pending(self) -> int:
        """Counts records that wait to be written."""
        return len(self._dirty)

    async def load(self, resume_id: str) -> dict[str, Any] | None:
        """The record, changes that are not yet written included; None when there is none or it has expired.

        Raises:
            RecordError: the id has the wrong form.
            SQLAlchemyError, OSError: the database cannot be read.
        """
        key = resume_key(resume_id)
        text = self._dirty.get(key)
        if text is None:
            query = select(col(Resume.record)).where(
                col(Resume.id) == key, col(Resume.expires_at) > to_ms(self._clock.now())
            )
            async with unit_of_work(self._engine) as connection:
                found = (await connection.execute(query)).scalar_one_or_none()
            # A change may have come while the database was asked.
            text = self._dirty.get(key, found)
        return _decoded(text) if text else None

    def put(self, resume_id: str, record: Mapping[str, Any] | str) -> None:
        """Keep a record, as `encoded` gives it or not yet; written within about 100 ms, the last one of an id wins. Needs a running event loop.

        Raises:
            RecordError: the id has the wrong form, the record is no JSON or above 64 kB, or too many wait to be written.
            RuntimeError: the store is closed.
        """
        if self._closed:
            raise RuntimeError("the resume store is closed")
        key, text = resume_key(resume_id), record if isinstance(record, str) else encoded(record)
        if len(self._dirty) >= MAX_PENDING and key not in self._dirty:
            raise RecordError("Too many resume records wait to be written")
        self._dirty[key] = text
        self._begin_writing()

    def _begin_writing(self) -> None:
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_until_clean(), name="resume-writer")

    async def flush(self, resume_id: str) -> None:
        """Return once the last record put under the id is durable.

        Raises:
            RecordError: the id has the wrong form.
            SQLAlchemyError, OSError: it could not be written in time; it stays pending.
        """
        key = resume_key(resume_id)
        # A database that hangs would hold up each of those who wait for the one before.
        async with with_timeout(self._engine), self._writing:
            if key in self._dirty:
                await self._write([key])

    async def purge_expired(self, now: datetime | None = None) -> int:
        """Delete what has expired, and of too many records the oldest; returns how many. An empty one, whose account was erased, stays until it expires.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = to_ms(now or self._clock.now())
        expires_at, kept = col(Resume.expires_at), col(Resume.record) != ""
        if self._most is None:
            return await delete_expired(self._engine, Resume, expires_at <= moment)
        async with unit_of_work(self._engine, seconds=LONG_WORK_SECONDS) as connection:
            last = select(expires_at).where(kept).order_by(expires_at.desc()).offset(self._most).limit(1)
            beyond = (await connection.execute(last)).scalar_one_or_none() or 0
        return await delete_expired(self._engine, Resume, or_(expires_at <= moment, and_(kept, expires_at <= beyond)))

    async def write_at_once(self) -> None:
        """Write what is pending, and from now on each change as it comes: its session may go on at another server the next moment."""
        self._flush_seconds = 0.0
        await self._stop_writer()
        await self.write_pending()

    async def write_pending(self) -> None:
        """Write what is pending; what the database does not take stays so."""
        async with self._writing:
            if self._dirty and not await self._try_write(list(self._dirty)):
                self._begin_writing()

    async def close(self) -> None:
        """Write what is pending, once more after a failure, and stop. What still cannot be written is logged and counted as lost."""
        self._closed = True
        await self._stop_writer()
        async with self._writing:
            for _ in range(2):
                if self._dirty and await self._try_write(list(self._dirty)):
                    break
        if self._dirty:
            self.lost += len(self._dirty)
            logger.error("%d resume records were lost: the database did not take them", len(self._dirty))
            self._dirty.clear()

    async def _stop_writer(self) -> None:
        if self._writer is not None:
            async with self._writing:
                # Not in the middle of writing, which would be done twice.
                self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)

    async def _write_until_clean(self) -> None:
        failed = 0
        while self._dirty:
            await asyncio.sleep(
                self._flush_seconds if not failed else _RETRY_SECONDS[min(failed, len(_RETRY_SECONDS)) - 1]
            )
            async with self._writing:
                failed = 0 if not self._dirty or await self._try_write(list(self._dirty)) else failed + 1

    async def _try_write(self, keys: Sequence[str]) -> bool:
        try:
            await self._write(keys)
        except (SQLAlchemyError, OSError):
            return False
        return True

    async def _write(self, keys: Sequence[str]) -> None:
        """One transaction for all keys. A record leaves `_dirty` only when it is durable and has not been put again meanwhile."""
        now = self._clock.now()
        written = {key: self._dirty[key] for key in keys}
        # One order for all workers: two transactions then never wait for each other in a circle.
        rows: list[dict[str, object]] = [
            {"id": key, "record": written[key], "updated_at": to_ms(now), "expires_at": to_ms(now + self._lifetime)}
            for key in sorted(written)
        ]
        try:
            async with unit_of_work(self._engine) as connection:
                await connection.execute(self._upsert, rows)
        except (SQLAlchemyError, OSError) as error:
            self.failures += 1
            logger.warning("writing %d resume records failed: %s", len(rows), type(error).__name__, exc_info=error)
            raise
        for key, text in written.items():
            if self._dirty.get(key) is text:
                del self._dirty[key]

    @cached_property
    def _upsert(self) -> Any:
        """One statement for any number of rows: made anew, it would be compiled anew at every flush."""
        statement = insert_for(self._engine)(Resume)
        new = statement.excluded
        return statement.on_conflict_do_update(
            index_elements=["id"],
            set_={"record": new.record, "updated_at": new.updated_at, "expires_at": new.expires_at},
            # The account of an empty one was erased: its session, which may go on, does not write it back.
            where=col(Resume.record) != "",
        )


def encoded(record: Mapping[str, Any]) -> str:
    """The text of a record.

    Raises:
        RecordError: it is no JSON, or above 64 kB.
    """
    try:
        text = _fast(record) or _exact(record)
    except (TypeError, ValueError, RecursionError) as error:
        raise RecordError("The resume record is not JSON") from error
    if len(text) > MAX_RECORD_BYTES:
        raise RecordError("The resume record is too large", details=f"{len(text)} bytes, at most {MAX_RECORD_BYTES}")
    return text


def _fast(record: Mapping[str, Any]) -> str:
    """The text in a third of the time, or "" where the library's idea of JSON is not ours: half characters, and what is no number."""
    try:
        text: str = to_json(record).decode()
    except PydanticSerializationError:
        return ""
    return "" if "NaN" in text or "Infinity" in text else text


def _decoded(text: str) -> dict[str, Any] | None:
    try:
        record = json.loads(text)
    except ValueError:
        logger.exception("a resume record in the database is not JSON; it is ignored")
        return None
    return record if isinstance(record, dict) else None
