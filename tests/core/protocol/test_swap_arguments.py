"""What a host fills in for a swap: read, or left out with a sentence for its console."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.json_values import JSON
from walletmodal.core.protocol.swap_arguments import SwapArguments, read_swap_arguments


def test_symbols_contracts_and_ids_are_read() -> None:
    given_ = {"fromToken": "USDC.e", "toToken": "eip155:1:0xeee", "amount": "0.5"}
    assert read_swap_arguments(given_) == (SwapArguments("USDC.e", "eip155:1:0xeee", "0.5"), ())


@pytest.mark.parametrize(
    "amount", ["0", "0.0", "-1", "1e3", "", " 1", "1,5", "NaN", True, None, [], 10**400, float("inf")]
)
def test_an_amount_that_is_none_is_left_out(amount: object) -> None:
    read, wrong = read_swap_arguments({"amount": amount})
    assert read == SwapArguments()
    assert len(wrong) == (0 if amount in ("", None) else 1)


def test_a_number_is_an_amount_too() -> None:
    assert read_swap_arguments({"amount": 12})[0].amount == "12"
    assert read_swap_arguments({"amount": 2.0})[0].amount == "2"


def test_what_there_is_not_is_named() -> None:
    _, wrong = read_swap_arguments({"from": "ETH"})
    assert wrong == ('open({view: "Swap"}): there is no argument `from`; it is left out.',)


@given(st.dictionaries(st.sampled_from(["fromToken", "toToken", "amount", "x"]), JSON))
def test_whatever_comes_is_read_or_left_out(arguments: dict[str, object]) -> None:
    read, wrong = read_swap_arguments(arguments)
    assert all(len(text) <= 256 for text in (read.from_token, read.to_token, read.amount))
    assert all(sentence.startswith('open({view: "Swap"})') for sentence in wrong)
