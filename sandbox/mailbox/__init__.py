"""A mail server on loopback, and the page that shows what came."""

from walletmodal.sandbox.mailbox.mails import Mailbox, MailRecord
from walletmodal.sandbox.mailbox.page import mailbox_routes
from walletmodal.sandbox.mailbox.smtp import MailServer

__all__ = ["MailRecord", "MailServer", "Mailbox", "mailbox_routes"]
