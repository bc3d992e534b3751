"""Amounts are exact."""

import contextlib
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.errors import AmountError
from walletmodal.core.text.amounts import format_balance, format_units, parse_units, to_base_units, to_decimal

BASE_UNITS = st.integers(0, 2**256 - 1)
DECIMALS = st.integers(0, 36)


@given(BASE_UNITS, DECIMALS)
def test_an_amount_survives_its_text(amount: int, decimals: int) -> None:
    assert parse_units(format_units(amount, decimals), decimals) == amount


@given(st.integers(-(2**256), 2**256), DECIMALS)
def test_the_text_is_the_exact_decimal(amount: int, decimals: int) -> None:
    assert Fraction(format_units(amount, decimals)) == Fraction(amount, 10**decimals)


@given(BASE_UNITS, DECIMALS)
def test_a_shown_balance_is_never_more_than_there_is(amount: int, decimals: int) -> None:
    shown = Fraction(format_balance(amount, decimals))
    exact = Fraction(to_decimal(amount, decimals))
    assert exact - Fraction(1, 1000) < shown <= exact


@given(st.text(max_size=120), DECIMALS)
def test_any_text_is_read_or_refused_with_an_amount_error(text: str, decimals: int) -> None:
    with contextlib.suppress(AmountError):
        assert parse_units(text, decimals) >= 0


@pytest.mark.parametrize(
    ("amount", "decimals", "text"),
    [
        (0, 18, "0"),
        (1, 18, "0.000000000000000001"),
        (1500, 3, "1.5"),
        (10, 0, "10"),
        (-1500, 3, "-1.5"),
        (10**18, 18, "1"),
    ],
)
def test_format_units(amount: int, decimals: int, text: str) -> None:
    assert format_units(amount, decimals) == text


@pytest.mark.parametrize(
    ("text", "decimals", "amount"),
    [("1.5", 3, 1500), (".5", 1, 5), ("5.", 1, 50), ("0", 18, 0), ("1.500000", 1, 15), ("007", 0, 7), ("1.0", 0, 1)],
)
def test_parse_units(text: str, decimals: int, amount: int) -> None:
    assert parse_units(text, decimals) == amount


@every_case(
    ("text", "message"),
    [
        ("-1", "must not be negative"),
        ("1.23", "too many decimals"),
        *((text, "is not a number") for text in (
            "", ".", "1e3", "1E3", "+1", " 1", "1 ", "1,5", "1.2.3", "0x10", "NaN", "Infinity", "١", "1_000", "1" * 97,
        )),
    ],
)  # fmt: skip
def test_what_is_no_amount_is_refused(text: str, message: str) -> None:
    with pytest.raises(AmountError, match=message):
        parse_units(text, 1)


@pytest.mark.parametrize(
    ("amount", "decimals", "text"),
    [
        (None, 18, "0.000"),
        (0, 18, "0.000"),
        (1, 18, "0.000"),
        (999_999_999_999_999, 18, "0.000"),
        (10**15, 18, "0.001"),
        (15 * 10**17, 18, "1.5"),
        (1_999_999_999_999_999_999, 18, "1.999"),
        (10_000 * 10**18, 18, "10000"),
        (12, 1, "1.2"),
        (7, 0, "7"),
        (-5, 0, "0.000"),
    ],
)
def test_a_balance_is_rounded_down_to_three_decimals(amount: int | None, decimals: int, text: str) -> None:
    assert format_balance(amount, decimals) == text


@pytest.mark.parametrize(
    ("number", "decimals", "base_units"),
    [("1.5", 3, 1500), ("0.0019", 3, 1), ("1e60", 18, 10**78), ("0", 18, 0), ("1" * 96, 36, int("1" * 96) * 10**36)],
)
def test_a_number_becomes_base_units_whatever_its_length(number: str, decimals: int, base_units: int) -> None:
    assert to_base_units(Decimal(number), decimals) == base_units


def test_a_negative_number_is_no_base_units() -> None:
    with pytest.raises(AmountError):
        to_base_units(Decimal(-1), 18)


@pytest.mark.parametrize("decimals", [-1, 37, 10**9])
def test_decimals_out_of_range_are_refused(decimals: int) -> None:
    for call in (
        lambda: format_units(1, decimals),
        lambda: parse_units("1", decimals),
        lambda: format_balance(1, decimals),
        lambda: to_base_units(Decimal(1), decimals),
    ):
        with pytest.raises(AmountError, match="Invalid decimals"):
            call()
