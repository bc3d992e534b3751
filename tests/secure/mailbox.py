"""A real SMTP server on loopback that keeps what it is given."""

import asyncio
import re
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from functools import cached_property
from typing import Any

from aiosmtpd.smtp import SMTP

from tests.ports import free_ports


@dataclass
class Received:
    """A mail, read as far as somebody asks: reading all of them took as long as a twentieth of the tests."""

    to: str
    content: bytes

    @cached_property
    def message(self) -> EmailMessage:
        message = message_from_bytes(self.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        return message

    @cached_property
    def subject(self) -> str:
        return str(BytesHeaderParser(policy=policy.default).parsebytes(self.content)["Subject"])

    @property
    def text(self) -> str:
        return self._part("plain")

    @property
    def html(self) -> str:
        return self._part("html")

    @property
    def code(self) -> str:
        """The digits that the subject begins with."""
        found = re.match(r"(\d+) ", self.subject)
        assert found, self.subject
        return found[1]

    def link(self, path: str) -> str:
        """The path of a link in the mail."""
        found = re.search(rf"https?://[^/\s]+({path}/[\w-]+)", self.text)
        assert found, self.text
        return found[1]

    def _part(self, kind: str) -> str:
        part = self.message.get_body((kind,))
        assert part is not None
        return str(part.get_content())


class Mailbox:
    """What has arrived, and how the server answers.

    Attributes:
        answer: to a mail's data; anything but 250 is a refusal.
    """

    def __init__(self) -> None:
        self.port = free_ports()
        self.mails: list[Received] = []
        self.answer = "250 ok"
        self.arrived = asyncio.Event()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def start(self) -> None:
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: SMTP(self, loop=loop), "127.0.0.1", self.port)

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        if self.answer.startswith("250"):
            self.mails.append(Received(envelope.rcpt_tos[0], envelope.content))
            self.arrived.set()
        return self.answer

    def last(self, to: str) -> Received:
        """The newest mail to an address."""
        return self.of(to)[-1]

    def newest_code(self, to: str) -> str:
        """The code of the newest mail that has one: mails that tell of something come when they come."""
        return next(mail.code for mail in reversed(self.of(to)) if re.match(r"\d+ ", mail.subject))

    def of(self, to: str) -> list[Received]:
        return [mail for mail in self.mails if mail.to == to]
