"""What the tables have about an account: given out, or erased. Every table stands in `PERSONAL` or in `NOBODYS`."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import blake2b
from typing import Any, Final

from sqlalchemy import ColumnElement, Text, cast, delete, func, insert, or_, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.core.sign_in.message import iso_text
from walletmodal.db.engine import LONG_WORK_SECONDS, unit_of_work
from walletmodal.db.expiry import delete_expired
from walletmodal.db.moments import from_ms, to_ms
from walletmodal.db.tables import (
    Decision,
    Erasure,
    LoggedEvent,
    Permission,
    Recurring,
    Request,
    Resume,
    SignIn,
    SigningKeyRow,
    SponsoredOperation,
)

ERASURE_KEPT: Final = timedelta(days=1)
"""Longer than anything waits to be written."""
_WINDOW: Final = 1000
"""Rows that one transaction looks at."""
_MOST_PASSES: Final = 5

Row = Mapping[str, Any]


def _never(_row: Row, _now: int) -> bool:
    return False


def _is_valid(row: Row, now: int) -> bool:
    return row["revoked_at"] is None and (row["expires_at"] is None or row["expires_at"] > now)


@dataclass(frozen=True, slots=True)
class PersonalData:
    """How a table has to do with accounts.

    Attributes:
        table: with one column as primary key.
        of: the column with the account that a row is about; "" where a row only mentions accounts.
        hidden: columns that an export leaves out: hashes of secrets, and what is the deployment's.
        texts: columns that hold JSON.
        becomes: what an erasure writes into a row, by column, for the moment in ms; None deletes it.
        in_use: whether somebody else's row that mentions the account stays, since they need it yet.
    """

    table: Any
    of: str = ""
    hidden: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    becomes: Callable[[int], dict[str, Any]] | None = None
    in_use: Callable[[Row, int], bool] = field(default=_never)

    @property
    def name(self) -> str:
        """The table's name."""
        return str(self.table.__tablename__)

    def is_about(self, row: Row, spelled: str) -> bool:
        """Whether a row is the account's own, and not another's that mentions it."""
        return bool(self.of) and row[self.of].lower() == spelled.lower()

    def values(self, now: int, *, own: bool) -> dict[str, Any] | None:
        """What an erasure writes; another's row keeps whose it is."""
        found = None if self.becomes is None else self.becomes(now)
        return found if own or found is None else {name: value for name, value in found.items() if name != self.of}


PERSONAL: Final = (
    PersonalData(SignIn, "address", hidden=("holder",), in_use=_is_valid),
    PersonalData(
        Request, "address", hidden=("owner", "signed"), texts=("proposal",), in_use=lambda row, _: not row["settled"]
    ),
    PersonalData(Permission, "address", hidden=("owner",), texts=("granted",), in_use=_is_valid),
    # What was decided stays, without the person.
    PersonalData(
        Decision,
        "address",
        becomes=lambda _: dict.fromkeys(("address", "reason", "summary", "digest", "request"), ""),
    ),
    # Its number stays free: who reads the log goes on behind it. What is not delivered yet is not.
    PersonalData(LoggedEvent, "address", texts=("data",), in_use=lambda row, _: bool(row["due_at"])),
    # It counts for the limits of all, and of the line, until its day is over.
    PersonalData(SponsoredOperation, "account", hidden=("browser", "line"), becomes=lambda _: {"account": ""}),
    # Empty, it is written no more by the session that runs under its id (`ResumeStore`).
    PersonalData(
        Resume,
        texts=("record",),
        becomes=lambda now: {"record": "", "expires_at": now + round(ERASURE_KEPT.total_seconds() * 1000)},
    ),
)
NOBODYS: Final = (SigningKeyRow, Recurring, Erasure)
"""Tables without anything about an account."""


def erasure_key(secret: str, address: str) -> str:
    """What is kept of an erased address, in hex: who reads the table does not learn it without the deployment's secret."""
    key = blake2b(secret.encode(), digest_size=32).digest()
    return blake2b(address.lower().encode(), key=key, digest_size=32).hexdigest()


async def when_erased(connection: AsyncConnection, keys: Collection[str]) -> dict[str, int]:
    """Lists those of some keys of `erasure_key` of which it is known that their addresses were erased, with when that was; in ms."""
    query = select(col(Erasure.key), col(Erasure.at)).where(col(Erasure.key).in_(keys))
    return {row.key: row.at for row in await connection.execute(query)}


class PersonalDataStore:
    """Finds, gives out and erases what there is about an account.

    Args:
        engine: an engine of `open_engine`, disposed of by its owner.
        clock: what moments are written by.
        secret: of the deployment.
        kept: for how long it is known that an account was erased, `ERASURE_KEPT` or more.
    """

    def __init__(self, engine: AsyncEngine, *, clock: Clock, secret: str = "", kept: timedelta = ERASURE_KEPT) -> None:
        self._engine, self._clock, self._secret, self._kept = engine, clock, secret, kept

    async def export(self, address: str) -> dict[str, list[dict[str, Any]]]:
        """Gives out what is about an account, by table; times as ISO 8601. Nothing of others who have dealt with it, and no hash of a secret.

        Args:
            address: in its normal spelling.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        found: dict[str, list[dict[str, Any]]] = {}
        for kind in PERSONAL:
            rows = [row async for window in self._mentions(kind, address) for row in window]
            found[kind.name] = [
                _shown(kind, row) for row in rows if kind.is_about(row, address) or _is_own(row, address)
            ]
        return found

    async def count(self, address: str) -> dict[str, Counter[str]]:
        """Counts what `erase` would do, by table: `removed`, `anonymised`, `kept`.

        Raises:
            SQLAlchemyError, OSError: the database cannot be read.
        """
        return await self._pass(address, really=False)

    async def erase(self, address: str) -> dict[str, Counter[str]]:
        """Erases an account; returns what was done, as `count`. What others need yet is `kept`, and named; it is gone once it is over and this is done again.

        What a worker has not written yet when this is done is written without the account.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written; what was done before stays done.
        """
        row = {"key": erasure_key(self._secret, address), "at": to_ms(self._clock.now())}
        async with unit_of_work(self._engine) as connection:
            await connection.execute(delete(Erasure).where(col(Erasure.key) == row["key"]))
            await connection.execute(insert(Erasure).values(row))
        done = await self._pass(address, really=True)
        for _ in range(_MOST_PASSES):
            # What was on its way meanwhile.
            again = await self._pass(address, really=True)
            for name, counts in again.items():
                done[name].update({what: many for what, many in counts.items() if what != "kept"})
            if not any(counts[what] for counts in again.values() for what in ("removed", "anonymised")):
                break
        return done

    async def purge(self) -> int:
        """Forgets that something was erased, when it was long ago; returns how many.

        Raises:
            SQLAlchemyError, OSError: the database cannot be written.
        """
        moment = to_ms(self._clock.now() - self._kept)
        return await delete_expired(self._engine, Erasure, col(Erasure.at) <= moment)

    async def _pass(self, address: str, *, really: bool) -> dict[str, Counter[str]]:
        now, done = to_ms(self._clock.now()), dict[str, Counter[str]]()
        for kind in PERSONAL:
            counts = done.setdefault(kind.name, Counter())
            async for window in self._mentions(kind, address):
                own = [row for row in window if kind.is_about(row, address)]
                others = [row for row in window if not kind.is_about(row, address)]
                over = [row for row in others if not kind.in_use(row, now)]
                counts["kept"] += len(others) - len(over)
                counts["removed" if kind.becomes is None else "anonymised"] += len(own) + len(over)
                if really:
                    await self._write(kind, own, kind.values(now, own=True))
                    await self._write(kind, over, kind.values(now, own=False))
        return done

    async def _write(self, kind: PersonalData, rows: list[Row], values: dict[str, Any] | None) -> None:
        key = _primary(kind)
        if not rows:
            return
        mine = key.in_([row[key.name] for row in rows])
        async with unit_of_work(self._engine) as connection:
            await connection.execute(
                delete(kind.table).where(mine) if values is None else update(kind.table).where(mine).values(values)
            )

    async def _mentions(self, kind: PersonalData, address: str) -> AsyncIterator[list[Row]]:
        """Rows with the address in any column, whatever its case and without 0x: so it stands in the data of calls. Few at a time, so that none waits for it."""
        table, key = kind.table.__table__, _primary(kind)
        text = address.lower().removeprefix("0x")
        has_it = or_(*(func.lower(cast(one, Text)).contains(text, autoescape=True) for one in table.c))
        after: ColumnElement[bool] | None = None
        while True:
            beyond = select(key).order_by(key).limit(_WINDOW)
            window = (beyond if after is None else beyond.where(after)).subquery()
            async with unit_of_work(self._engine, seconds=LONG_WORK_SECONDS) as connection:
                last = await connection.scalar(select(func.max(window.c[key.name])))
                if last is None:
                    return
                query = select(table).where(has_it, key <= last)
                found = await connection.execute(query if after is None else query.where(after))
                rows: list[Row] = [dict(row) for row in found.mappings()]
            yield rows
            after = key > last


def _primary(kind: PersonalData) -> Any:
    (key,) = kind.table.__table__.primary_key.columns
    return key


def _is_own(row: Row, address: str) -> bool:
    """Whether a resume record is of who has chosen this account: others may have typed its address, and their record is theirs."""
    try:
        chosen = json.loads(row["record"]).get("accounts", {}).values() if "record" in row else ()
        return any(address.lower() in (str(one["first"]).lower(), str(one["address"]).lower()) for one in chosen)
    except (ValueError, AttributeError, KeyError, TypeError):
        return False


def _shown(kind: PersonalData, row: Row) -> dict[str, Any]:
    shown = {name: value for name, value in row.items() if name not in kind.hidden}
    for name, value in shown.items():
        if name in ("at", "until") or name.endswith("_at"):
            shown[name] = None if value is None else iso_text(from_ms(value))
        elif name in kind.texts:
            shown[name] = _read(value)
    return shown


def _read(text: str) -> Any:
    """JSON; what is none, after a release that wrote it in another way, as it stands."""
    try:
        return json.loads(text)
    except ValueError:
        return text
