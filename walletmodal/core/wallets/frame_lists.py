"""Lists that the frame of the embedded wallet gives: how their parts are read and written, all of which come by way of the visitor's browser."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final, Protocol, TypeVar
from urllib.parse import urlsplit

from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.formatting import date_text

_MAX_SITE: Final = 255
_LATEST_MS: Final = 253_402_300_799_000
"""The end of the year 9999."""


class Listed(Protocol):
    """Anything with an id."""

    @property
    def id(self) -> str:
        """Its id."""
        ...


L = TypeVar("L", bound=Listed)


def read_list(value: object, name: str, read: Callable[[object], L | None], *, most: int) -> list[L] | None:
    """Reads the list `name` of an answer; None for what makes no sense, such as two of one id.

    Args:
        value: the answer.
        name: of the list.
        read: reads an entry; None for what makes no sense.
        most: how many entries there may be.
    """
    listed = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(listed, list) or len(listed) > most:
        return None
    found = [read(one) for one in listed]
    known = [one for one in found if one is not None]
    return known if len(known) == len(found) == len({one.id for one in known}) else None


def read_moment(value: object) -> datetime | None:
    """Reads a moment in ms since 1970; None for what is none."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _LATEST_MS:
        return None
    return datetime.fromtimestamp(value / 1000, UTC)


def spell_moment(moment: datetime) -> str:
    """A moment as the views write it, such as `3 Dec 2026, 09:05 UTC`."""
    return _("{day}, {time} UTC", day=date_text(moment.date()), time=f"{moment:%H:%M}")


def read_host(site: object) -> str:
    """Reads the host of an origin; "" for what is none."""
    if not isinstance(site, str) or len(site) > _MAX_SITE:
        return ""
    try:
        return clean_text(urlsplit(site).netloc, limit=_MAX_SITE)
    except ValueError:
        return ""
