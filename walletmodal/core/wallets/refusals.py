"""Refusals of the secure site that have values, in the words that visitors read: the site makes them, and the modal knows them again."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from typing import Final

from walletmodal.core.language import Text, _, ngettext
from walletmodal.core.language.text import recalled, with_values
from walletmodal.core.language.values import DateText

HELD: Final = _(
    "This device got your wallet by a code from a mail. To protect you only messages are signed here until {until}. A passkey, or a device that had your wallet before, ends the wait."
)
SMALL_SUMS_ONLY: Final = _(
    "This device got your wallet by a code from a mail. To protect you only messages and small transfers are signed here until {until}. A passkey, or a device that had your wallet before, ends the wait."
)
CODES_HELD: Final = _("The email address of this wallet has changed lately. Codes are sent from {until} on.")
NOT_ALLOWED: Final = _("You did not allow {provider} to log you in.")
NOT_LOGGED_IN: Final = _("{provider} could not log you in. Please try again.")

_SENTENCES: Final = (HELD, SMALL_SUMS_ONLY, CODES_HELD, NOT_ALLOWED, NOT_LOGGED_IN)
_DATE: Final = "%d %B %Y"
_TIME: Final = "%H:%M"


def wrong_password(left: int) -> Text:
    """Of a recovery password. `left`: tries of today."""
    return ngettext("Wrong password. {count} more tries today.", "Wrong password. {count} more tries today.", left)


def too_many_passkeys(most: int) -> Text:
    """Of who adds another. `most`: that a wallet can have."""
    return ngettext(
        "A wallet can have {count} passkeys. Remove one first.",
        "A wallet can have {count} passkeys. Remove one first.",
        most,
    )


def cooldown(seconds: int) -> Text:
    """Of who asks for a mail too soon."""
    return ngettext("Please try again after {count} seconds", "Please try again after {count} seconds", seconds)


def moment_text(at: datetime) -> Text:
    """A moment, in UTC: `05 March 2026, 14:30 UTC`."""
    day = DateText(at.strftime(_DATE), at.date(), "yMMMMd")
    return _("{day}, {time} UTC", day=day, time=at.strftime(_TIME))


def recalled_refusal(english: str) -> str:
    """A refusal that came as English, to be said in any language; one that is not known stays as it is."""
    for text in _SENTENCES:
        if found := _form(text, ".{1,64}").fullmatch(english):
            values = found.groupdict()
            return with_values(text, **{name: _recalled_moment(value) for name, value in values.items()})
    for make in (wrong_password, too_many_passkeys, cooldown):
        if found := _form(make(0), "[0-9]{1,5}").fullmatch(english):
            return make(int(found["count"]))
    return recalled(english)


def _recalled_moment(english: str) -> str:
    try:
        return moment_text(datetime.strptime(english, f"{_DATE}, {_TIME} UTC").replace(tzinfo=UTC))
    except ValueError:
        return english


@cache
def _form(text: Text, value: str) -> re.Pattern[str]:
    """What a text is in English with any values of that form."""
    parts = re.split(r"\{(\w+)\}", text.message)
    return re.compile(
        "".join(f"(?P<{part}>{value})" if index % 2 else re.escape(part) for index, part in enumerate(parts))
    )
