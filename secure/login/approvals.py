"""Logins that the owner of an address approves by the link of a mail, before a code is sent; and changes of the address."""

import asyncio
import secrets
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import Clock
from walletmodal.db.engine import unit_of_work
from walletmodal.db.moments import to_ms
from walletmodal.secure.calls.device import Device
from walletmodal.secure.db.tables import Attempt as Row
from walletmodal.secure.encoding import digest
from walletmodal.secure.login import addresses
from walletmodal.secure.login.attempts import APPROVED, CODE_MS, MAY_ENTER, Attempts, Purpose, mail_failed, new_code
from walletmodal.secure.login.mails import Occasion, Sender, code_mail
from walletmodal.secure.login.refusals import put_refusal
from walletmodal.secure.login.smtp import Mailer, MailError
from walletmodal.secure.pepper import Pepper
from walletmodal.secure.waiting import first_of

WAIT_SECONDS: Final = 25.0
_POLL_SECONDS: Final = 1.0


class Approvals:
    """Lets devices in whose logins wait for it.

    Args:
        engine: of the site's database.
        clock: what every time is measured with.
        attempts: of the site.
        pepper: under which codes lie there.
        mailer: sends.
        sender: how mails call the site.
    """

    def __init__(
        self,
        engine: AsyncEngine,
        clock: Clock,
        *,
        attempts: Attempts,
        pepper: Pepper,
        mailer: Mailer,
        sender: Sender,
    ) -> None:
        self._engine, self._clock, self._attempts = engine, clock, attempts
        self._pepper, self._mailer, self._sender = pepper, mailer, sender
        self._waiting: dict[str, asyncio.Event] = {}

    async def waiting(self, token: str) -> Any:
        """The attempt whose device the link of a mail approves, or None."""
        async with unit_of_work(self._engine) as connection:
            return await self._of_link(connection, token, "login")

    async def change(self, token: str) -> tuple[str, str, str] | None:
        """The change of address that the link of a mail approves: from which address to which, and who asks; or None."""
        async with unit_of_work(self._engine) as connection:
            row = await self._of_link(connection, token, "primary")
        return row and (self._attempts.address_of(row), self._attempts.following_of(row), row["asked_by"])

    async def approve(self, token: str) -> bool:
        """Approves the device of a link, and sends the code; False where the link does not count (any more).

        Raises:
            CallError: 503 `mail`: nothing has changed, the link can be used again.
        """
        refusal = secrets.token_urlsafe(24)
        async with unit_of_work(self._engine) as connection:
            found = await self._accept(connection, token, "login")
            if found is None:
                return False
            row, code = found
            await addresses.count_sent(connection, row["address_key"], self._now())
            await put_refusal(connection, row["address_key"], refusal, self._now())
        attempt, address = row["id"], self._attempts.address_of(row)
        letter = code_mail(self._sender, Occasion(address, row["words"], row["asked_by"], refusal), code)
        try:
            await self._mailer.send(letter.said_in(await self._sender.languages.load(row["language"])))
        except MailError:
            async with unit_of_work(self._engine) as connection:
                back = {"approval": row["approval"], "code": row["code"]}
                await connection.execute(update(Row).where(col(Row.id) == attempt).values(back))
            raise mail_failed() from None
        if event := self._waiting.get(attempt):
            event.set()
        return True

    async def approve_change(self, token: str) -> str:
        """Approves the change of address of a link; its code, or "" where the link does not count (any more)."""
        async with unit_of_work(self._engine) as connection:
            found = await self._accept(connection, token, "primary")
        return found[1] if found else ""

    async def _accept(self, connection: AsyncConnection, token: str, purpose: Purpose) -> tuple[Any, str] | None:
        """Accepts a link: the attempt's row as it was, and the code that counts from now on."""
        now, code = self._now(), new_code()
        row = await self._of_link(connection, token, purpose)
        if row is None or await addresses.frozen_until(connection, row["address_key"], now):
            return None
        values = {
            "approval": APPROVED,
            "code": self._pepper.code(row["id"], code),
            "sent_at": now,
            "expires_at": now + CODE_MS,
        }
        same = (col(Row.id) == row["id"], col(Row.approval) == row["approval"])
        done = await connection.execute(update(Row).where(*same).values(values))
        return (row, code) if done.rowcount == 1 else None

    async def wait(self, device: Device, attempt: str) -> bool:
        """Whether an attempt's device is approved; waits up to 25 s for it. Of two that wait for one attempt the former ends.

        Raises:
            CallError: 404 `attempt`.
        """
        former, event = self._waiting.get(attempt), asyncio.Event()
        self._waiting[attempt] = event
        if former is not None:
            former.set()
        end = self._clock.monotonic() + WAIT_SECONDS
        try:
            while True:
                async with unit_of_work(self._engine) as connection:
                    approved: bool = (await self._attempts.of_device(connection, attempt, device))[
                        "approval"
                    ] in MAY_ENTER
                if approved or self._waiting.get(attempt) is not event or self._clock.monotonic() >= end:
                    return approved
                # Another worker may have been asked.
                await first_of(event.wait(), self._clock.sleep(_POLL_SECONDS))
        finally:
            if self._waiting.get(attempt) is event:
                del self._waiting[attempt]

    async def _of_link(self, connection: AsyncConnection, token: str, purpose: Purpose) -> Any:
        mine = (col(Row.approval) == digest(token), col(Row.purpose) == purpose, col(Row.expires_at) > self._now())
        return (await connection.execute(select(Row).where(*mine))).mappings().first()

    def _now(self) -> int:
        return to_ms(self._clock.now())
