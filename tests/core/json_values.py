"""JSON that strangers might send: anything at all, and right answers with one part replaced or missing."""

import copy
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(10**300, 10**301),
    st.decimals(allow_nan=False, allow_infinity=False),
    st.sampled_from([Decimal("1E-400"), Decimal("1E+400"), Decimal("-0.0")]),
    st.floats(allow_nan=True, allow_infinity=True),
    st.text(max_size=30),
    st.sampled_from(
        [
            "",
            "0x",
            "javascript:alert(1)",
            "https://a.example/x",
            "http://127.0.0.1/",
            "2025-13-01T00:00:00Z",
            "9999-12-31T23:59:59-23:59",
            "1e999",
            "-1",
            "٣",
            "a" * 5000,
            "\ud800",
            "\u202eevil",
        ]
    ),
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=12), inner, max_size=3),
    max_leaves=5,
)


def places(value: Any) -> list[tuple[str | int, ...]]:
    """The path of every part of a JSON value, the whole first."""
    found: list[tuple[str | int, ...]] = [()]
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in entries:
        found += [(key, *rest) for rest in places(part)]
    return found


def _changed(sample: Any, path: tuple[str | int, ...], change: Callable[[Any, str | int], None]) -> Any:
    copied = copy.deepcopy(sample)
    part = copied
    for key in path[:-1]:
        part = part[key]
    change(part, path[-1])
    return copied


def without(sample: Any, *path: str | int) -> Any:
    """The sample without one part."""
    return _changed(sample, path, lambda part, key: part.__delitem__(key))


def replaced(sample: Any, value: object, *path: str | int) -> Any:
    """The sample with one part replaced."""
    return value if not path else _changed(sample, path, lambda part, key: part.__setitem__(key, value))


@st.composite
def spoiled(draw: st.DrawFn, sample: Any) -> Any:
    """The sample with one part replaced by any JSON, or left out."""
    path: tuple[str | int, ...] = draw(st.sampled_from(places(sample)))
    removed: bool = draw(st.booleans())
    if path and removed:
        return without(sample, *path)
    return replaced(sample, draw(JSON), *path)
