"""The tokens that may be sent: how much of them there is, exactly, however much that is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.features.send_stage import USDC_KEY, balance
from walletmodal.core.text.amounts import format_units
from walletmodal.features.send.tokens import units


@given(amount=st.integers(0, 2**256 - 1), decimals=st.integers(0, 36))
def test_every_balance_that_a_contract_can_name_is_counted_exactly(amount: int, decimals: int) -> None:
    assert units(balance(USDC_KEY, "USDC", format_units(amount, decimals), decimals)) == amount


def test_what_a_service_says_beyond_the_tokens_decimals_is_not_there() -> None:
    assert units(balance(USDC_KEY, "USDC", "12345678901234567890123.9999999", 6)) == 12345678901234567890123_999999
