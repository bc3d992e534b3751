"""Passkeys of the embedded wallet: how the list that its frame gives is read."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from walletmodal.core.text.display_text import clean_text

MOST_LISTED: Final = 20
_MAX_ID: Final = 64
_MAX_NAME: Final = 64
_MAX_SITE: Final = 255
_LATEST_MS: Final = 253_402_300_799_000
"""The end of the year 9999."""


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
    listed = value.get("passkeys") if isinstance(value, Mapping) else None
    if not isinstance(listed, list) or len(listed) > MOST_LISTED:
        return None
    found = [_read(one) for one in listed]
    known = [one for one in found if one is not None]
    return known if len(known) == len(found) == len({one.id for one in known}) else None


def _read(value: object) -> Passkey | None:
    fields = value if isinstance(value, Mapping) else {}
    passkey, name, site = fields.get("id"), fields.get("name"), fields.get("site")
    made, used = _moment(fields.get("createdAt")), _moment(fields.get("lastUsedAt"))
    if not isinstance(passkey, str) or not 0 < len(passkey) <= _MAX_ID or made is None or used is None:
        return None
    shown = clean_text(name, limit=_MAX_NAME) if isinstance(name, str) else ""
    return Passkey(passkey, shown or "Passkey", _host(site), made, used)


def _moment(value: object) -> datetime | None:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LATEST_MS:
        return None
    return datetime.fromtimestamp(value / 1000, UTC)


def _host(site: object) -> str:
    if not isinstance(site, str) or len(site) > _MAX_SITE:
        return ""
    try:
        return clean_text(urlsplit(site).netloc, limit=_MAX_SITE)
    except ValueError:
        return ""
