"""What may be sent."""

import contextlib
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.samples import SAMPLES
from walletmodal.core.accounts.tokens import parse_token_balance
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.flow import UnsupportedChainError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.protocol.options import AccountType
from walletmodal.core.transfers.send import SendDraft, can_send_on, check_send, gas_is_insufficient, lacks_gas

ETHEREUM, SOLANA, BITCOIN = map(
    parse_chain_id,
    ("eip155:1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "bip122:000000000019d6689c085ae165831e93"),
)
USDC = parse_token_balance(SAMPLES["token_balance"])
DRAFT = SendDraft(USDC, "1.5", "0x" + "a" * 40, gas_price=10, gas_price_usd=Decimal(1), network_balance_usd=Decimal(9))
NEEDED = "Please enter a valid amount and receiver address"


def test_a_complete_draft_is_a_transfer_in_base_units() -> None:
    transfer = check_send(DRAFT, ETHEREUM)
    assert (transfer.chain, transfer.token, transfer.base_units, transfer.receiver) == (
        ETHEREUM,
        USDC,
        1_500_000,
        "0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa",
    )


def test_a_receiver_without_0x_gets_one() -> None:
    assert check_send(replace(DRAFT, receiver="d8da6bf26964af9d7eed9e03e53415d37aa96045"), ETHEREUM).receiver == (
        "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
    )


def test_solana_sends_too() -> None:
    draft = replace(DRAFT, receiver="So11111111111111111111111111111111111111112")
    assert check_send(draft, SOLANA).base_units == 1_500_000


@pytest.mark.parametrize(
    "change",
    [
        {"token": None},
        {"amount": ""},
        {"receiver": ""},
        {"amount": "0"},
        {"amount": "1e-7"},
        {"amount": "1,5"},
        {"amount": "-1"},
        {"amount": "0.0000001"},
        {"receiver": "0x12"},
        {"receiver": "So11111111111111111111111111111111111111112"},
        {"receiver": "0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045"},
    ],
)
def test_an_incomplete_or_wrong_draft_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(SendError) as caught:
        check_send(replace(DRAFT, **change), ETHEREUM)
    assert caught.value.short_message == NEEDED


def test_other_namespaces_do_not_send() -> None:
    with pytest.raises(UnsupportedChainError, match=r"^Unsupported chain$"):
        check_send(DRAFT, BITCOIN)
    assert [can_send_on(space) for space in ("eip155", "solana", "bip122", "polkadot")] == [True, True, False, False]


@settings(max_examples=300)
@given(st.text(max_size=30), st.text(max_size=50))
def test_any_draft_is_a_transfer_or_refused(amount: str, receiver: str) -> None:
    with contextlib.suppress(SendError):
        assert check_send(replace(DRAFT, amount=amount, receiver=receiver), ETHEREUM).base_units > 0


@pytest.mark.parametrize(
    ("balance", "gas", "insufficient"),
    [("0", "0", True), ("0", None, True), ("5", "5", False), ("5", "5.01", True), ("5", None, False)],
)
def test_gas_is_insufficient_without_a_balance_or_when_it_costs_more(
    balance: str, gas: str | None, *, insufficient: bool
) -> None:
    assert gas_is_insufficient(Decimal(balance), None if gas is None else Decimal(gas)) is insufficient


@pytest.mark.parametrize(
    ("account_type", "balance", "lacks"),
    [
        ("smartAccount", "0", False),
        ("smartAccount", None, False),
        ("eoa", None, True),
        ("eoa", "0", True),
        ("eoa", "9", False),
    ],
)
def test_a_smart_account_skips_the_check(account_type: AccountType, balance: str | None, *, lacks: bool) -> None:
    known = None if balance is None else Decimal(balance)
    assert lacks_gas(account_type, known, Decimal(1)) is lacks


def test_after_sending_only_gas_and_the_native_balance_stay() -> None:
    assert DRAFT.after_sending() == SendDraft(gas_price=10, gas_price_usd=Decimal(1), network_balance_usd=Decimal(9))
