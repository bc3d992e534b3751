"""Passkeys of the embedded wallet: how the list that its frame gives is read."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from walletmodal.core.language import _
from walletmodal.core.smart_accounts.passkey_signer import PasskeySigner
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.wallets.frame_lists import read_host, read_list, read_moment

MOST_LISTED: Final = 20
_MAX_ID: Final = 64
_MAX_NAME: Final = 64
_NUMBER: Final = re.compile(r"[0-9a-f]{64}")


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


class PasskeyKey(NamedTuple):
    """A passkey that can be an owner of the wallet's Safe: its public key, what made it, and when."""

    signer: PasskeySigner
    name: str
    made: datetime

    @property
    def id(self) -> str:
        """Its contract."""
        return self.signer.address


def read_passkey_keys(value: object) -> list[PasskeyKey] | None:
    """Reads the passkeys that can be owners, as `read_passkeys`. What is shown of them is their owner's alone; the secure site's frame looks at the keys."""
    return read_list(value, "passkeys", _read_key, most=MOST_LISTED)


def _read_key(value: object) -> PasskeyKey | None:
    fields = value if isinstance(value, Mapping) else {}
    made, name, point = read_moment(fields.get("createdAt")), fields.get("name"), (fields.get("x"), fields.get("y"))
    if made is None or not all(isinstance(one, str) and _NUMBER.fullmatch(one) for one in point):
        return None
    shown = clean_text(name, limit=_MAX_NAME) if isinstance(name, str) else ""
    return PasskeyKey(PasskeySigner(*(int(str(one), 16) for one in point)), shown or "a device", made)


def _read(value: object) -> Passkey | None:
    fields = value if isinstance(value, Mapping) else {}
    passkey, name, site = fields.get("id"), fields.get("name"), fields.get("site")
    made, used = read_moment(fields.get("createdAt")), read_moment(fields.get("lastUsedAt"))
    if not isinstance(passkey, str) or not 0 < len(passkey) <= _MAX_ID or made is None or used is None:
        return None
    shown = clean_text(name, limit=_MAX_NAME) if isinstance(name, str) else ""
    return Passkey(passkey, shown or _("Passkey"), read_host(site), made, used)
