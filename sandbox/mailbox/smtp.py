"""An SMTP server inside the sandbox's own event loop."""

import asyncio

from aiosmtpd.smtp import SMTP, Envelope, Session

from walletmodal.sandbox.mailbox.mails import Mailbox
from walletmodal.sandbox.settings import LOOPBACK

MAX_MAIL = 1_048_576


class _Delivery:
    """What aiosmtpd calls with each mail."""

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        content = envelope.content
        self._mailbox.deliver(envelope.rcpt_tos, content.encode() if isinstance(content, str) else content or b"")
        return "250 Kept in the sandbox's mailbox"


class MailServer:
    """Takes every mail, on a port of loopback that the system chooses.

    Args:
        mailbox: where mails are kept.
    """

    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Where it listens.

        Raises:
            RuntimeError: it does not.
        """
        if self._server is None:
            raise RuntimeError("the mail server does not run")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def start(self) -> None:
        """Start it."""
        loop = asyncio.get_running_loop()
        delivery = _Delivery(self._mailbox)
        self._server = await loop.create_server(
            lambda: SMTP(delivery, data_size_limit=MAX_MAIL, enable_SMTPUTF8=True, hostname="localhost", loop=loop),
            LOOPBACK,
            0,
        )

    async def stop(self) -> None:
        """Stop it; does nothing when it does not run."""
        server, self._server = self._server, None
        if server is not None:
            server.close()
            await server.wait_closed()
