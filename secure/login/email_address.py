"""Email addresses: which ones are taken, and their one spelling."""

import re
from typing import Final

from walletmodal.core.language import _
from walletmodal.secure.errors import CallError

_MOST, _MOST_LOCAL = 254, 64
_LOCAL: Final = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*")
_DOMAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?")


def normal_email(text: str) -> str:
    """The spelling under which an address has its account: in lower case, its domain in ASCII (IDNA).

    Raises:
        CallError: 400 `invalid_email`: no address, or one with a quoted or international part before the @.
    """
    local, __, domain = text.strip().lower().rpartition("@")
    try:
        domain = domain.encode("idna").decode("ascii")
    except UnicodeError:
        domain = ""
    address = f"{local}@{domain}"
    if len(address) > _MOST or len(local) > _MOST_LOCAL or not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(domain):
        raise CallError(400, "invalid_email", _("Invalid email"))
    return address
