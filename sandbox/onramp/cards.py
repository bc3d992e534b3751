"""The sandbox's test cards: which numbers there are, and what becomes of a payment with each."""

import re
from datetime import datetime
from enum import StrEnum
from typing import Final


class CardOutcome(StrEnum):
    """What becomes of a payment."""

    APPROVED = "approved"
    SLOW = "slow"
    DECLINED = "declined"


TEST_CARDS: Final = {
    "4242424242424242": CardOutcome.APPROVED,
    "4000000000000077": CardOutcome.SLOW,
    "4000000000000002": CardOutcome.DECLINED,
}
"""The numbers that payment test environments commonly use. No other is taken, so that nobody leaves a real card here."""


class CardRefusedError(ValueError):
    """The card cannot be charged.

    Args:
        field: which of `number`, `expiry`, `code` is wrong.
        description: what is wrong with it, for the visitor.
    """

    def __init__(self, field: str, description: str) -> None:
        super().__init__(description)
        self.field = field
        self.description = description


def check_card(number: str, expiry: str, code: str, now: datetime) -> CardOutcome:
    """Read a card as it was typed.

    Args:
        number: digits, spaces between them allowed.
        expiry: `MM/YY`.
        code: three digits.
        now: the time.

    Raises:
        CardRefusedError: one of them is wrong, or it is no test card.
    """
    digits = re.sub(r"[ -]", "", number)
    if not re.fullmatch(r"[0-9]{12,19}", digits) or not _passes_luhn(digits):
        raise CardRefusedError("number", "This is no card number")
    if digits not in TEST_CARDS:
        raise CardRefusedError("number", "The sandbox takes its own test cards only")
    written = re.fullmatch(r"(0[1-9]|1[0-2]) ?/ ?([0-9]{2})", expiry.strip())
    if written is None:
        raise CardRefusedError("expiry", "Month and year, as in 08/30")
    if (2000 + int(written[2]), int(written[1])) < (now.year, now.month):
        raise CardRefusedError("expiry", "This card has expired")
    if not re.fullmatch(r"[0-9]{3}", code):
        raise CardRefusedError("code", "The three digits on the back")
    return TEST_CARDS[digits]


def _passes_luhn(digits: str) -> bool:
    """ISO/IEC 7812-1, annex B."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
