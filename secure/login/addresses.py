"""Limits of one address, whether or not anyone has an account with it: a mail in 30 s, 8 an hour, 10 a day, and none while it is frozen."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from secure.db.tables import AddressRecord as Row
from secure.errors import CallError

COOLDOWN_MS: Final = 30_000
HOUR_MS, DAY_MS = 3_600_000, 86_400_000
MOST_AN_HOUR: Final = 8
MOST_A_DAY: Final = 10
SUSPICIOUS_MS: Final = DAY_MS
FREEZE_MS: Final = DAY_MS
_KEPT: Final = 16


@dataclass(frozen=True, slots=True)
class Standing:
    """What may be done for an address now.

    Attributes:
        may_send: within its limits, and not frozen.
        suspicious: wrong codes have ended an attempt within a day.
        counted: under which key.
        before: `asked_at` and `sent` of before, for `take_back`.
    """

    may_send: bool
    suspicious: bool
    counted: str
    before: tuple[int, str]


async def ask(connection: AsyncConnection, key: str, now: int, *, counted: str) -> Standing:
    """Counts a mail that is asked for. The row is locked until the end of the transaction.

    Args:
        connection: of the transaction.
        key: of the address.
        now: in ms.
        counted: under which key; another than the address's for a device that has its wallet.

    Raises:
        CallError: 429 `cooldown`.
    """
    row = await locked(connection, counted)
    wait = row["asked_at"] + COOLDOWN_MS - now
    if wait > 0:
        seconds = -(-wait // 1000)
        raise CallError(429, "cooldown", f"Please try again after {seconds} seconds", retryAfter=seconds)
    sent = _moments(row["sent"], now)
    lately = sum(now - moment < HOUR_MS for moment in sent)
    may_send = len(sent) < MOST_A_DAY and lately < MOST_AN_HOUR and not await frozen_until(connection, key, now)
    values = {"asked_at": now, "sent": _text([*sent, now]) if may_send else row["sent"]}
    await connection.execute(update(Row).where(col(Row.key) == counted).values(values))
    return Standing(may_send, now - row["killed_at"] < SUSPICIOUS_MS, counted, (row["asked_at"], row["sent"]))


async def take_back(connection: AsyncConnection, standing: Standing) -> None:
    """The mail could not be sent: the next may follow at once."""
    asked_at, sent = standing.before
    await connection.execute(update(Row).where(col(Row.key) == standing.counted).values(asked_at=asked_at, sent=sent))


async def count_sent(connection: AsyncConnection, key: str, now: int) -> None:
    """Counts a mail that nobody had to ask for: the code after an approved device."""
    row = await locked(connection, key)
    sent = _text([*_moments(row["sent"], now), now])
    await connection.execute(update(Row).where(col(Row.key) == key).values(asked_at=now, sent=sent))


async def frozen_until(connection: AsyncConnection, key: str, now: int) -> int | None:
    """Until when an address is frozen, or None."""
    until = await connection.scalar(select(col(Row.frozen_until)).where(col(Row.key) == key))
    return until if until is not None and until > now else None


async def mark_killed(connection: AsyncConnection, key: str, now: int) -> None:
    """Wrong codes have ended an attempt."""
    await connection.execute(update(Row).where(col(Row.key) == key).values(killed_at=now))


async def freeze(connection: AsyncConnection, key: str, now: int) -> int:
    """Freezes an address for a day; returns until when."""
    row = await locked(connection, key)
    until: int = max(now + FREEZE_MS, row["frozen_until"])
    await connection.execute(update(Row).where(col(Row.key) == key).values(frozen_until=until))
    return until


async def locked(connection: AsyncConnection, key: str) -> Any:
    """The row of an address, made where there is none; nobody else changes it until the end of the transaction."""
    insert = postgresql_insert if connection.dialect.name == "postgresql" else sqlite_insert
    new = {"key": key, "asked_at": 0, "sent": "", "killed_at": 0, "frozen_until": 0}
    # Takes SQLite's write lock, also where the row is there.
    await connection.execute(insert(Row).values(new).on_conflict_do_nothing(index_elements=["key"]))
    found = await connection.execute(select(Row).where(col(Row.key) == key).with_for_update())
    return found.mappings().one()


def _moments(text: str, now: int) -> list[int]:
    return [moment for moment in map(int, filter(None, text.split(","))) if now - moment < DAY_MS]


def _text(moments: list[int]) -> str:
    return ",".join(map(str, moments[-_KEPT:]))
