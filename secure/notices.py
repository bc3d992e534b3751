"""Mails that tell of something that has happened: written down with it, and sent until the relay takes them.

Somebody who has a session can have as much happen as they like. So of one address the first of a kind in a day is told at once, and so are a few
others in an hour; what comes beyond is told together, in one mail an hour. Nothing is left out.
"""

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import Any, Final, cast

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.core.language.localized import say
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.custody.envelope import EnvelopeError, KeyRing, row_id
from walletmodal.secure.db.tables import Notice as Row
from walletmodal.secure.encoding import encode
from walletmodal.secure.login.addresses import DAY_MS, HOUR_MS
from walletmodal.secure.login.mails import Sender
from walletmodal.secure.login.notice_mails import Happening, NoticeKind, gathered_mail, notice_mail, undo_url
from walletmodal.secure.login.smtp import Mail, Mailer, MailError
from walletmodal.secure.pepper import Pepper
from walletmodal.secure.periodic import attempt
from walletmodal.secure.users import Account
from walletmodal.secure.waiting import first_of

MOST_TRIES: Final = 10
MOST_AT_ONCE: Final = 5
"""Within an hour to one address, besides the first of each kind."""
_CLAIM_MS: Final = 60_000
"""Within which the worker that sends a notice is done with it."""
_AT_A_TIME: Final = 50
_MAX_DETAIL: Final = 255

logger = logging.getLogger(__name__)


def address_row(notice: str) -> str:
    """The row of a notice's address, for the envelope."""
    return row_id("notices", notice, "address")


def refusal_row(notice: str) -> str:
    """The row of the token of a notice's link."""
    return row_id("notices", notice, "refusal")


class Notices:
    """Writes notices down, and sends what is due.

    Args:
        engine: of the site's database.
        keys: seal addresses.
        pepper: under which the mails to an address are counted.
        mailer: sends.
        sender: how mails call the site.
        clock: what is due is measured with.
    """

    def __init__(
        self, engine: AsyncEngine, clock: Clock, *, keys: KeyRing, pepper: Pepper, mailer: Mailer, sender: Sender
    ) -> None:
        self._engine, self._clock, self._keys, self._pepper = engine, clock, keys, pepper
        self._mailer, self._sender = mailer, sender
        self._new = asyncio.Event()

    async def add(
        self, connection: AsyncConnection, kind: NoticeKind, account: Account, detail: str, *, refusal: str = ""
    ) -> None:
        """Writes one down, within the transaction of what it tells of; nothing for who has no address.

        Args:
            connection: of the transaction.
            kind: what has happened.
            account: who is told.
            detail: browser and site.
            refusal: token of the link that undoes it, or "".
        """
        if not account.address:
            return
        now, key = to_ms(self._clock.now()), self._pepper.address_key(account.address)
        gathered_until = await _gathered_until(connection, key, kind, now)
        spoken = await self._sender.languages.load(account.language)
        latest = {"detail": say(detail, spoken.other)[:_MAX_DETAIL], "at": now, "language": account.language}
        if gathered_until is not None and await self._count(connection, key, kind, latest, refusal):
            return
        notice = encode(secrets.token_bytes(16))
        row = {
            "id": notice, "kind": kind, "address": self._keys.seal(account.address.encode(), address_row(notice)), "address_key": key,
            "refusal": self._sealed(refusal, notice), "gathered": gathered_until is not None, "tries": 0,
            "due_at": gathered_until or now,
        }  # fmt: skip
        await connection.execute(insert(Row).values(row | latest))

    async def _count(
        self, connection: AsyncConnection, key: str, kind: NoticeKind, latest: dict[str, Any], refusal: str
    ) -> bool:
        """Counts it with those of its kind that wait to be told together; False where none does."""
        same = (*_gathering(key), col(Row.kind) == kind)
        notice = await connection.scalar(select(col(Row.id)).where(*same))
        if notice is None:
            return False
        link = {"refusal": self._sealed(refusal, notice)} if refusal else {}
        values = {"times": col(Row.times) + 1, **latest, **link}
        counting = update(Row).where(*same, col(Row.id) == notice).values(values)
        return bool((await connection.execute(counting)).rowcount)

    def _sealed(self, refusal: str, notice: str) -> bytes | None:
        return self._keys.seal(refusal.encode(), refusal_row(notice)) if refusal else None

    def send_soon(self) -> None:
        """To be called once the transaction is committed."""
        self._new.set()

    async def run(self, stopping: asyncio.Event, pause: float) -> None:
        """Sends what is due until `stopping`; looks again after `pause` seconds, and when there is something new."""
        while not stopping.is_set():
            self._new.clear()
            await attempt(self.send_due, "notices could not be sent")
            await first_of(stopping.wait(), self._new.wait(), self._clock.sleep(pause))

    async def send_due(self) -> None:
        """Sends what is due now. What a transaction has not committed yet is found the next time."""
        due = (~col(Row.sent), col(Row.due_at) <= to_ms(self._clock.now()))
        async with unit_of_work(self._engine) as connection:
            rows = (await connection.execute(select(Row).where(*due).limit(_AT_A_TIME))).mappings().all()
        for row in rows:
            await self._send(row)

    async def _send(self, row: Any) -> None:
        claimed = await self._claim(row)
        if not claimed:
            return
        with suppress(MailError, EnvelopeError):
            await self._mailer.send(await self._mail(claimed))
            # Who was told of what is nobody's business any more.
            await self._change(claimed, update(Row).values(sent=True, address=b"", detail="", refusal=None))
            return
        if row["tries"] + 1 >= MOST_TRIES:
            logger.error("a notice (%s) could not be sent and is given up", row["kind"])
            await self._change(claimed, delete(Row))

    async def _claim(self, row: Any) -> list[Any]:
        """Takes a notice, with those that are told together with it; none where another worker has."""
        together = (col(Row.address_key) == row["address_key"], col(Row.gathered))
        mine = together if row["gathered"] else (col(Row.id) == row["id"],)
        now = to_ms(self._clock.now())
        later = {"tries": row["tries"] + 1, "due_at": now + _CLAIM_MS * 2 ** min(row["tries"], MOST_TRIES)}
        claiming = update(Row).where(*mine, ~col(Row.sent), col(Row.due_at) == row["due_at"]).values(later)
        async with unit_of_work(self._engine) as connection:
            return list((await connection.execute(claiming.returning(Row))).mappings().all())

    async def _mail(self, rows: list[Any]) -> Mail:
        address = self._keys.open(rows[0]["address"], address_row(rows[0]["id"])).decode()
        found = [self._happening(row) for row in rows]
        if len(found) == 1 and found[0].times == 1:
            letter = notice_mail(self._sender.name, address, found[0])
        else:
            letter = gathered_mail(self._sender.name, address, sorted(found, key=lambda one: one.at))
        newest = max(rows, key=lambda row: row["at"])
        return letter.said_in(await self._sender.languages.load(newest["language"]))

    def _happening(self, row: Any) -> Happening:
        kind = cast("NoticeKind", row["kind"])
        link = self._keys.open(row["refusal"], refusal_row(row["id"])).decode() if row["refusal"] else ""
        undo = undo_url(self._sender, kind, link)
        return Happening(kind, row["detail"], row["at"], times=row["times"], undo=undo)

    async def _change(self, rows: list[Any], statement: Any) -> None:
        async with unit_of_work(self._engine) as connection:
            await connection.execute(statement.where(col(Row.id).in_([row["id"] for row in rows])))


def _gathering(key: str) -> tuple[Any, ...]:
    """Those of an address that are gathered and not on their way yet."""
    return (col(Row.address_key) == key, col(Row.gathered), ~col(Row.sent), col(Row.tries) == 0)


async def _gathered_until(connection: AsyncConnection, key: str, kind: NoticeKind, now: int) -> int | None:
    """When an address is told of something of a kind, together with what else is gathered; None for at once."""
    query = select(col(Row.kind), col(Row.at), col(Row.gathered))
    lately = (await connection.execute(query.where(col(Row.address_key) == key, col(Row.at) > now - DAY_MS))).all()
    in_the_hour = sum(at > now - HOUR_MS for _, at, gathered in lately if not gathered)
    if in_the_hour < MOST_AT_ONCE or all(kind != other for other, _, _ in lately):
        return None
    begun: int | None = await connection.scalar(select(func.min(col(Row.due_at))).where(*_gathering(key)))
    return now + HOUR_MS if begun is None else begun
