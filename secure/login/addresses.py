"""Limits of one address, whether or not anyone has an account with it.

Of each network that asks, and of each device that has the address's wallet: a mail in 30 s, 8 an hour, 10 a day. Of all networks together 50 a day,
so that one of them does not lock the owner out. Wrong codes of all networks: 50 a day. None while the address is frozen.
"""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import bindparam, select, update
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import col

from walletmodal.core.wallets.refusals import cooldown
from walletmodal.db.dialects import insert_for
from walletmodal.secure.db.tables import AddressRecord as Row
from walletmodal.secure.errors import CallError

COOLDOWN_MS: Final = 30_000
HOUR_MS, DAY_MS = 3_600_000, 86_400_000
MOST_AN_HOUR: Final = 8
MOST_A_DAY: Final = 10
MOST_A_DAY_OF_ALL: Final = 50
MOST_WRONG_CODES: Final = 50
"""In a day, over all attempts of strangers' devices: 5e-5 for six digits."""
SUSPICIOUS_WRONG_CODES: Final = 10
SUSPICIOUS_MS: Final = DAY_MS
FREEZE_MS: Final = DAY_MS
_KEPT: Final = 64
_LOCK: Final = select(Row).where(col(Row.key) == bindparam("of_key")).with_for_update()


@dataclass(frozen=True, slots=True)
class Standing:
    """What may be done for an address now.

    Attributes:
        may_send: within its limits, and not frozen.
        suspicious: within a day wrong codes have ended an attempt, or there were many.
        before: key, `asked_at` and `sent` of before of each row that has counted it, for `take_back`.
    """

    may_send: bool
    suspicious: bool
    before: tuple[tuple[str, int, str], ...]


async def ask(connection: AsyncConnection, key: str, now: int, *, counted: str, known: bool) -> Standing:
    """Counts a mail that is asked for. The rows are locked until the end of the transaction.

    Args:
        connection: of the transaction.
        key: of the address.
        now: in ms.
        counted: under which key: of the network that asks, or of a known device.
        known: the device has the address's wallet; others can neither use up what it may ask for, nor make it suspicious.

    Raises:
        CallError: 429 `cooldown`.
    """
    # Always in this order, so that two transactions do not wait for each other.
    whole = await locked(connection, key)
    row = await locked(connection, counted)
    wait = row["asked_at"] + COOLDOWN_MS - now
    if wait > 0:
        seconds = -(-wait // 1000)
        raise CallError(429, "cooldown", cooldown(seconds), retryAfter=seconds)
    sent, of_all = _moments(row["sent"], now), _moments(whole["sent"], now)
    lately = sum(now - moment < HOUR_MS for moment in sent)
    may_send = len(sent) < MOST_A_DAY and lately < MOST_AN_HOUR and whole["frozen_until"] <= now
    may_send = may_send and (known or len(of_all) < MOST_A_DAY_OF_ALL)
    rows = [(row, sent)] if known else [(row, sent), (whole, of_all)]
    for counting, moments in rows:
        values = {"asked_at": now, "sent": _text([*moments, now]) if may_send else counting["sent"]}
        await connection.execute(update(Row).where(col(Row.key) == counting["key"]).values(values))
    killed = now - whole["killed_at"] < SUSPICIOUS_MS
    suspicious = not known and (killed or len(_moments(whole["wrong"], now)) >= SUSPICIOUS_WRONG_CODES)
    return Standing(may_send, suspicious, tuple((one["key"], one["asked_at"], one["sent"]) for one, _ in rows))


async def take_back(connection: AsyncConnection, standing: Standing) -> None:
    """The mail could not be sent: the next may follow at once."""
    for key, asked_at, sent in standing.before:
        await connection.execute(update(Row).where(col(Row.key) == key).values(asked_at=asked_at, sent=sent))


async def may_try(connection: AsyncConnection, key: str, now: int, *, wrong: bool) -> bool:
    """Whether a code counts: False where so many were wrong within a day that no further one does. Counts one that is `wrong`.

    The row is locked from before it is read until the end of the transaction, which must have written already, so that guesses at the same moment count too.
    """
    found = await connection.execute(_LOCK, {"of_key": key})
    # Whoever has asked for the code has made it.
    row = found.mappings().first() or await locked(connection, key)
    before = _moments(row["wrong"], now)
    if len(before) >= MOST_WRONG_CODES:
        return False
    if wrong:
        values = {"asked_at": now, "wrong": _text([*before, now])}
        await connection.execute(update(Row).where(col(Row.key) == key).values(values))
    return True


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
    new = {"key": key, "asked_at": 0, "sent": "", "wrong": "", "killed_at": 0, "frozen_until": 0}
    # Takes SQLite's write lock, also where the row is there.
    await connection.execute(insert_for(connection)(Row).on_conflict_do_nothing(index_elements=["key"]), new)
    found = await connection.execute(_LOCK, {"of_key": key})
    return found.mappings().one()


def _moments(text: str, now: int) -> list[int]:
    return [moment for moment in map(int, filter(None, text.split(","))) if now - moment < DAY_MS]


def _text(moments: list[int]) -> str:
    return ",".join(map(str, moments[-_KEPT:]))
