"""Devices of the embedded wallet: how the list that its frame gives is read."""

from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.wallets.frame_lists import read_host, read_list, read_moment

MOST_LISTED: Final = 100
_MAX_ID: Final = 64
_MAX_NAME: Final = 64


class WalletDevice(NamedTuple):
    """A device in the list.

    Attributes:
        id: of the secure site; opens nothing.
        name: browser and system.
        site: host of the page on which it was added, or "".
        added, seen: when it was added, and when it was used last.
        held: until when its transfers wait; None where they need not.
        current: whether it is the one that asks.
        window: whether a window of the secure site has it, for all sites of that browser.
    """

    id: str
    name: str
    site: str
    added: datetime
    seen: datetime
    held: datetime | None
    current: bool
    window: bool


def read_devices(value: object) -> list[WalletDevice] | None:
    """Reads a list of devices; None for what makes no sense. Of very many the latest are taken."""
    listed = value.get("devices") if isinstance(value, Mapping) else None
    if isinstance(listed, list):
        value = {"devices": listed[:MOST_LISTED]}
    return read_list(value, "devices", _read, most=MOST_LISTED)


def _read(value: object) -> WalletDevice | None:
    fields = value if isinstance(value, Mapping) else {}
    device, name = fields.get("id"), fields.get("name")
    added, seen = read_moment(fields.get("createdAt")), read_moment(fields.get("lastSeenAt"))
    if not isinstance(device, str) or not 0 < len(device) <= _MAX_ID or added is None or seen is None:
        return None
    shown = clean_text(name, limit=_MAX_NAME) if isinstance(name, str) else ""
    held, current = read_moment(fields.get("heldUntil")), fields.get("current") is True
    window = fields.get("window") is True
    shown, site = shown or _("Unknown browser"), read_host(fields.get("site"))
    return WalletDevice(device, shown, site, added, seen, held, current, window)
