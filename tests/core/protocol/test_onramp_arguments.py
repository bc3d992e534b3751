"""What a host page fills in for a purchase."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.protocol.onramp_arguments import OnrampArguments, read_onramp_arguments, read_payment


def test_what_is_right_is_taken() -> None:
    read = read_onramp_arguments({"token": "ETH", "amount": "100.50", "currency": "EUR"})
    assert read == (OnrampArguments("ETH", "100.5", "EUR"), ())


def test_what_is_not_given_is_left_open() -> None:
    assert read_onramp_arguments({"token": None, "amount": ""}) == (OnrampArguments(), ())


@pytest.mark.parametrize(
    ("given_amount", "amount"), [(100, "100"), (100.0, "100"), (99.5, "99.5"), ("1000000000", "1000000000")]
)
def test_an_amount_may_be_a_number(given_amount: object, amount: str) -> None:
    assert read_onramp_arguments({"amount": given_amount})[0].amount == amount


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("token", "US DC"),
        ("token", "<b>"),
        ("token", "x" * 33),
        ("token", 5),
        ("token", ["ETH"]),
        ("amount", "1e21"),
        ("amount", 1e21),
        ("amount", "1,000"),
        ("amount", "-5"),
        ("amount", "0"),
        ("amount", "1.005"),
        ("amount", "9" * 40),
        ("amount", True),
        ("amount", float("nan")),
        ("amount", float("inf")),
        ("amount", {}),
        ("currency", "usd"),
        ("currency", "DOLLAR"),
        ("currency", 1),
    ],
)
def test_what_is_wrong_is_left_out_and_said(name: str, value: object) -> None:
    read, (sentence,) = read_onramp_arguments({"token": "ETH", name: value})
    assert getattr(read, name) == ""
    assert f"`{name}`" in sentence
    assert "left out" in sentence


def test_what_is_wrong_takes_nothing_else_with_it() -> None:
    read, sentences = read_onramp_arguments({"token": "ETH", "amount": "1e21", "currency": "EUR"})
    assert (read, len(sentences)) == (OnrampArguments("ETH", "", "EUR"), 1)


def test_an_argument_that_there_is_not_is_named_shortly() -> None:
    _, sentences = read_onramp_arguments({"x" * 500: 1, **{f"n{i}": 1 for i in range(50)}})
    assert len(sentences) == 8
    assert max(map(len, sentences)) < 200


@given(st.integers(min_value=1, max_value=10**11))
def test_every_amount_of_whole_cents_is_read_exactly(cents: int) -> None:
    whole, fraction = divmod(cents, 100)
    assert Decimal(read_payment(f"{whole}.{fraction:02d}")) * 100 == cents


@given(st.text(max_size=40))
def test_no_text_breaks_the_reading_of_an_amount(text: str) -> None:
    assert read_payment(text) == "" or set(read_payment(text)) <= set("0123456789.")
