"""How many values a JSON text has, found out without parsing it."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.web.json_size import MAX_DEPTH, TooComplexError, values_in

TEXTS = st.text(st.sampled_from('[]{},:"\\ abc\u00e9\U0001f600'), max_size=20)
VALUES = st.recursive(
    st.none() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(TEXTS, inner, max_size=5),
    max_leaves=40,
)


def count(value: Any) -> int:
    if isinstance(value, dict):
        return 1 + sum(map(count, value.values()))
    return 1 + sum(map(count, value)) if isinstance(value, list) else 1


@given(VALUES)
def test_no_text_has_more_values_than_are_counted(value: Any) -> None:
    assert values_in(json.dumps(value), 10_000) >= count(value)


@given(VALUES)
def test_what_stands_in_texts_takes_no_ones_place(value: Any) -> None:
    # An empty container counts as one value and the place for another.
    assert values_in(json.dumps(value), 2 * count(value)) <= 10_000


def test_more_values_than_allowed_are_refused() -> None:
    with pytest.raises(TooComplexError):
        values_in("[" + "[]," * 100 + "[]]", 100)


def test_many_commas_in_a_text_are_one_value() -> None:
    assert values_in(json.dumps(["M1,2 L3,4 [" * 5_000]), 100) <= 100


def test_escaped_quotes_do_not_hide_values() -> None:
    with pytest.raises(TooComplexError):
        values_in('["\\\\"' + ",[]" * 200 + ',"\\""]', 100)


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":'])
def test_depth_is_bounded(opening: str) -> None:
    with pytest.raises(TooComplexError):
        values_in(opening * (MAX_DEPTH + 1), 10_000)


def test_many_flat_containers_are_not_deep() -> None:
    assert values_in(json.dumps([[{}]] * 1_000), 10_000) == 3_001


@pytest.mark.parametrize("text", ['"' * 100_000, "[" * 100_000, "\\" * 100_000, '"\\' * 50_000])
def test_nonsense_ends_one_way_or_the_other(text: str) -> None:
    try:
        assert values_in(text, 1_000) <= 1_000
    except TooComplexError:
        return
