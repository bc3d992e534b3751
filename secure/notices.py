"""Mails that tell of something that has happened: written down with it, and sent until the relay takes them."""

import asyncio
import logging
import secrets
from contextlib import suppress
from typing import Any, Final, cast

from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from secure.custody.envelope import EnvelopeError, KeyRing, row_id
from secure.db.tables import Notice as Row
from secure.encoding import encode
from secure.login.mails import NoticeKind, Sender, notice_mail, undo_url
from secure.login.smtp import Mailer, MailError
from secure.waiting import first_of
from walletmodal.core.clock import Clock
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms

MOST_TRIES: Final = 10
_CLAIM_MS: Final = 60_000
"""Within which the worker that sends a notice is done with it."""
_AT_A_TIME: Final = 50

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
        mailer: sends.
        sender: how mails call the site.
        clock: what is due is measured with.
    """

    def __init__(self, engine: AsyncEngine, keys: KeyRing, mailer: Mailer, sender: Sender, clock: Clock) -> None:
        self._engine, self._keys, self._mailer, self._sender, self._clock = engine, keys, mailer, sender, clock
        self._new = asyncio.Event()

    async def add(
        self, connection: AsyncConnection, kind: NoticeKind, address: str, detail: str, *, refusal: str = ""
    ) -> None:
        """Writes one down, within the transaction of what it tells of; nothing for who has no address.

        Args:
            connection: of the transaction.
            kind: what has happened.
            address: who is told.
            detail: browser and site.
            refusal: token of the link that undoes it, or "".
        """
        if not address:
            return
        notice, now = encode(secrets.token_bytes(16)), to_ms(self._clock.now())
        sealed = self._keys.seal(address.encode(), address_row(notice))
        link = self._keys.seal(refusal.encode(), refusal_row(notice)) if refusal else None
        row = {
            "id": notice, "kind": kind, "address": sealed, "detail": detail, "refusal": link,
            "at": now, "tries": 0, "due_at": now,
        }  # fmt: skip
        await connection.execute(insert(Row).values(row))

    def send_soon(self) -> None:
        """To be called once the transaction is committed."""
        self._new.set()

    async def run(self, stopping: asyncio.Event, pause: float) -> None:
        """Sends what is due until `stopping`; looks again after `pause` seconds, and when there is something new."""
        while not stopping.is_set():
            self._new.clear()
            try:
                await self.send_due()
            except (SQLAlchemyError, OSError) as error:
                logger.warning("notices could not be read: %s", type(error).__name__)
            await first_of(stopping.wait(), self._new.wait(), self._clock.sleep(pause))

    async def send_due(self) -> None:
        """Sends what is due now. What a transaction has not committed yet is found the next time."""
        query = select(Row).where(col(Row.due_at) <= to_ms(self._clock.now())).limit(_AT_A_TIME)
        async with unit_of_work(self._engine) as connection:
            rows = (await connection.execute(query)).mappings().all()
        for row in rows:
            await self._send(row)

    async def _send(self, row: Any) -> None:
        now = to_ms(self._clock.now())
        claim = (col(Row.id) == row["id"], col(Row.due_at) == row["due_at"])
        later = {"tries": row["tries"] + 1, "due_at": now + _CLAIM_MS * 2 ** min(row["tries"], MOST_TRIES)}
        async with unit_of_work(self._engine) as connection:
            if (await connection.execute(update(Row).where(*claim).values(later))).rowcount != 1:
                return
        with suppress(MailError, EnvelopeError):
            address = self._keys.open(row["address"], address_row(row["id"])).decode()
            kind = cast("NoticeKind", row["kind"])
            link = self._keys.open(row["refusal"], refusal_row(row["id"])).decode() if row["refusal"] else ""
            undo = undo_url(self._sender, kind, link)
            mail = notice_mail(self._sender.name, address, kind, row["detail"], row["at"], undo=undo)
            await self._mailer.send(mail)
            await self._drop(row["id"])
            return
        if row["tries"] + 1 >= MOST_TRIES:
            logger.error("a notice (%s) could not be sent and is given up", row["kind"])
            await self._drop(row["id"])

    async def _drop(self, notice: str) -> None:
        async with unit_of_work(self._engine) as connection:
            await connection.execute(delete(Row).where(col(Row.id) == notice))
