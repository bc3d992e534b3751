"""The way of mails, by the settings of a service."""

from walletmodal.core.clock import Clock
from walletmodal.secure.login.smtp import Mailer, parse_smtp_url
from walletmodal.secure.settings import FileSettings


def open_mailer(settings: FileSettings, clock: Clock) -> Mailer:
    """The way of mails of a deployment."""
    relay = parse_smtp_url(settings.smtp_url.get_secret_value())
    return Mailer(relay, sender=settings.mail_from, name=settings.mail_name, clock=clock)
