"""What the embedded wallet's login by email and social account accepts."""

from datetime import datetime, timedelta
from typing import Final

from walletmodal.core.constants import EMAIL_LOGIN_COOLDOWN, FRAME_SOCIAL_PROVIDERS
from walletmodal.core.errors.rules import EmailCooldownError
from walletmodal.core.parsing.schema import check, email, one_of

_COOLDOWN: Final = timedelta(seconds=EMAIL_LOGIN_COOLDOWN)
_SECOND: Final = timedelta(seconds=1)
_PROVIDER: Final = one_of(*FRAME_SOCIAL_PROVIDERS)


def check_email(address: object) -> str:
    """An email address, without the blanks around it.

    Raises:
        PayloadError: `Invalid email`, or that it is no text.
    """
    return check(email, address.strip() if isinstance(address, str) else address, "email")


def check_social_provider(provider: object) -> str:
    """One of the six social logins of the secure frame.

    Raises:
        PayloadError: `Invalid enum value. …`.
    """
    return check(_PROVIDER, provider, "provider")


def seconds_to_next_email(last: datetime | None, now: datetime) -> int:
    """Whole seconds, rounded up, until another email may be asked for; 0 when it may now.

    Args:
        last: when the last one was asked for, or None.
        now: both with a zone. A `last` in the future, as after a change of the clock, waits no longer than the whole cooldown.
    """
    if last is None:
        return 0
    left = min(_COOLDOWN, _COOLDOWN - (now - last))
    return max(0, -(-left // _SECOND))


def check_email_cooldown(last: datetime | None, now: datetime) -> None:
    """Refuse an email within 30 s of the last one.

    Raises:
        EmailCooldownError: `Please try again after N seconds`.
    """
    seconds = seconds_to_next_email(last, now)
    if seconds:
        raise EmailCooldownError(seconds)
