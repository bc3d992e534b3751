"""Amounts as visitors type them."""

from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.text.amounts import format_units
from walletmodal.core.transfers.amount_input import AmountProblem, TypedAmount, read_amount


@every_case(
    ("text", "base_units"),
    [
        ("", 0),
        ("  ", 0),
        ("0", 0),
        ("0.0", 0),
        ("1", 1_000_000),
        ("1.", 1_000_000),
        (".5", 500_000),
        ("007", 7_000_000),
        (" 1.5\n", 1_500_000),
        ("1.5000000000000000", 1_500_000),
        ("0.000001", 1),
        ("1,5", 1_500_000),
        (",25", 250_000),
        ("5,", 5_000_000),
        ("0,125", 125_000),
        ("1000,5", 1_000_500_000),
    ],
)
def test_what_can_be_read(text: str, base_units: int) -> None:
    assert read_amount(text, 6) == TypedAmount(base_units)


@every_case(
    ("text", "problem"),
    [
        ("-1", "malformed"),
        ("+1", "malformed"),
        ("1e21", "malformed"),
        ("1E5", "malformed"),
        ("0x10", "malformed"),
        ("1 000", "malformed"),
        ("1_000", "malformed"),
        ("1.2.3", "malformed"),
        ("1,2,3", "malformed"),
        ("1,000.5", "malformed"),
        ("1.000,5", "malformed"),
        (".", "malformed"),
        (",", "malformed"),
        ("NaN", "malformed"),
        ("Infinity", "malformed"),
        ("\u0661", "malformed"),
        ("1\u200b2", "malformed"),
        ("9" * 97, "malformed"),
        ("1,000", "ambiguous"),
        ("12,345", "ambiguous"),
        ("0." + "0" * 39 + "1", "too_many_decimals"),
        ("1.0000001", "too_many_decimals"),
    ],
)
def test_what_cannot_be_read_and_why(text: str, problem: AmountProblem) -> None:
    assert read_amount(text, 6) == TypedAmount(problem=problem)


def test_a_token_without_decimals_takes_whole_numbers() -> None:
    assert (read_amount("3", 0), read_amount("3.5", 0).problem) == (TypedAmount(3), "too_many_decimals")


@given(st.integers(0, 2**256 - 1), st.integers(0, 24))
def test_every_amount_is_read_as_the_integer_that_it_stands_for(base_units: int, decimals: int) -> None:
    assert read_amount(format_units(base_units, decimals), decimals) == TypedAmount(base_units)


@given(st.text(max_size=120), st.integers(0, 36))
def test_whatever_is_typed_is_exact_or_not_read(text: str, decimals: int) -> None:
    read = read_amount(text, decimals)
    if read.base_units:
        typed = Decimal(text.strip().replace(",", "."))
        assert Decimal(read.base_units).scaleb(-decimals) == typed or read.base_units > 10**27
