"""Mails that tell of something that has happened."""

import asyncio
import os
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest_asyncio
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from tests.patience import patience
from tests.secure.mailbox import Mailbox
from tests.secure.world import ADA, EVE
from walletmodal.core.clock import MovableClock
from walletmodal.core.text.browser_text import browser_text
from walletmodal.db.engine import close_engine, open_engine, unit_of_work
from walletmodal.secure.custody.envelope import KeyRing
from walletmodal.secure.db.tables import Notice
from walletmodal.secure.login.mails import Sender
from walletmodal.secure.login.notice_mails import NoticeKind
from walletmodal.secure.login.smtp import Mail, Mailer, parse_smtp_url
from walletmodal.secure.notices import Notices
from walletmodal.secure.pepper import Pepper
from walletmodal.secure.sweep import sweep
from walletmodal.secure.users import Account
from walletmodal.services.languages import Languages
from walletmodal.services.pseudo_language import PSEUDO


class _HeldMailer(Mailer):
    """Begins to send when it is let."""

    def __init__(self, mailbox: Mailbox, clock: MovableClock) -> None:
        super().__init__(parse_smtp_url(mailbox.url), sender="login@wallet.example", name="Example", clock=clock)
        self.begun, self.let = asyncio.Event(), asyncio.Event()

    async def send(self, mail: Mail) -> None:
        self.begun.set()
        await self.let.wait()
        await super().send(mail)


def owner(address: str, language: str = "") -> Account:
    """An account of an address."""
    return Account("", "", address, language)


@dataclass
class _Telling:
    """Notices of a site, whose clock the test moves."""

    notices: Notices
    engine: AsyncEngine
    clock: MovableClock
    mailbox: Mailbox

    async def happens(
        self,
        kind: NoticeKind,
        *,
        times: int = 1,
        to: str = ADA,
        detail: str = "",
        link: str = "",
        language: str = "",
    ) -> None:
        for _ in range(times):
            async with unit_of_work(self.engine) as connection:
                await self.notices.add(connection, kind, owner(to, language), detail, refusal=link)
        await self.notices.send_due()

    async def passes(self, seconds: float) -> None:
        self.clock.advance(seconds)
        await self.notices.send_due()

    def subjects(self, to: str = ADA) -> list[str]:
        return [mail.subject.removesuffix(": Example") for mail in self.mailbox.of(to)]


def _notices(engine: AsyncEngine, mailer: Mailer, clock: MovableClock) -> Notices:
    keys, pepper = KeyRing([(1, os.urandom(32))]), Pepper(os.urandom(32))
    sender = Sender("Example", "http://localhost:8701", "localhost:8701", Languages((PSEUDO,)))
    return Notices(engine, clock, keys=keys, pepper=pepper, mailer=mailer, sender=sender)


@pytest_asyncio.fixture
async def telling(secure_url: str, mailbox: Mailbox) -> AsyncIterator[_Telling]:
    clock, engine = MovableClock(), open_engine(secure_url)
    mailer = Mailer(parse_smtp_url(mailbox.url), sender="login@wallet.example", name="Example", clock=clock)
    yield _Telling(_notices(engine, mailer, clock), engine, clock, mailbox)
    await close_engine(engine)


async def test_what_is_written_down_while_another_is_sent_goes_out_next(secure_url: str, mailbox: Mailbox) -> None:
    clock, engine, stopping = MovableClock(), open_engine(secure_url), asyncio.Event()
    mailer = _HeldMailer(mailbox, clock)
    notices = _notices(engine, mailer, clock)

    async def told(address: str) -> None:
        async with unit_of_work(engine) as connection:
            await notices.add(connection, "new_device", owner(address), "")
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
    async with patience():
        await arrived(2)
    assert [mail.to for mail in mailbox.mails] == [ADA, EVE]
    stopping.set()
    await task
    await close_engine(engine)


async def test_a_notice_is_in_the_language_of_the_account(telling: _Telling) -> None:
    await telling.happens("new_device", detail=browser_text("Firefox on Linux"), language=PSEUDO)
    mail = telling.mailbox.last(ADA)
    assert (mail.subject.startswith("["), "[Firefox øñ Linux" in mail.text) == (True, True)


async def test_notices_that_are_gathered_are_in_the_language_of_the_account(telling: _Telling) -> None:
    await telling.happens("new_device", times=8, language=PSEUDO)
    await telling.passes(3600)
    assert telling.mailbox.last(ADA).subject.startswith("[")


DEVICE = "A new device can use your wallet"
EXPORT = "The keys of your wallet were shown"


async def test_a_script_with_a_session_floods_no_mailbox(telling: _Telling) -> None:
    await telling.happens("new_device", times=30)
    assert telling.subjects() == [DEVICE] * 5
    await telling.passes(3600)
    assert telling.subjects()[5:] == ["25 changes to your wallet"]


async def test_the_first_of_a_kind_is_told_at_once_whatever_else_happens(telling: _Telling) -> None:
    await telling.happens("new_device", times=30)
    await telling.happens("exported")
    assert telling.subjects()[5:] == [EXPORT]


async def test_what_is_told_together_says_what_how_often_and_who(telling: _Telling) -> None:
    await telling.happens("new_device", times=5)
    await telling.happens("exported")
    await telling.happens("new_device", times=3, detail="Chrome on Windows")
    await telling.happens("exported", detail="Firefox on Linux")
    await telling.passes(3600)
    text = telling.mailbox.last(ADA).text
    assert re.search(rf"{DEVICE}: 3 times, last \d+ \w+ \d+, \d\d:\d\d UTC, by Chrome on Windows", text)
    assert re.search(rf"{EXPORT}: once, \d+ \w+ \d+, \d\d:\d\d UTC, by Firefox on Linux", text)


async def test_what_happens_while_the_others_are_due_is_told_with_them(telling: _Telling) -> None:
    await telling.happens("new_device", times=6)
    await telling.passes(1800)
    others: tuple[NoticeKind, ...] = ("exported", "passkey_added", "password_set", "escrow_on", "device_removed")
    for kind in others:
        await telling.happens(kind)
    told = len(telling.subjects())
    telling.clock.advance(1800)
    await telling.happens("new_device", times=3)
    assert telling.subjects()[told:] == ["4 changes to your wallet"]


async def test_what_is_told_together_keeps_the_link_that_undoes_it(telling: _Telling) -> None:
    await telling.happens("new_device", times=5)
    await telling.happens("deletion_requested", link="first")
    await telling.happens("deletion_requested", link="second")
    await telling.passes(3600)
    assert telling.mailbox.last(ADA).link("/keep") == "/keep/second"


async def test_one_owners_mails_hold_up_no_other_owners(telling: _Telling) -> None:
    await telling.happens("new_device", times=30)
    await telling.happens("new_device", times=2, to=EVE)
    assert telling.subjects(EVE) == [DEVICE] * 2


async def test_what_the_relay_refuses_is_told_together_later(telling: _Telling) -> None:
    await telling.happens("new_device", times=7)
    telling.mailbox.answer = "451 later"
    await telling.passes(3600)
    telling.mailbox.answer = "250 ok"
    await telling.passes(60)
    assert telling.subjects()[5:] == ["2 changes to your wallet"]


async def test_what_was_sent_keeps_no_address_and_is_forgotten_after_a_day_and_an_hour(telling: _Telling) -> None:
    await telling.happens("new_device", detail="Chrome on Windows")
    assert await _rows(telling) == [(b"", "")]
    telling.clock.advance(86_400 + 3600)
    await sweep(telling.engine, telling.clock, expired_ms=3_600_000, audit_days=90)
    assert await _rows(telling) == []


async def _rows(telling: _Telling) -> list[tuple[bytes, str]]:
    async with unit_of_work(telling.engine) as connection:
        rows = (await connection.execute(select(col(Notice.address), col(Notice.detail)))).all()
    return [(bytes(address), detail) for address, detail in rows]
