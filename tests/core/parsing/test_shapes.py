"""How answers of services are read."""

import contextlib
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from tests.cases import every_case
from tests.core.json_values import JSON, spoiled
from tests.core.samples import PARSERS, ROWS, SAMPLES
from walletmodal.core.errors import ShapeError
from walletmodal.core.parsing.shapes import MAX_ROWS, exact_number, read_all, read_field, read_rows, safe_link


@every_case("name", SAMPLES)
def test_the_references_own_example_is_read(name: str) -> None:
    assert PARSERS[name](SAMPLES[name])


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() - ROWS))
@given(data=st.data())
def test_a_spoiled_answer_is_read_or_refused_with_a_shape_error(name: str, data: st.DataObject) -> None:
    answer = data.draw(spoiled(SAMPLES[name]))
    with contextlib.suppress(ShapeError):
        PARSERS[name](answer)


@given(JSON)
def test_any_json_is_read_or_refused_with_a_shape_error(answer: object) -> None:
    for parse in PARSERS.values():
        with contextlib.suppress(ShapeError):
            parse(answer)


@every_case("name", SAMPLES)
def test_a_field_that_is_not_in_the_reference_is_dropped(name: str) -> None:
    assert PARSERS[name](_with_extras(SAMPLES[name])) == PARSERS[name](SAMPLES[name])


def _with_extras(value: Any) -> Any:
    if isinstance(value, dict):
        # What maps ids to something has no fields of its own.
        keyed = all(not key.isidentifier() for key in value)
        extra = {} if keyed or "bio" in value or "contract" in value else {"somethingNew": 1}
        return {key: _with_extras(part) for key, part in value.items()} | extra
    return [_with_extras(part) for part in value] if isinstance(value, list) else value


@every_case("name", SAMPLES)
def test_no_amount_is_a_float(name: str) -> None:
    read = PARSERS[name](SAMPLES[name])
    assert not list(_floats(read))


def _floats(value: object) -> Any:
    if isinstance(value, float):
        yield value
    elif isinstance(value, BaseModel):
        yield from _floats(list(value.__dict__.values()))
    elif isinstance(value, dict):
        yield from _floats(list(value.values()))
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _floats(part)


@given(st.integers(-(10**60), 10**60), st.integers(0, 30))
def test_a_number_keeps_every_digit(digits: int, decimals: int) -> None:
    number = Decimal(digits).scaleb(-decimals)
    assert exact_number(format(number, "f")) == number


@given(JSON)
@example(float("nan"))
@example(Decimal("sNaN"))
@example(Decimal("1E+999999"))
@example("1E-999")
@example(2**100_000)
def test_a_number_is_read_or_refused(value: object) -> None:
    try:
        number = exact_number(value)
    except ValueError:
        return
    assert len(format(number, "f")) < 500


def test_a_float_of_the_browsers_json_counts_as_its_shortest_text() -> None:
    assert exact_number(0.1) == Decimal("0.1")


@pytest.mark.parametrize("value", [True, None, "", "1,5", " 1", "+1", "0x1", "NaN", "Infinity", [], "1e1000", "1" * 97])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"must be|is too"):
        exact_number(value)


@pytest.mark.parametrize(
    "link", ["lantern://", "lantern", "lantern:", "https://a.example/wc", "tc://x?y=1", "com.app+x://"]
)
def test_a_link_of_an_app_is_kept(link: str) -> None:
    assert safe_link(link) == link


@pytest.mark.parametrize(
    "link",
    ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x", "view-source:https://a.example", "blob:x", "file:///etc", "https://u:p@a.example",
     "https://", "java\nscript:alert(1)", " javascript:alert(1)", "1://x", "a://" + "x" * 3000, "a://<script>", "a://\ud800"],
)  # fmt: skip
def test_a_link_that_a_browser_would_run_is_dropped(link: str) -> None:
    assert safe_link(link) is None


def _number(row: object) -> int:
    if not isinstance(row, int):
        raise ShapeError("row: must be a number")
    return row


def test_a_wrong_row_of_strangers_is_left_out() -> None:
    assert read_rows([1, "x", 2], _number, of="rows") == (1, 2)


def test_an_empty_list_is_right() -> None:
    assert read_rows([], _number, of="rows") == ()


def test_rows_that_are_all_wrong_are_refused() -> None:
    with pytest.raises(ShapeError) as caught:
        read_rows(["x", "y"], _number, of="rows")
    assert caught.value.details == "row: must be a number"


def test_one_wrong_row_spoils_a_list_that_is_right_as_a_whole() -> None:
    with pytest.raises(ShapeError):
        read_all([1, "x"], _number, of="rows")


@pytest.mark.parametrize("read", [read_rows, read_all])
@pytest.mark.parametrize("raw", [None, {}, "x", 1, [1] * (MAX_ROWS + 1)])
def test_what_is_no_list_is_refused(read: Any, raw: object) -> None:
    with pytest.raises(ShapeError):
        read(raw, _number, of="rows")


@pytest.mark.parametrize("raw", [None, [], "x", {}, {"Balances": 1}])
def test_a_missing_wrapper_is_named(raw: object) -> None:
    with pytest.raises(ShapeError) as caught:
        read_field(raw, "balances", of="answer")
    assert caught.value.details == "answer: must be an object with balances"


def test_the_first_wrong_field_is_named_without_its_value() -> None:
    with pytest.raises(ShapeError) as caught:
        PARSERS["token_balance"]({**SAMPLES["token_balance"], "price": "<script>"})
    assert caught.value.details == "TokenBalance.price: must be a number"
