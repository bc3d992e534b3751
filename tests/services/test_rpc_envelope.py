"""How calls are written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.services.rpc.envelope import batch_text, encode_call, request_text

# Without surrogates, which no UTF-8 has.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
CALLS = st.tuples(TEXTS, st.lists(VALUES, max_size=4) | st.dictionaries(TEXTS, VALUES, max_size=4))


@given(st.lists(CALLS, min_size=1, max_size=5), st.integers(1, 2**53))
def test_what_is_written_is_what_was_asked(calls: list[tuple[str, list[object]]], first: int) -> None:
    encoded = [encode_call(*call) for call in calls]
    expected = [
        {"jsonrpc": "2.0", "id": first + place, "method": method, "params": params}
        for place, (method, params) in enumerate(calls)
    ]
    assert json.loads(batch_text(encoded, first)) == expected
    assert json.loads(request_text(encoded[0], first)) == expected[0]


@given(CALLS, CALLS)
def test_equal_texts_are_equal_calls(one: tuple[str, list[object]], other: tuple[str, list[object]]) -> None:
    if encode_call(*one).text == encode_call(*other).text:
        assert one == other


def test_a_tuple_is_a_list() -> None:
    assert encode_call("m", (1, 2)) == encode_call("m", [1, 2])


@pytest.mark.parametrize("depth", [1_000, 200_000])
def test_a_nesting_without_end_is_refused(depth: int) -> None:
    deep: object = 0
    for _ in range(depth):
        deep = [deep]
    with pytest.raises(ValueError, match="JSON"):
        encode_call("m", [deep])
