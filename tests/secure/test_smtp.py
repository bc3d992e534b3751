"""The relay is down, slow, or answers nonsense: the visitor gets a sentence in time, and nothing is used up."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.secure.mailbox import Mailbox
from tests.secure.world import ADA, World, running, settings_for
from walletmodal.core.clock import MovableClock
from walletmodal.secure.login.smtp import SMTP_SECONDS, Mail, Mailer, MailError, Relay, parse_smtp_url

MAIL = Mail(ADA, "Subject", "Text\n", "<p>Text</p>")


@asynccontextmanager
async def a_relay_that_says(greeting: bytes) -> AsyncIterator[Relay]:
    """A server that says one thing and then nothing."""

    async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await writer.drain()
        await ended.wait()
        writer.close()

    ended = asyncio.Event()
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield Relay("127.0.0.1", server.sockets[0].getsockname()[1], None, None, tls=False, starttls=False)
    finally:
        ended.set()
        server.close()
        await server.wait_closed()


def mailer_to(relay: Relay, seconds: float = SMTP_SECONDS) -> Mailer:
    return Mailer(relay, sender="login@wallet.example", name="Example", clock=MovableClock(), seconds=seconds)


def test_a_mail_is_given_up_before_the_visitor_is() -> None:
    assert SMTP_SECONDS < 10


@pytest.mark.parametrize("greeting", [b"", b"220 hello\r\n", b"220-hello\r\n" * 3])
async def test_a_relay_that_falls_silent_is_given_up(greeting: bytes) -> None:
    async with a_relay_that_says(greeting) as relay:
        for work in (mailer_to(relay, 0.2).send(MAIL), mailer_to(relay, 0.2).rehearse()):
            with pytest.raises(MailError):
                await work


@pytest.mark.parametrize("greeting", [b"nonsense\r\n", b"\x00\xff\r\n", b"999\r\n", b"554 go away\r\n", b"2" * 100_000])
async def test_a_relay_that_talks_nonsense_is_an_error(greeting: bytes) -> None:
    async with a_relay_that_says(greeting) as relay:
        with pytest.raises(MailError):
            await mailer_to(relay, 2.0).send(MAIL)


async def test_where_encryption_is_wanted_nothing_is_sent_without(mailbox: Mailbox) -> None:
    relay = replace(parse_smtp_url(mailbox.url), starttls=True)
    with pytest.raises(MailError):
        await mailer_to(relay).send(MAIL)
    assert not mailbox.mails


async def test_a_mail_has_what_relays_look_at(mailbox: Mailbox) -> None:
    await mailer_to(parse_smtp_url(mailbox.url)).send(MAIL)
    message = mailbox.mails[0].message
    assert (message["From"], message["To"]) == ("Example <login@wallet.example>", ADA)
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].endswith("@wallet.example>")
    assert message["Date"] == "Thu, 01 Jan 2026 00:00:00 +0000"


@pytest.mark.parametrize(
    ("url", "relay"),
    [
        ("smtp://mail.example.com", Relay("mail.example.com", 587, None, None, tls=False, starttls=True)),
        ("smtp://u%40x:p%3A@mail.example.com:25", Relay("mail.example.com", 25, "u@x", "p:", tls=False, starttls=True)),
        ("smtps://u:p@mail.example.com", Relay("mail.example.com", 465, "u", "p", tls=True, starttls=False)),
        ("smtp://localhost:1025", Relay("localhost", 1025, None, None, tls=False, starttls=False)),
        ("smtp://localhost:1025?starttls=1", Relay("localhost", 1025, None, None, tls=False, starttls=True)),
        ("smtp://mail:25?starttls=0", Relay("mail", 25, None, None, tls=False, starttls=False)),
    ],
)
def test_the_url_of_a_relay(url: str, relay: Relay) -> None:
    assert parse_smtp_url(url) == relay


@pytest.mark.parametrize(
    "url", ["", "mail.example.com", "http://mail.example.com", "smtp://", "smtp://h:x", "smtp://h?starttls=yes"]
)
def test_what_is_no_url_of_a_relay(url: str) -> None:
    with pytest.raises(ValueError, match="must be smtp://"):
        parse_smtp_url(url)


async def test_a_relay_that_is_down_is_a_sentence_and_uses_nothing_up(world: World) -> None:
    device = world.device()
    await world.mailbox.stop()
    refused = await device.refused("/v1/login/email", {"email": ADA})
    assert (refused.status, refused.code) == (503, "mail")
    assert "could not send the mail" in refused.error["message"]
    await world.mailbox.start()
    await world.login(ADA, device)


async def test_a_mail_that_is_refused_is_a_sentence_and_uses_nothing_up(world: World) -> None:
    device = world.device()
    world.mailbox.answer = f"550 <{ADA}> has no mailbox here"
    for _ in range(9):
        refused = await device.refused("/v1/login/email", {"email": ADA})
        assert (refused.status, refused.code) == (503, "mail")
        assert ADA not in refused.error["message"]
    world.mailbox.answer = "250 ok"
    world.clock.advance(180)
    await world.login(ADA, device)


async def test_a_fresh_code_that_is_not_sent_leaves_the_former_one(world: World) -> None:
    device, begun = await world.begin()
    world.clock.advance(31)
    await world.mailbox.stop()
    assert (await device.refused("/v1/login/resend", {"attempt": begun["attempt"]})).code == "mail"
    await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": world.mailbox.last(ADA).code})


async def test_above_the_limit_a_relay_that_is_down_shows_too(world: World) -> None:
    for _ in range(8):
        await world.begin()
        world.clock.advance(30)
    await world.mailbox.stop()
    assert (await world.device().refused("/v1/login/email", {"email": ADA})).code == "mail"


async def test_a_device_whose_code_is_not_sent_is_not_approved(secure_url: str, mailbox: Mailbox) -> None:
    async with running(settings_for(secure_url, mailbox.url, secure_device_approval="always"), mailbox) as world:
        device, begun = await world.begin()
        link = mailbox.last(ADA).link("/device")
        await mailbox.stop()
        answer = await world.client.post(link)
        assert answer.status_code == 503
        assert "could not send the mail" in answer.text
        await mailbox.start()
        assert (await world.client.post(link)).status_code == 200
        await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": mailbox.last(ADA).code})


async def test_an_address_does_not_get_into_the_log(world: World, caplog: pytest.LogCaptureFixture) -> None:
    world.mailbox.answer = f"550 <{ADA}> has no mailbox here"
    await world.device().refused("/v1/login/email", {"email": ADA})
    assert "a mail was not sent" in caplog.text
    assert "ada" not in caplog.text.replace(world.settings.secure_database_url, "")
