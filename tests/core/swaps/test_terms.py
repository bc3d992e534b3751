"""Arithmetic of a swap, held against fractions."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.swaps.terms import (
    AUTOMATIC_SLIPPAGES,
    MAX_SLIPPAGE,
    Side,
    automatic_slippage,
    least_received,
    market_impact,
    pool_impact,
    price_impact,
    read_slippage,
    sample_amount,
)

AMOUNTS = st.integers(1, 2**256 - 1)
SLIPPAGES = st.decimals(Decimal("0.01"), MAX_SLIPPAGE, places=2)


@given(AMOUNTS, SLIPPAGES)
def test_what_is_received_at_least_is_never_less_than_the_slippage_allows(amount: int, slippage: Decimal) -> None:
    least = least_received(amount, slippage)
    exact = Fraction(amount) * (100 - Fraction(slippage)) / 100
    assert exact <= least < exact + 1


@given(AMOUNTS, AMOUNTS, AMOUNTS, AMOUNTS)
def test_the_pool_impact_is_rounded_up_to_hundredths_of_a_percent(a: int, b: int, c: int, d: int) -> None:
    impact = pool_impact(a, b, c, d)
    exact = (1 - Fraction(b, a) / Fraction(d, c)) * 100
    assert impact is not None
    assert max(Fraction(0), exact) <= Fraction(impact) < max(Fraction(0), exact) + Fraction(1, 100)


@given(st.integers(1, 10**40), st.integers(0, 36), st.decimals(Decimal("0.000001"), 10**6, places=6))
def test_the_market_impact_of_an_even_swap_is_zero(amount: int, decimals: int, price: Decimal) -> None:
    side = Side(amount, decimals, price)
    assert market_impact(side, side) == 0
    assert market_impact(side, Side(2 * amount, decimals, price)) == 0
    assert market_impact(Side(2 * amount, decimals, price), side) == 50


def test_without_a_price_there_is_no_market_impact() -> None:
    known = Side(10, 0, Decimal(1))
    assert market_impact(known, Side(10, 0)) is None
    assert market_impact(Side(10, 0, Decimal(0)), known) is None
    assert pool_impact(10, 10, 0, 0) is None


def test_the_worst_impact_that_is_known_counts() -> None:
    assert price_impact(None, Decimal(1), Decimal(4)) == 4
    assert price_impact(None, None) is None


@given(st.integers(0, 10**60))
def test_a_sample_is_small_beside_the_amount_and_shared_by_many(amount: int) -> None:
    sample = sample_amount(amount)
    assert sample * 1000 <= amount
    assert (sample > 0) == (amount >= 10_000)
    assert sample == 0 or str(sample).rstrip("0") == "1"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("1", "1"),
        ("0.5", "0.5"),
        (" 0,25 % ", "0.25"),
        (".1", "0.1"),
        ("50", "50"),
        ("50.00", "50"),
        ("0.01", "0.01"),
        ("0", None),
        ("0.00", None),
        ("50.01", None),
        ("100", None),
        ("-1", None),
        ("1e1", None),
        ("1.005", None),
        (".", None),
        ("", None),
        ("١", None),
        ("NaN", None),
    ],
)
def test_a_slippage_is_read_or_it_is_none(typed: str, read: str | None) -> None:
    assert read_slippage(typed) == (None if read is None else Decimal(read))


@given(st.none() | st.decimals(0, 100, places=2))
def test_the_automatic_slippage_stays_in_its_range_and_grows_with_the_impact(impact: Decimal | None) -> None:
    least, most = AUTOMATIC_SLIPPAGES
    chosen = automatic_slippage(impact)
    assert least <= chosen <= most
    assert impact is None or impact > most or chosen >= impact
