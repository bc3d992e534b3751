"""The audit of what host pages have asked for: gathered in memory, written within a second, bounded whatever anybody asks.

What a wallet is asked for, and what it or the visitor has answered, is written before anything comes of it: a worker may be killed. Nobody
waits for the rest, nor for a database that is away, and a flood does not fill it: of refusals alike (same outcome, page, network, account, method and reason)
a worker writes the first of a minute at once, and the others of that minute as one row with their count. So does it with everything
beyond 600 rows a minute, and beyond 100 kinds a minute they are one row for each outcome. What was approved, signed or sent is no part of that: it has
a row of its own, up to 6,000 a minute, and room of its own among the rows that wait for the database. Rows are deleted by age, and beyond a number.

A decision with a key is one row, whoever writes it how often: its event's id, which is unique in the log, is made of the key.
"""

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from prometheus_client import Counter
from sqlalchemy import insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.requests.audit import AuditEntry, Outcome
from walletmodal.core.webhooks.event import event_id_of, new_event_id, request_decided
from walletmodal.db.dialects import storable
from walletmodal.db.engine import unit_of_work
from walletmodal.db.events import which_are_written, write_events
from walletmodal.db.expiry import delete_old
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.personal_data import erasure_key, when_erased
from walletmodal.db.tables import Decision, table_of

AUDIT_LIFETIME: Final = timedelta(days=90)
WINDOW: Final = timedelta(minutes=1)
MAX_SINGLE: Final = 600
"""Rows of a window that stand for one decision each."""
MAX_APPROVED: Final = 6_000
"""The same of what was approved, signed or sent, more than a worker can do."""
MAX_KINDS: Final = 100
MAX_PENDING: Final = 2_000
"""Rows that wait for the database; `MAX_APPROVED` more of what was approved, signed or sent."""
MAX_LISTED: Final = 500
SAVE_SECONDS: Final = 2.0
"""How long an event waits for the database."""
_FLUSH_SECONDS: Final = 1.0
_RETRY_SECONDS: Final = 5.0
_END_SECONDS: Final = 5.0
"""How long a process that ends writes."""
_BATCH: Final = 1_000
"""Rows that are written at once."""
_EACH: Final[frozenset[Outcome]] = frozenset(
    {"allowed", "confirmed", "signed", "declined", "denied", "rejected", "aborted"}
)
"""What has a row of its own, as long as there is room."""
_APPROVED: Final[frozenset[Outcome]] = frozenset({"confirmed", "signed"})
_AT_ONCE: Final[frozenset[Outcome]] = frozenset({"allowed", "confirmed", "signed", "declined", "rejected"})
"""What is written before anything comes of it."""

_LOST: Final = Counter("walletmodal_audit_lost", "Decisions that the database did not take.")

_TABLE: Final = Decision
_LENGTHS: Final = {
    "origin": 255,
    "chain": 64,
    "account": 128,
    "method": 64,
    "reason": 300,
    "summary": 300,
    "request_id": 64,
}

_Kind = tuple[str, ...]

logger = logging.getLogger(__name__)


class _Noted(NamedTuple):
    """A row that waits for the database, and the id of its event, which is the same however often both are written."""

    entry: AuditEntry
    event_id: str


class AuditStore:
    """Writes and lists audit entries.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what minutes and ages are measured with.
        lifetime: how long a row is kept.
        max_rows: how many rows are kept, about; None for all.
        secret: of the deployment; with it an account is recognized that was erased.

    Attributes:
        lost: how many decisions could not be written.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        *,
        clock: Clock | None = None,
        lifetime: timedelta = AUDIT_LIFETIME,
        max_rows: int | None = None,
        secret: str = "",
    ) -> None:
        self._engine, self._clock, self._secret = engine, clock or SystemClock(), secret
        self._lifetime, self._max_rows = lifetime, max_rows
        self._rows: list[_Noted] = []
        self._kinds: dict[_Kind, AuditEntry | None] = {}
        self._window: datetime | None = None
        self._singles = self._approved = 0
        self._writing = asyncio.Lock()
        self._writer: asyncio.Task[None] | None = None
        self._saving: set[asyncio.Task[None]] = set()
        self._is_away = False
        self.lost = 0

    def note(self, entry: AuditEntry) -> None:
        """Queues a decision; it is written within a second, or with its minute. Needs a running event loop."""
        self._turn_window()
        if _is_approved(entry) and self._approved < MAX_APPROVED:
            self._approved += 1
            self._wait_for_the_database(entry)
        elif entry.outcome in _EACH and not _is_approved(entry) and self._singles < MAX_SINGLE:
            self._singles += 1
            self._wait_for_the_database(entry)
        else:
            self._gather(entry)
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write_until_clean(), name="audit-writer")

    async def save(self, entry: AuditEntry) -> None:
        """Queues a decision, and waits until it is written where something comes of it; not longer than `SAVE_SECONDS`, nor for a database that is away."""
        self.note(entry)
        if entry.outcome not in _AT_ONCE or self._is_away:
            return
        saving = asyncio.create_task(self._save(), name="audit-save")
        self._saving.add(saving)
        saving.add_done_callback(self._saving.discard)
        await asyncio.wait([saving], timeout=SAVE_SECONDS)

    async def flush(self) -> None:
        """Writes all that was queued, the running minute included.

        Raises:
            SQLAlchemyError, OSError: the database did not take it; it is tried again later.
        """
        self._end_window()
        async with self._writing:
            await self._write()

    async def latest(self, *, address: str = "", origin: str = "", limit: int = MAX_LISTED) -> list[AuditEntry]:
        """Lists what was written last, the newest first.

        Args:
            address: only of this account.
            origin: only of this host page.
            limit: at most 500.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        wanted = [col(_TABLE.address) == address] if address else []
        wanted += [col(_TABLE.origin) == origin] if origin else []
        return await self._select(*wanted, order=col(_TABLE.number).desc(), limit=limit)

    async def after(self, number: int, *, limit: int = MAX_LISTED) -> list[AuditEntry]:
        """Lists what was written after an entry, the oldest first: for those who follow it.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        return await self._select(col(_TABLE.number) > number, order=col(_TABLE.number), limit=limit)

    async def purge(self) -> int:
        """Delete what is too old or too much; returns how many rows.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = to_ms(self._clock.now() - self._lifetime)
        return await delete_old(self._engine, _TABLE, col(_TABLE.until) <= moment, most=self._max_rows)

    async def close(self) -> None:
        """Write what is unwritten, and stop. What the database does not take is logged and counted as lost."""
        if self._writer is not None:
            async with self._writing:
                # Not in the middle of writing, which would be done twice.
                self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        await asyncio.gather(*self._saving)
        with contextlib.suppress(SQLAlchemyError, OSError):
            async with asyncio.timeout(_END_SECONDS):
                await self.flush()
        if self._rows:
            lost = sum(noted.entry.count for noted in self._rows)
            logger.error("%d decisions were lost to the audit: the database did not take them", lost)
            self._count_lost(lost)
            self._rows.clear()

    def _turn_window(self) -> None:
        now = self._clock.now()
        if self._window is None or now - self._window >= WINDOW:
            self._end_window()
            self._window = now

    def _end_window(self) -> None:
        for gathered in self._kinds.values():
            if gathered is not None:
                self._wait_for_the_database(gathered)
        self._kinds.clear()
        self._singles = self._approved = 0
        self._window = None

    def _gather(self, entry: AuditEntry) -> None:
        kind: _Kind = (entry.outcome, entry.origin, entry.chain, entry.account, entry.method, entry.reason)
        if kind not in self._kinds and len(self._kinds) >= MAX_KINDS:
            kind = (entry.outcome,)
            entry = AuditEntry(entry.at, entry.outcome, "*", reason="of many kinds")
        elif kind not in self._kinds:
            self._kinds[kind] = None
            self._wait_for_the_database(entry)
            return
        known = self._kinds.get(kind)
        if known is None:
            # Only what all of them have in common.
            self._kinds[kind] = replace(entry, summary="", digest="", request_id="", until=entry.at)
        else:
            self._kinds[kind] = replace(known, count=known.count + entry.count, until=entry.at)

    def _wait_for_the_database(self, entry: AuditEntry) -> None:
        if len(self._rows) < MAX_PENDING + (MAX_APPROVED if _is_approved(entry) else 0):
            self._rows.append(_Noted(_cut(entry), event_id_of(entry.key) if entry.key else new_event_id()))
        else:
            if not self.lost:
                logger.error("decisions are lost to the audit: the database does not take them")
            self._count_lost(entry.count)

    def _count_lost(self, count: int) -> None:
        self.lost += count
        _LOST.inc(count)

    async def _write_until_clean(self) -> None:
        while self._rows or self._kinds:
            await asyncio.sleep(_FLUSH_SECONDS)
            if self._window is None or self._clock.now() - self._window >= WINDOW:
                self._end_window()
            async with self._writing:
                await self._try_to_write()
            if self._is_away:
                await asyncio.sleep(_RETRY_SECONDS)

    async def _save(self) -> None:
        async with self._writing:
            # Of many who wait for a database that is silent not each tries once more.
            if not self._is_away:
                await self._try_to_write()

    async def _try_to_write(self) -> None:
        """Needs the lock, as `_write` does."""
        try:
            await self._write()
        except (SQLAlchemyError, OSError) as error:
            self._is_away = True
            logger.warning("decisions could not be written: %s; they are tried again", type(error).__name__)
        else:
            self._is_away = False

    async def _write(self) -> None:
        left = len(self._rows)
        # Not what comes meanwhile: others wait for what they have queued.
        while left:
            written = self._rows[: min(left, _BATCH)]
            await self._write_batch(written)
            del self._rows[: len(written)]
            left -= len(written)

    async def _write_batch(self, written: Sequence[_Noted]) -> None:
        async with unit_of_work(self._engine) as connection:
            # A commit may have been done that was reported as failed, and an event that is done again has decided the same before.
            done = await which_are_written(connection, [noted.event_id for noted in written])
            keys = {noted.entry.account: erasure_key(self._secret, noted.entry.account) for noted in written}
            erased = await when_erased(connection, keys.values())
            new = {
                event_id: _without(entry, erased.get(keys[entry.account], 0))
                for entry, event_id in written
                if event_id not in done
            }
            if new:
                await connection.execute(insert(_TABLE), [_row(entry) for entry in new.values()])
                events = [request_decided(entry, event_id) for event_id, entry in new.items()]
                await write_events(connection, events, self._clock.now())

    async def _select(self, *conditions: Any, order: Any, limit: int) -> list[AuditEntry]:
        table = table_of(_TABLE)
        query = select(table).where(*conditions).order_by(order).limit(min(limit, MAX_LISTED))
        async with unit_of_work(self._engine) as connection:
            return [_read(row) for row in (await connection.execute(query)).mappings().all()]


def _is_approved(entry: AuditEntry) -> bool:
    """Whether others must not keep it from having a row: what is sent is in no `signed` one."""
    return entry.outcome in _APPROVED or bool(entry.request_id)


def _without(entry: AuditEntry, erased_at: int) -> AuditEntry:
    """An entry of before its account was erased says nothing of it."""
    if erased_at < to_ms(entry.at):
        return entry
    return replace(entry, account="", reason="", summary="", digest="", request_id="")


def _cut(entry: AuditEntry) -> AuditEntry:
    """The entry as the table takes it: one that it does not take would hold up the others for good."""
    cut: dict[str, Any] = {name: storable(getattr(entry, name)[:most]) for name, most in _LENGTHS.items()}
    return replace(entry, **cut)


def _row(entry: AuditEntry) -> dict[str, object]:
    return {
        "at": to_ms(entry.at),
        "until": to_ms(entry.until or entry.at),
        "count": entry.count,
        "decision": entry.outcome,
        "digest": entry.digest,
        "origin": entry.origin,
        "chain": entry.chain,
        "address": entry.account,
        "method": entry.method,
        "reason": entry.reason,
        "summary": entry.summary,
        "request": entry.request_id,
    }


def _read(row: Any) -> AuditEntry:
    return AuditEntry(
        at=from_ms(row["at"]),
        outcome=row["decision"],
        method=row["method"],
        origin=row["origin"],
        chain=row["chain"],
        account=row["address"],
        reason=row["reason"],
        summary=row["summary"],
        digest=row["digest"],
        request_id=row["request"],
        count=row["count"],
        until=from_ms(row["until"]),
        number=row["number"],
    )
