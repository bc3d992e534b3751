"""Passkeys of the embedded wallet: how the list that its frame gives is read."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.wallets.frame_lists import read_host, read_list, read_moment

MOST_LISTED: Final = 20
_MAX_ID: Final = 64
_MAX_NAME: Final = 64


class Passkey(NamedTuple):
    """A passkey in the list.

    Attributes:
        id: of the secure site; opens nothing.
        name: browser and system that made it.
        site: host of the page on which it was made, or "".
        made, used: when it was made, and when it was used last.
    """

    id: str
    name: str
    site: str
    made: datetime
    used: datetime


def read_passkeys(value: object) -> list[Passkey] | None:
    """Reads a list of passkeys, which comes by way of the visitor's browser; None for what makes no sense."""
    return read_list(value, "passkeys", _read, most=MOST_LISTED)


def _read(value: object) -> Passkey | None:
    fields = value if isinstance(value, Mapping) else {}
    passkey, name, site = fields.get("id"), fields.get("name"), fields.get("site")
    made, used = read_moment(fields.get("createdAt")), read_moment(fields.get("lastUsedAt"))
    if not isinstance(passkey, str) or not 0 < len(passkey) <= _MAX_ID or made is None or used is None:
        return None
    shown = clean_text(name, limit=_MAX_NAME) if isinstance(name, str) else ""
    return Passkey(passkey, shown or _("Passkey"), read_host(site), made, used)
