"""How numbers, names and dates are shown."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.text.formatting import (
    day_text,
    fiat_total,
    format_amount,
    format_exact,
    format_number,
    format_quantity,
    format_usd,
    shorten_name,
)

AMOUNTS = st.decimals(min_value=0, max_value=10**30, allow_nan=False, allow_infinity=False, places=18)


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        ("1.5", "1.5"),
        ("1.9999", "1.999"),
        ("9999.99999", "9,999.999"),
        ("2500000", "2,500,000"),
        ("0.0009", "<0.001"),
        ("0.001", "0.001"),
        ("0", "0.000"),
        ("-1", "0.000"),
        ("1E+3", "1,000"),
        ("10.100", "10.1"),
        (None, "0.000"),
    ],
)
def test_an_amount_is_rounded_down_to_three_decimals_and_grouped(amount: str | None, shown: str) -> None:
    assert format_amount(None if amount is None else Decimal(amount)) == shown


@given(AMOUNTS.filter(lambda amount: amount >= Decimal("0.001")))
def test_a_shown_amount_is_never_more_than_there_is(amount: Decimal) -> None:
    shown = Fraction(format_amount(amount).replace(",", ""))
    assert shown <= Fraction(amount) < shown + Fraction(1, 1000)


@given(AMOUNTS)
def test_an_exact_number_has_all_its_digits(number: Decimal) -> None:
    text = format_exact(number)
    assert (Decimal(text.replace(",", "")), "." in text and text.endswith("0")) == (number, False)


def test_an_exact_number_is_grouped() -> None:
    assert (format_exact(Decimal("1234567.0001")), format_exact(Decimal("1E-18"))) == (
        "1,234,567.0001",
        "0.000000000000000001",
    )


@pytest.mark.parametrize(
    ("number", "decimals", "shown"),
    [
        ("1234567.891", 2, "1,234,567.89"),
        ("0", 2, "0.00"),
        ("-0.001", 2, "0.00"),
        ("-1234.5", 2, "-1,234.50"),
        ("0.005", 2, "0.00"),
        ("0.019", 2, "0.01"),
        ("12", 4, "12.0000"),
        ("999999999999999999999999999999.999", 2, "999,999,999,999,999,999,999,999,999,999.99"),
    ],
)
def test_a_number_is_written_as_en_us_does(number: str, decimals: int, shown: str) -> None:
    assert format_number(Decimal(number), decimals) == shown


def test_an_unknown_number_is_zero() -> None:
    assert (format_number(None), format_usd(None)) == ("0.00", "$0.00")


@given(AMOUNTS, st.integers(0, 8))
def test_a_number_is_shown_to_its_decimals_and_never_as_more_than_it_is(number: Decimal, decimals: int) -> None:
    read = Decimal(format_number(number, decimals).replace(",", ""))
    assert 0 <= Fraction(number) - Fraction(read) < Fraction(1, 10**decimals)


@pytest.mark.parametrize(
    ("quantity", "shown"), [("12.5", "12.500"), ("1E-8", "<0.001"), ("0", "0.000"), ("2500000.5678", "2,500,000.567")]
)
def test_a_transferred_quantity_has_three_decimals(quantity: str, shown: str) -> None:
    assert format_quantity(Decimal(quantity)) == shown


@pytest.mark.parametrize(
    ("value", "dollars", "cents"),
    [("1234.5", "$1,234", ".50"), ("0", "$0", ".00"), ("0.999", "$0", ".99"), ("-3", "$0", ".00")],
)
def test_a_total_is_split_into_dollars_and_cents(value: str, dollars: str, cents: str) -> None:
    total = fiat_total(Decimal(value))
    assert (total.dollars, total.cents) == (dollars, cents)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("maple.reown.id", "maple.reown.id"), ("a" * 18, "a" * 18), ("a" * 19, "a" * 18 + "..."), ("a\u202eb", "ab")],
)
def test_a_long_name_is_cut(name: str, shown: str) -> None:
    assert shorten_name(name) == shown


def test_a_name_can_be_cut_elsewhere() -> None:
    assert shorten_name("b" * 30, 20) == "b" * 20 + "..."


def test_a_day_has_two_digits_and_three_letters() -> None:
    assert (day_text(date(2025, 3, 5)), day_text(date(2025, 12, 31))) == ("05 Mar", "31 Dec")
