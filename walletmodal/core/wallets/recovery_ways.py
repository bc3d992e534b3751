"""How an embedded wallet is opened on a device that has no part of it, as its frame tells."""

from collections.abc import Mapping
from typing import Final, NamedTuple

Way = str
"""`passkey`, `window` (of the secure site, which the same browser has), `password` or `code`."""
WAYS: Final[tuple[Way, ...]] = ("passkey", "window", "password", "code")


class RecoveryWays(NamedTuple):
    """The ways of a wallet, the best first, and whether a code by mail could be one."""

    ways: tuple[Way, ...]
    escrow: bool


def read_recovery_ways(value: object) -> RecoveryWays | None:
    """Reads what the frame says; None for what makes no sense. Ways that are not known here are left out."""
    fields = value if isinstance(value, Mapping) else {}
    ways = fields.get("ways")
    if not isinstance(ways, list):
        return None
    return RecoveryWays(tuple(way for way in WAYS if way in ways), fields.get("escrow") is True)
