"""What the pages of all chains share: amounts, times, shortened hashes, badges, the head of a page."""

from datetime import UTC, datetime
from decimal import Decimal
from xml.etree.ElementTree import Element

from eth_utils.address import to_checksum_address

from walletmodal.core.text.display_text import clean_text
from walletmodal.sandbox.blockchain.prices import units_text
from walletmodal.sandbox.explorer.html import Content, el, link

PAGE = 25
"""Rows of a page."""

_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


class NothingThereError(Exception):
    """What was asked for is not on the chain; the text says so to a person."""


def amount(base_units: int, decimals: int, symbol: str) -> str:
    """An amount as people read it, whole: `1,234.5 USDC`."""
    whole, _, rest = units_text(base_units, decimals).partition(".")
    grouped = f"{Decimal(whole):,}" + (f".{rest}" if rest else "")
    return f"{grouped} {name_of(symbol)}".strip()


def name_of(text: str) -> str:
    """What a contract or mint calls itself, on one line and without invisible characters."""
    return clean_text(text, limit=40)


def short(text: str) -> str:
    """A hash or address in the middle of others: its beginning and its end."""
    return text if len(text) <= 20 else f"{text[:8]}…{text[-6:]}"


def when(seconds: int, now: datetime) -> Element:
    """A time, with how long ago that is."""
    at = datetime.fromtimestamp(seconds, UTC)
    passed = max(0, int((now - at).total_seconds()))
    count, unit = next(((passed // size, unit) for size, unit in _UNITS if passed >= size), (0, "second"))
    ago = f"{count} {unit}{'' if count == 1 else 's'} ago"
    return el("time", ago, datetime=at.isoformat(), title=f"{at:%d %B %Y, %H:%M:%S} UTC")


def full_time(seconds: int, now: datetime) -> Element:
    """A time in full, and how long ago."""
    at = datetime.fromtimestamp(seconds, UTC)
    return el("span", f"{at:%d %B %Y, %H:%M:%S} UTC (", when(seconds, now), ")")


def badge(status: str) -> Element:
    """How a transaction stands: confirmed, failed or pending."""
    return el("span", status.capitalize(), class_="badge", data_status=status)


def to_transaction(chain: str, number: str, *, whole: bool = False) -> Element:
    """A link to a transaction."""
    return link(el("code", number if whole else short(number)), f"/explorer/{chain}/tx/{number}")


def to_address(chain: str, address: str, *, label: str = "", whole: bool = False) -> Element:
    """A link to an address, by its label where it has one."""
    address = to_checksum_address(address) if address.startswith("0x") else address
    shown = el("code", address if whole else short(address))
    return link(
        el("span", label) if label and not whole else shown, f"/explorer/{chain}/address/{address}", title=address
    )


def to_token(chain: str, contract: str, text: str, token_id: int | None = None) -> Element:
    """A link to a token."""
    return link(text, f"/explorer/{chain}/token/{contract}" + ("" if token_id is None else f"?a={token_id}"))


def head(chain: str, chain_name: str, title: str, subject: str = "", label: str = "") -> Element:
    """The top of a page: where one is, what it is about, and that in full."""
    way = el(
        "nav",
        link("All chains", "/explorer/"),
        " / ",
        link(chain_name, f"/explorer/{chain}"),
        aria_label="Where you are",
    )
    return el(
        "div",
        way,
        el("h1", title, *([el("span", label, class_="label")] if label else [])),
        el("p", el("code", subject), class_="subject") if subject else None,
        class_="head",
    )


def pager(path: str, number: int, *, more: bool) -> Content:
    """Links to the pages beside this one; None when there are none."""
    newer = link("← Newer", f"{path}?page={number - 1}", class_="action") if number > 1 else None
    older = link("Older →", f"{path}?page={number + 1}", class_="action") if more else None
    return (
        el("nav", newer, older, class_="pager", aria_label="Pages") if newer is not None or older is not None else None
    )
