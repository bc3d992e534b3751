"""Size and depth limits of messages between the windows, checked before anything else looks at them."""

import math
import sys
from collections.abc import Mapping
from typing import Final

from pydantic import BaseModel

from walletmodal.core.errors import ProtocolError

MAX_BYTES: Final = 256 * 1024
MAX_DEPTH: Final = 24
MAX_NODES: Final = 10_000
"""Values, containers included: each costs more time and memory than its bytes say."""
_MAX_SAFE_INTEGER: Final = 2**53 - 1


def check_limits(
    value: object,
    *,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
    max_nodes: int = MAX_NODES,
    any_text: bool = False,
) -> None:
    """Refuse what is not JSON, has more than `max_bytes` when serialised or more than `max_nodes` values, or is nested deeper than `max_depth`.

    A text with an unpaired surrogate is refused too: as part of a visitor's state it could not be sent to the browser, nor
    anything with it. With `any_text` it passes, for messages whose every text is checked or cleaned by itself.

    Walks without recursion and stops at the first excess, so that a hostile message costs no more than an honest one.

    Raises:
        ProtocolError: `malformed`, `oversized` or `deep`.
    """
    left, nodes_left = max_bytes, max_nodes - 1
    todo: list[tuple[object, int]] = [(value, 1)]
    while todo:
        item, depth = todo.pop()
        left -= _own_size(item, any_text=any_text)
        if isinstance(item, dict | list | tuple):
            if depth > max_depth:
                raise ProtocolError("deep", f"nested deeper than {max_depth}")
            nodes_left -= len(item)
            if nodes_left < 0:
                raise ProtocolError("oversized", f"more than {max_nodes} values")
            if isinstance(item, dict):
                for key, entry in item.items():
                    if not isinstance(key, str):
                        raise ProtocolError("malformed", "a key is no text")
                    left -= _text_size(key, any_text=any_text) + 1
                    todo.append((entry, depth + 1))
            else:
                todo.extend((entry, depth + 1) for entry in item)
            left -= max(0, len(item) - 1)
        if left < 0:
            raise ProtocolError("oversized", f"more than {max_bytes} bytes")


def is_within_limits(value: object) -> bool:
    """Whether `check_limits` lets a value pass."""
    try:
        check_limits(value)
    except ProtocolError:
        return False
    return True


def text_bytes(value: object) -> int:
    """Bytes that the texts of a value take in memory: one emoji makes each character of its text four bytes wide."""
    if isinstance(value, str):
        return len(value) if value.isascii() else sys.getsizeof(value)
    if isinstance(value, BaseModel):
        return sum(text_bytes(entry) for _, entry in value)
    if isinstance(value, Mapping):
        return sum(text_bytes(key) + text_bytes(entry) for key, entry in value.items())
    if isinstance(value, list | tuple):
        return sum(text_bytes(entry) for entry in value)
    return 0


def _own_size(item: object, *, any_text: bool) -> int:
    """Bytes of a value's own JSON, without what a container holds."""
    if item is None or item is True:
        return 4
    if item is False:
        return 5
    if isinstance(item, str):
        return _text_size(item, any_text=any_text)
    if isinstance(item, int):
        if abs(item) > _MAX_SAFE_INTEGER:
            raise ProtocolError("malformed", "a number that JavaScript cannot carry exactly")
        return len(str(item))
    if isinstance(item, float):
        if not math.isfinite(item):
            raise ProtocolError("malformed", "a number that JSON does not know")
        return len(repr(item))
    if isinstance(item, dict | list | tuple):
        return 2
    raise ProtocolError("malformed", "a value that JSON does not know")


def _text_size(text: str, *, any_text: bool) -> int:
    try:
        encoded = text.encode("utf-8", "surrogatepass" if any_text else "strict")
    except UnicodeEncodeError as error:
        raise ProtocolError("malformed", "a text that is no Unicode") from error
    return len(encoded) + 2 + text.count('"') + text.count("\\")
