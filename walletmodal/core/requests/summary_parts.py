"""Parts of a request's summary: rows, warnings, and texts of strangers in which nothing hides."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.language import Localized, _, listed, ngettext
from walletmodal.core.text.amounts import MAX_DECIMALS, to_decimal
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.formatting import format_exact, with_symbol

Tone = Literal["", "code", "address", "warning"]

UNLIMITED: Final = _("Unlimited")
_INVISIBLE: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_FORBIDDEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
_MAX_RAW: Final = 2048
_MAX_NAMES: Final = 10
_MAX_NAME: Final = 48
_JOINER: Final = "\u200d"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a request is shown: `text` characters of a message, `rows` of a part, `parts`, `depth` of what is nested, `value` characters of a row."""

    text: int
    rows: int
    parts: int
    depth: int
    value: int


FIRST: Final = Limits(text=1200, rows=16, parts=6, depth=6, value=200)
WHOLE: Final = Limits(text=32_000, rows=400, parts=100, depth=20, value=4000)


@dataclass(frozen=True, slots=True)
class Row:
    """One line: a name, a value, and how deep it is nested."""

    name: str
    value: str = ""
    depth: int = 0
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Rows that belong together, under a title, which "" leaves to the summary. `raw`: the bytes behind them, for those who can read them."""

    title: str
    rows: tuple[Row, ...] = ()
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token contract: None for its decimals where it counts nothing, as collections of NFTs."""

    symbol: str
    decimals: int | None


Tokens = Mapping[str, Token | None]
"""By normal address; None: it could not be asked."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A request in words.

    Attributes:
        title: what it is, such as 'Sign a message'.
        text: the message that is signed, "" for none; `encoded`: it is no text, so it stands there in hex.
        parts: what it does.
        warnings: what speaks against it, the gravest first.
        hidden: something is left out here for its length.
        tokens: contracts whose names and decimals would make amounts readable.
        total: what leaves of the native coin altogether where that is the sum of several calls, else "".
    """

    title: str
    text: str = ""
    encoded: bool = False
    parts: tuple[Part, ...] = ()
    warnings: tuple[str, ...] = ()
    hidden: bool = False
    tokens: tuple[str, ...] = ()
    total: str = ""


def reveal_hidden(text: str, *, lines: bool = False) -> tuple[str, bool]:
    """Writes out everything that hides in a text, such as `[U+202E]`, and tells whether there was any.

    Args:
        text: of a stranger.
        lines: whether line breaks stay.
    """
    shown, found = list[str](), False
    for at, char in enumerate(text):
        if char == "\n" and lines:
            shown.append(char)
        elif char == "\t":
            shown.append(" ")
        elif char == _JOINER and 0 < at < len(text) - 1 and unicodedata.category(text[at - 1]) in ("So", "Sk", "Mn"):
            # Between two pictures it makes one of them.
            shown.append(char)
        elif unicodedata.category(char) in _FORBIDDEN or char in _INVISIBLE:
            shown.append(f"[U+{ord(char):04X}]")
            found = True
        else:
            shown.append(char)
    return "".join(shown), found


def plain_text(value: object) -> str:
    """Formats a value of JSON that holds no others."""
    if value is None or isinstance(value, bool):
        return {None: _("nothing"), True: _("yes"), False: _("no")}[value]
    return str(value)


def short_text(text: str, limit: int) -> str:
    """Formats a value on one line, cut where it is longer. What stays as it is can still be said in another language."""
    shown = reveal_hidden(text[: limit + 1])[0]
    if shown == text and len(text) <= limit:
        return text
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"


def names_text(names: Iterable[str]) -> str:
    """Lists names that strangers have given, "" for none; cut where there are more than anybody reads."""
    found = list(islice(names, _MAX_NAMES + 1))
    shown = [short_text(name, _MAX_NAME) for name in found[:_MAX_NAMES]]
    return listed([*shown, "…"] if len(found) > len(shown) else shown)


def json_rows(name: str, value: object, depth: int, limits: Limits) -> Iterator[Row]:
    """Makes rows of a JSON value as it is; `name` is where it stands, "" for the whole."""
    entries: list[tuple[str, object]] | None = None
    if isinstance(value, Mapping):
        entries = [(str(key), one) for key, one in value.items()]
    elif isinstance(value, list):
        entries = [("" if len(value) == 1 else str(number), one) for number, one in enumerate(value, 1)]
    if entries is None:
        shown = plain_text(value)
        yield Row(name, shown if isinstance(shown, Localized) else _cut(shown, limits), depth)
        return
    if name:
        yield Row(
            name if isinstance(name, Localized) else _cut(name, limits), "" if depth < limits.depth else "…", depth
        )
    if depth >= limits.depth:
        return
    for key, one in entries:
        yield from json_rows(key, one, depth + bool(name), limits)


def _cut(text: str, limits: Limits) -> str:
    shown = reveal_hidden(text[: limits.value])[0]
    return shown + ("…" if len(text) > limits.value else "")


def raw_text(data: bytes) -> str:
    """Formats bytes in hex, "" for none; cut where they are longer than anybody reads."""
    return f"0x{data[:_MAX_RAW].hex()}{'…' if len(data) > _MAX_RAW else ''}" if data else ""


def address_row(name: str, address: str, *, depth: int = 0) -> Row:
    """Makes a row of a whole address: it is there to be compared."""
    return Row(name, address, depth, "address")


def coin_amount(chain: str, units: int) -> str:
    """Formats an amount of a network's native coin."""
    network = bundled_networks().get(chain)
    if network is None:
        return _("{amount} of the network's coin", amount=format_exact(to_decimal(units, 18)))
    coin = network.native_currency
    return with_symbol(format_exact(to_decimal(units, coin.decimals)), coin.symbol)


def amount_text(token: Token | None, amount: int) -> str:
    """Formats an amount of a token; base units where nobody can say what they are."""
    if token is None or token.decimals is None or not 0 <= token.decimals <= MAX_DECIMALS:
        return base_units_text(amount)
    return with_symbol(format_exact(to_decimal(amount, token.decimals)), token_name(token))


def base_units_text(amount: int) -> str:
    """Formats an amount of which nobody can say what it counts."""
    # Translators: the smallest unit of a token whose decimals are unknown
    return _("{amount} base units", amount=amount)


def numbered_title(number: object, title: str) -> str:
    """Formats the title of one of several, such as `2. Send 1 ETH`."""
    return _("{number}. {title}", number=number, title=title)


def count_of_bytes(data: bytes) -> str:
    """Formats how long something is."""
    return ngettext("{count} bytes", "{count} bytes", len(data))


def unlimited_text(name: str) -> str:
    """Formats an amount without a limit, of what `name` says, which "" leaves out."""
    return _("Unlimited {token}", token=name) if name else UNLIMITED


def chain_text(number: object) -> str:
    """Names a network of which nothing but its number is known."""
    return _("Chain {number}", number=number)


def token_name(token: Token | None) -> str:
    """Returns what a token calls itself; its contract's own words."""
    return clean_text(token.symbol, limit=24) if token else ""
