"""`requests tail`: what was decided about requests of host pages, and what became of the transactions on record."""

import argparse
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from walletmodal.config import Settings
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.requests.audit import AuditEntry
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.db.audit import AuditStore
from walletmodal.db.requests import RequestStore
from walletmodal.operator.printing import Printer
from walletmodal.operator.tables import tables

EVERY: Final = 1.0
"""Seconds between two looks."""
COLUMNS: Final = ("at", "kind", "outcome", "method", "account", "origin", "detail", "id", "count")

_START: Final = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that happened.

    Attributes:
        at: when. kind: `decision` or `transaction`. outcome: of `core.requests.audit.Outcome`, or of `core.transfers.transaction_request.TransactionStatus`.
        method: that was asked for. account: CAIP-10, or "". origin: of the host page.
        detail: what was asked, and why it was decided so; or the transaction's hash.
        id: of the entry of the table `requests`, or "". count: how many decisions the line stands for.
    """

    at: datetime
    kind: str
    outcome: str
    method: str
    account: str
    origin: str
    detail: str
    id: str = ""
    count: int = 1


class Tail:
    """Reads both tables, and remembers how far.

    Args:
        decisions: the audit.
        transactions: the record.
    """

    def __init__(self, decisions: AuditStore, transactions: RequestStore) -> None:
        self._decisions, self._transactions = decisions, transactions
        self._number, self._changed = 0, _START
        self._seen: frozenset[str] = frozenset()

    async def last(self, count: int) -> list[Line]:
        """The last lines, the oldest first.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        decided, changed = await self._decisions.latest(limit=count), await self._transactions.latest(limit=count)
        self._note(decided, changed)
        lines = sorted([*map(_of_decision, decided), *map(_of_transaction, changed)], key=lambda line: line.at)
        return lines[-count:]

    async def more(self) -> list[Line]:
        """What came after that, the oldest first.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        decided = await self._decisions.after(self._number)
        # Of the last moment there may be others, which were not written yet.
        changed = [one for one in await self._transactions.changed_since(self._changed) if _mark(one) not in self._seen]
        self._note(decided, changed)
        return sorted([*map(_of_decision, decided), *map(_of_transaction, changed)], key=lambda line: line.at)

    def _note(self, decided: Iterable[AuditEntry], changed: list[TransactionRequest]) -> None:
        self._number = max((one.number for one in decided), default=self._number)
        if changed:
            latest = max(one.changed_at for one in changed)
            at_that_moment = frozenset(_mark(one) for one in changed if one.changed_at == latest)
            self._seen = at_that_moment | (self._seen if latest == self._changed else frozenset())
            self._changed = latest


async def tail(settings: Settings, asked: argparse.Namespace, printer: Printer, *, clock: Clock | None = None) -> bool:
    """Prints them, and with `--follow` goes on."""
    async with tables(settings) as engine:
        reader = Tail(AuditStore(engine), RequestStore(engine))
        async for line in _lines(reader, asked.lines, clock or SystemClock() if asked.follow else None):
            values = [getattr(line, name) for name in COLUMNS]
            if not asked.json and line.count == 1:
                values[-1] = None
            printer.entry(COLUMNS, values)
    return True


async def _lines(reader: Tail, count: int, follows: Clock | None) -> AsyncIterator[Line]:
    for line in await reader.last(count):
        yield line
    while follows is not None:
        await follows.sleep(EVERY)
        for line in await reader.more():
            yield line


def _mark(asked: TransactionRequest) -> str:
    return f"{asked.id} {asked.changed_at.timestamp()}"


def _of_decision(entry: AuditEntry) -> Line:
    account = f"{entry.chain}:{entry.account}" if entry.chain and entry.account else entry.account
    detail = " – ".join(part for part in (entry.summary, entry.reason) if part)
    return Line(
        entry.at, "decision", entry.outcome, entry.method, account, entry.origin, detail, entry.request_id, entry.count
    )


def _of_transaction(asked: TransactionRequest) -> Line:
    proposal = asked.proposal
    detail = " – ".join(part for part in (asked.shown_hash, asked.reason) if part)
    return Line(
        asked.changed_at,
        "transaction",
        asked.status,
        proposal.method,
        f"{proposal.chain}:{proposal.sender}",
        asked.origin,
        detail,
        asked.id,
    )
