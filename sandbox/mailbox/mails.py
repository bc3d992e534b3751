"""The mails that came, as people and tests read them."""

from collections import deque
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from walletmodal.core.clock import Clock

KEPT = 500


@dataclass(frozen=True)
class MailRecord:
    """One mail to one address.

    Attributes:
        to: the address that the sender gave the server, which need not stand in the mail's head.
        subject: its subject.
        text: its plain text, "" when it has none.
        html: its HTML, "" when it has none.
        at: when it came, ISO 8601 in UTC.
    """

    to: str
    subject: str
    text: str
    html: str
    at: str


class Mailbox:
    """The newest mails, at most KEPT of them.

    Args:
        clock: tells when a mail came.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._mails: deque[MailRecord] = deque(maxlen=KEPT)

    def deliver(self, recipients: Iterable[str], content: bytes) -> None:
        """Keep a mail (RFC 5322) once for each recipient."""
        message = message_from_bytes(content, policy=policy.default)
        at = self._clock.now().isoformat(timespec="milliseconds")
        subject, text, html = str(message["subject"] or ""), _part(message, "plain"), _part(message, "html")
        self._mails.extend(MailRecord(to, subject, text, html, at) for to in recipients)

    def newest_last(self, to: str | None) -> list[dict[str, str]]:
        """The mails to one address, whatever the case of its letters, or all with None, as plain data."""
        wanted = None if to is None else to.casefold()
        return [asdict(mail) for mail in self._mails if wanted in (None, mail.to.casefold())]

    def clear(self) -> None:
        """Forget all."""
        self._mails.clear()


def _part(message: "EmailMessage[Any, Any]", subtype: str) -> str:
    body = message.get_body((subtype,))
    if body is None:
        return ""
    try:
        return str(body.get_content())
    except (LookupError, UnicodeError):
        # In a character set that nobody knows; what can be read of it is more than nothing.
        payload = body.get_payload(decode=True)
        return payload.decode(errors="replace") if isinstance(payload, bytes) else ""
