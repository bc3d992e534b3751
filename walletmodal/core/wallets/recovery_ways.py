"""How an embedded wallet is opened on a device that has no part of it, as its frame tells."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from walletmodal.core.language import _, ngettext
from walletmodal.core.wallets.frame_lists import read_moment, spell_moment

Way = str
"""`passkey`, `window` (of the secure site, which the same browser has), `password` or `code`."""
_MOST_HOURS: Final = 720
WAYS: Final[tuple[Way, ...]] = ("passkey", "window", "password", "code")


class RecoveryWays(NamedTuple):
    """The ways of a wallet.

    Attributes:
        ways: the best first.
        escrow: whether a code by mail could be one.
        password: whether a recovery password could be one; of who logs in by a passkey alone it cannot.
        hold_hours: for how long transfers wait on a device that a code has brought the wallet to; 0 for not at all.
        deletes_at: when the account is deleted, as was asked for without a device; None where nobody has.
    """

    ways: tuple[Way, ...]
    escrow: bool
    password: bool = True
    hold_hours: int = 0
    deletes_at: datetime | None = None


def read_recovery_ways(value: object) -> RecoveryWays | None:
    """Reads what the frame says; None for what makes no sense. Ways that are not known here are left out."""
    fields = value if isinstance(value, Mapping) else {}
    ways = fields.get("ways")
    if not isinstance(ways, list):
        return None
    hours = fields.get("holdHours")
    hold_hours = hours if isinstance(hours, int) and not isinstance(hours, bool) and 0 < hours <= _MOST_HOURS else 0
    found = tuple(way for way in WAYS if way in ways)
    # A secure site of before says nothing of passwords, which all could have.
    escrow, password = fields.get("escrow") is True, fields.get("password") is not False
    return RecoveryWays(found, escrow, password, hold_hours, read_moment(fields.get("deletesAt")))


def hold_words(ways: RecoveryWays) -> str:
    """Tells that transfers wait after a code; "" where they do not, or no code is a way."""
    if not ways.hold_hours or "code" not in ways.ways:
        return ""
    hours = ngettext("{count} hour", "{count} hours", ways.hold_hours)
    return _(
        "After a code, transfers from this browser wait for {duration}. A passkey, or a device that has your wallet, ends the wait.",
        duration=hours,
    )


def deletion_words(ways: RecoveryWays) -> str:
    """Tells when a deletion that was asked for is due; "" where nobody has asked."""
    if ways.deletes_at is None:
        return ""
    due = spell_moment(ways.deletes_at)
    return _("Your wallet is deleted on {due}. Opening it, or the link in our mail, stops that.", due=due)
