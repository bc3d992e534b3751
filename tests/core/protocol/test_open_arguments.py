"""What a host page fills in: read, or left out with a sentence for its console."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.json_values import JSON
from walletmodal.core.protocol.open_arguments import read_open_arguments, read_payment

ADDRESS = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"


@pytest.mark.parametrize(
    ("view", "arguments"),
    [
        ("Swap", {"fromToken": "USDC.e", "toToken": "eip155:1:0xeee", "amount": "0.5"}),
        ("WalletSend", {"token": "ETH", "amount": "1", "to": ADDRESS}),
        ("WalletSend", {"token": "", "amount": "", "to": "vitalik.eth"}),
        ("OnRampProviders", {"token": "ETH", "amount": "100.5", "currency": "EUR"}),
    ],
)
def test_what_is_right_is_taken(view: str, arguments: dict[str, str]) -> None:
    assert read_open_arguments(view, arguments) == (arguments, ())


def test_what_is_not_given_is_left_open() -> None:
    left_open = {"token": "", "amount": "", "currency": ""}
    assert read_open_arguments("OnRampProviders", {"token": None, "amount": ""}) == (left_open, ())


@pytest.mark.parametrize("view", ["Swap", "WalletSend", "OnRampProviders"])
@pytest.mark.parametrize(("number", "amount"), [(100, "100"), (100.0, "100"), (99.5, "99.5")])
def test_an_amount_may_be_a_number(view: str, number: float, amount: str) -> None:
    assert read_open_arguments(view, {"amount": number})[0]["amount"] == amount


NO_AMOUNTS: list[object] = ["0", "0.0", "-1", "1e21", 1e21, "1,000", " 1", "NaN", True, float("nan"), float("inf"), {}]


@pytest.mark.parametrize(
    ("view", "name", "value"),
    [
        *((view, "amount", value) for view in ("Swap", "WalletSend", "OnRampProviders") for value in NO_AMOUNTS),
        ("Swap", "amount", 10**400),
        ("OnRampProviders", "amount", "1.005"),
        ("OnRampProviders", "amount", "9" * 40),
        ("OnRampProviders", "token", "US DC"),
        ("OnRampProviders", "token", "x" * 33),
        ("OnRampProviders", "token", ["ETH"]),
        ("OnRampProviders", "currency", "usd"),
        ("OnRampProviders", "currency", "DOLLAR"),
        ("Swap", "toToken", "<b>"),
        ("WalletSend", "token", 5),
        ("WalletSend", "to", "x" * 5000),
        ("WalletSend", "to", "a\u202eb"),
        ("WalletSend", "to", {"address": ADDRESS}),
    ],
)
def test_what_is_wrong_is_left_out_and_said(view: str, name: str, value: object) -> None:
    read, (sentence,) = read_open_arguments(view, {name: value})
    assert read[name] == ""
    assert sentence.startswith(f'open({{view: "{view}"}}): `{name}` must be ')
    assert sentence.endswith("; it is left out.")


def test_what_is_wrong_takes_nothing_else_with_it() -> None:
    read, sentences = read_open_arguments("OnRampProviders", {"token": "ETH", "amount": "1e21", "currency": "EUR"})
    assert (read, len(sentences)) == ({"token": "ETH", "amount": "", "currency": "EUR"}, 1)


def test_an_argument_that_there_is_not_is_named_shortly() -> None:
    _, sentences = read_open_arguments("Swap", {"x" * 500: 1, **{f"n{i}": 1 for i in range(50)}})
    assert len(sentences) == 8
    assert max(map(len, sentences)) < 200


@given(
    st.sampled_from(["Swap", "WalletSend", "OnRampProviders"]),
    st.dictionaries(st.sampled_from(["fromToken", "toToken", "token", "amount", "to", "currency", "x"]), JSON),
)
def test_whatever_comes_is_read_or_left_out(view: str, arguments: dict[str, object]) -> None:
    read, _ = read_open_arguments(view, arguments)
    assert all(isinstance(text, str) and text.isprintable() for text in read.values())


@given(st.integers(min_value=1, max_value=10**11))
def test_every_payment_of_whole_cents_is_read_exactly(cents: int) -> None:
    whole, fraction = divmod(cents, 100)
    assert Decimal(read_payment(f"{whole}.{fraction:02d}")) * 100 == cents


@given(st.text(max_size=40))
def test_no_text_breaks_the_reading_of_a_payment(text: str) -> None:
    assert read_payment(text) == "" or set(read_payment(text)) <= set("0123456789.")
