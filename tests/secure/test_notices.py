"""Mails that tell of something that has happened."""

import asyncio
import os

from secure.custody.envelope import KeyRing
from secure.login.mails import Sender
from secure.login.smtp import Mail, Mailer, parse_smtp_url
from secure.notices import Notices
from tests.secure.mailbox import Mailbox
from tests.secure.world import ADA, EVE
from walletmodal.core.clock import MovableClock
from walletmodal.db.engine import close_engine, open_engine, unit_of_work


class _HeldMailer(Mailer):
    """Begins to send when it is let."""

    def __init__(self, mailbox: Mailbox, clock: MovableClock) -> None:
        super().__init__(parse_smtp_url(mailbox.url), sender="login@wallet.example", name="Example", clock=clock)
        self.begun, self.let = asyncio.Event(), asyncio.Event()

    async def send(self, mail: Mail) -> None:
        self.begun.set()
        await self.let.wait()
        await super().send(mail)


async def test_what_is_written_down_while_another_is_sent_goes_out_next(secure_url: str, mailbox: Mailbox) -> None:
    clock, engine, stopping = MovableClock(), open_engine(secure_url), asyncio.Event()
    mailer = _HeldMailer(mailbox, clock)
    sender = Sender("Example", "http://localhost:8701", "localhost:8701")
    notices = Notices(engine, KeyRing([(1, os.urandom(32))]), mailer, sender, clock)

    async def told(address: str) -> None:
        async with unit_of_work(engine) as connection:
            await notices.add(connection, "new_device", address, "")
        notices.send_soon()

    async def arrived(count: int) -> None:
        while len(mailbox.mails) < count:
            mailbox.arrived.clear()
            await mailbox.arrived.wait()

    task = asyncio.ensure_future(notices.run(stopping, 60))
    await told(ADA)
    await mailer.begun.wait()
    await told(EVE)
    mailer.let.set()
    await asyncio.wait_for(arrived(2), 10)
    assert [mail.to for mail in mailbox.mails] == [ADA, EVE]
    stopping.set()
    await task
    await close_engine(engine)
