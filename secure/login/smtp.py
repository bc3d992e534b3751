"""Sending mail over SMTP, within a time limit; the only place where an address leaves this site."""

import asyncio
import logging
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Final
from urllib.parse import parse_qs, unquote, urlsplit

from aiosmtplib import SMTP, SMTPException

from walletmodal.core.clock import Clock
from walletmodal.core.parsing.urls import is_loopback_host
from walletmodal.secure.metrics import count_mail
from walletmodal.services.http.authorities import usual_authorities

SMTP_SECONDS: Final = 8.0
"""From the first byte to the last of one mail: a visitor is told within ten."""
_SESSIONS: Final = 20
"""That a process has with the relay at a time."""
_PORTS: Final = {"smtp": 587, "smtps": 465}

logger = logging.getLogger(__name__)


class MailError(Exception):
    """A mail was not taken by the relay. Says nothing of address or text."""


@dataclass(frozen=True, slots=True)
class Relay:
    """Where mail is handed in. `tls`: from the first byte on; `starttls`: before anything is said."""

    host: str
    port: int
    username: str | None
    password: str | None
    tls: bool
    starttls: bool


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail to one person."""

    to: str
    subject: str
    text: str
    html: str


def parse_smtp_url(url: str) -> Relay:
    """Reads SMTP_URL.

    Unencrypted only to this machine, or where `starttls=0` says so.

    Raises:
        ValueError: no URL of that form.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    asked = parse_qs(parts.query).get("starttls", [""])[-1]
    if parts.scheme not in _PORTS or not parts.hostname or asked not in ("", "0", "1"):
        raise ValueError("must be smtp://user:password@host:587?starttls=1 or smtps://user:password@host:465")
    tls = parts.scheme == "smtps"
    starttls = not tls and (asked == "1" or (asked == "" and not is_loopback_host(parts.hostname)))
    user, password = (unquote(part) if part else None for part in (parts.username, parts.password))
    return Relay(parts.hostname, port or _PORTS[parts.scheme], user, password, tls, starttls)


class Mailer:
    """Hands mails to the relay, each over a connection of its own.

    Args:
        relay: where to.
        sender: address that mails come from; its domain is in their ids.
        name: what the sender is called.
        clock: for the date of mails.
        context: TLS; None for the usual authorities.
        seconds: within which a mail must be taken.
    """

    def __init__(
        self,
        relay: Relay,
        *,
        sender: str,
        name: str,
        clock: Clock,
        context: ssl.SSLContext | None = None,
        seconds: float = SMTP_SECONDS,
    ) -> None:
        self._relay, self._sender, self._clock, self._seconds = relay, sender, clock, seconds
        self._from = Address(name, addr_spec=sender)
        self._context = context
        self._free = asyncio.Semaphore(_SESSIONS)

    async def send(self, mail: Mail) -> None:
        """Hands a mail over.

        Raises:
            MailError: the relay does not take it, or not in time.
        """
        message = self._message(mail)

        async def hand_over(session: SMTP) -> None:
            await session.send_message(message, sender=self._sender, recipients=[mail.to])

        try:
            await self._in_session(hand_over)
        except MailError:
            count_mail("failed")
            raise
        count_mail("sent")

    async def rehearse(self) -> None:
        """Does what `send` does, up to the mail itself: whether one is sent must not show in an error, or in the time until an answer.

        Raises:
            MailError: as `send`.
        """

        async def say_hello(session: SMTP) -> None:
            await session.mail(self._sender)
            await session.rset()

        await self._in_session(say_hello)

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._from
        message["To"] = Address(addr_spec=mail.to)
        message["Subject"] = mail.subject
        message["Date"] = format_datetime(self._clock.now())
        message["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(mail.text)
        message.add_alternative(mail.html, subtype="html")
        return message

    async def _in_session(self, work: Callable[[SMTP], Awaitable[None]]) -> None:
        relay = self._relay
        try:
            async with asyncio.timeout(self._seconds), self._free:
                session = SMTP(
                    hostname=relay.host,
                    port=relay.port,
                    username=relay.username,
                    password=relay.password,
                    use_tls=relay.tls,
                    start_tls=relay.starttls,
                    tls_context=self._context or (usual_authorities() if relay.tls or relay.starttls else None),
                    timeout=self._seconds,
                )
                async with session:
                    await work(session)
        # What a relay answers can be anything, and its library raises ValueError for some of it.
        except (SMTPException, OSError, TimeoutError, ValueError) as error:
            # The words of a relay have the address in them.
            logger.warning("a mail was not sent: %s", type(error).__name__)
            raise MailError(type(error).__name__) from None
