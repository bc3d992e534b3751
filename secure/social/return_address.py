"""Where a login goes back to that has taken the place of the host page, because no window could be opened: Telegram opens none."""

from collections.abc import Collection
from typing import Final
from urllib.parse import quote, urlsplit

from walletmodal.core.parsing.urls import normal_origin

MAX_ADDRESS: Final = 2048


def return_address(text: str, sites: Collection[str]) -> str:
    """The address of a host page of this site; "" for any other, and for what browsers may read otherwise than we do."""
    if not text.isascii() or not text.isprintable() or " " in text or "\\" in text or len(text) > MAX_ADDRESS:
        return ""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    origin = normal_origin(f"{parts.scheme}://{parts.netloc}")
    if origin is None or origin not in sites:
        return ""
    return f"{origin}{parts.path or '/'}" + (f"?{parts.query}" if parts.query else "")


def with_result(address: str, result: str) -> str:
    """The address with `result_uri`, by which the modal on that page knows that a login is back."""
    return f"{address}{'&' if '?' in address else '?'}result_uri={quote(result, safe='')}"
