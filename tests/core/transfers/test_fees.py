"""What a transfer costs, and what is left to send."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.transfers.fees import FeeQuote, SpeedFee, charges_for_data, fee_value, spendable

AMOUNTS = st.integers(0, 2**256 - 1)
THREE = FeeQuote((SpeedFee("slow", 1, 1), SpeedFee("normal", 2, 2), SpeedFee("fast", 3, 3)))
ONE = FeeQuote((SpeedFee("normal", 7, 7),))


@given(AMOUNTS, AMOUNTS)
def test_what_can_be_spent_leaves_exactly_the_fee(balance: int, fee: int) -> None:
    amount = spendable(balance, fee)
    assert amount >= 0
    assert amount + fee == balance if balance >= fee else amount == 0


@given(AMOUNTS, st.integers(0, 36), st.decimals(0, 10**9, places=8))
def test_the_value_of_a_fee_is_exact(fee: int, decimals: int, price: Decimal) -> None:
    value = fee_value(fee, decimals, price)
    numerator, denominator = price.as_integer_ratio()
    assert value is not None
    top, bottom = value.as_integer_ratio()
    assert top * denominator * 10**decimals == fee * numerator * bottom


def test_without_a_price_there_is_no_value() -> None:
    assert fee_value(10**15, 18, None) is None


def test_a_speed_is_offered_where_there_is_a_choice() -> None:
    assert (THREE.speeds, ONE.speeds) == (("slow", "normal", "fast"), ())
    assert (THREE.of("fast").most, ONE.of("fast").most) == (3, 7)


@pytest.mark.parametrize(
    ("chain", "charges"),
    [("eip155:1", False), ("eip155:10", True), ("eip155:8453", True), ("eip155:42161", False), ("eip155:137", False)],
)
def test_networks_that_charge_for_data_elsewhere(chain: str, charges: bool) -> None:
    assert charges_for_data(parse_chain_id(chain)) is charges


def test_only_evm_networks_charge_for_data_elsewhere() -> None:
    assert not charges_for_data(parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"))
