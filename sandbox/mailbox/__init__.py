"""A mail server on loopback, and the page that shows what came."""

from sandbox.mailbox.mails import Mailbox, MailRecord
from sandbox.mailbox.page import mailbox_routes
from sandbox.mailbox.smtp import MailServer

__all__ = ["MailRecord", "MailServer", "Mailbox", "mailbox_routes"]
