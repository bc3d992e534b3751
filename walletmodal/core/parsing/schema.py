"""Shapes of JSON, and the generic messages about what does not fit them.

A `Schema` reads a value and gives it back typed, in new containers, or raises `PayloadError`: its `short_message` is the generic
message, its `details` say where, as in `params[0].to`. Keys that an object's shape does
not name are kept: dropping one, such as EIP-5792's `atomicRequired`, would change what a wallet is asked for.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from enum import Enum
from typing import Any, Final, Literal, TypeAlias, TypeVar

from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.text.display_text import clean_text

_T = TypeVar("_T")
Path = tuple[str | int, ...]
Schema: TypeAlias = Callable[[object, Path], _T]
"""Reads a value at a path: the name of the whole, then keys and indexes."""


class Missing(Enum):
    """The one value that stands for a key that is not there, which is not `null`."""

    MISSING = "undefined"


MISSING: Final = Missing.MISSING

REQUIRED: Final = "Required"
INVALID: Final = "Invalid"
INVALID_INPUT: Final = "Invalid input"
INVALID_EMAIL: Final = "Invalid email"
_MAX_SHOWN: Final = 40
_MAX_EMAIL: Final = 254
_EMAIL: Final = re.compile(
    r"[A-Za-z0-9_+'-]+(?:\.[A-Za-z0-9_+'-]+)*@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+(?:[A-Za-z]{2,63}|xn--[A-Za-z0-9-]{1,59})"
)
_MAX_LOCAL_PART: Final = 64


def type_name(value: object) -> str:
    """What JavaScript calls the type of a JSON value; `unknown` for what JSON does not have."""
    if value is MISSING:
        return "undefined"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float | Decimal):
        return "number" if _is_finite(value) else "nan"
    for kind, name in ((str, "string"), (Mapping, "object"), (list | tuple, "array")):
        if isinstance(value, kind):
            return name
    return "unknown"


def check(schema: Schema[_T], value: object, name: str = "value") -> _T:
    """Read a value.

    Args:
        schema: its shape.
        value: JSON of a stranger, or `MISSING`.
        name: what the value is called in the error's path.

    Raises:
        PayloadError: it does not fit.
    """
    return schema(value, (name,))


def text(*, prefix: str = "", pattern: re.Pattern[str] | None = None) -> Schema[str]:
    """A string; with `prefix` it must start so, with `pattern` all of it must match."""

    def read(value: object, path: Path) -> str:
        if not isinstance(value, str):
            raise _unexpected("string", value, path)
        if not value.startswith(prefix):
            raise _misfit(f'{INVALID_INPUT}: must start with "{prefix}"', path)
        if pattern is not None and not pattern.fullmatch(value):
            raise _misfit(INVALID, path)
        return value

    return read


def number(value: object, path: Path) -> int | float | Decimal:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal) or not _is_finite(value):
        raise _unexpected("number", value, path)
    return value


def boolean(value: object, path: Path) -> bool:
    """True or false, and no number or text that may be meant so."""
    if not isinstance(value, bool):
        raise _unexpected("boolean", value, path)
    return value


def anything(value: object, path: Path) -> Any:
    """Any value that is there, `null` too."""
    if value is MISSING:
        raise _misfit(REQUIRED, path)
    return value


def email(value: object, path: Path) -> str:
    """An email address: a dot-atom of letters, digits and `_+'-`, and a domain with a top level."""
    address = text()(value, path)
    local = address.partition("@")[0]
    if len(address) > _MAX_EMAIL or len(local) > _MAX_LOCAL_PART or not _EMAIL.fullmatch(address):
        raise _misfit(INVALID_EMAIL, path)
    return address


def one_of(*choices: str) -> Schema[str]:
    """One of the texts."""

    def read(value: object, path: Path) -> str:
        given = text()(value, path)
        if given not in choices:
            listed = " | ".join(f"'{choice}'" for choice in choices)
            shown = clean_text(given, limit=_MAX_SHOWN)
            raise _misfit(f"Invalid enum value. Expected {listed}, received '{shown}'", path)
        return given

    return read


def array(item: Schema[_T], *, at_least: int = 0) -> Schema[list[_T]]:
    """A list whose every element fits; one that is shorter than `at_least` lacks a required element."""

    def read(value: object, path: Path) -> list[_T]:
        if not isinstance(value, list | tuple):
            raise _unexpected("array", value, path)
        given: Sequence[object] = [*value, *[MISSING] * (at_least - len(value))]
        return [item(entry, (*path, index)) for index, entry in enumerate(given)]

    return read


def record(
    required: Mapping[str, Schema[Any]] | None = None, optional: Mapping[str, Schema[Any]] | None = None
) -> Schema[dict[str, Any]]:
    """An object. An optional key may be missing, but not `null`; keys that are not named are kept."""
    needed, allowed = dict(required or {}), dict(optional or {})

    def read(value: object, path: Path) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise _unexpected("object", value, path)
        checked = {key: shape(value.get(key, MISSING), (*path, key)) for key, shape in needed.items()}
        checked |= {key: shape(value[key], (*path, key)) for key, shape in allowed.items() if key in value}
        return {**value, **checked}

    return read


def either(*shapes: Schema[Any]) -> Schema[Any]:
    """What fits one of the shapes, the first that it fits; the message is that of none of them."""

    def read(value: object, path: Path) -> Any:
        if value is MISSING:
            raise _misfit(REQUIRED, path)
        for shape in shapes:
            try:
                return shape(value, path)
            except PayloadError:
                continue
        raise _misfit(INVALID_INPUT, path)

    return read


def _unexpected(
    expected: Literal["string", "number", "boolean", "array", "object"], value: object, path: Path
) -> PayloadError:
    if value is MISSING:
        return _misfit(REQUIRED, path)
    return _misfit(f"Expected {expected} received {type_name(value)}", path)


def _misfit(message: str, path: Path) -> PayloadError:
    return PayloadError(message, details=_written(path))


def _is_finite(value: float | Decimal) -> bool:
    if isinstance(value, Decimal):
        return value.is_finite()
    return isinstance(value, int) or math.isfinite(value)


def _written(path: Path) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
