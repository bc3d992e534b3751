"""What may be sent."""

import contextlib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.samples import SAMPLES
from walletmodal.core.accounts.tokens import parse_token_balance
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import AddressError
from walletmodal.core.errors.flow import UnsupportedChainError
from walletmodal.core.errors.rules import SendError
from walletmodal.core.protocol.options import AccountType
from walletmodal.core.transfers.send import check_send, gas_is_insufficient, lacks_gas

ETHEREUM, SOLANA, BITCOIN = map(
    parse_chain_id,
    ("eip155:1", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "bip122:000000000019d6689c085ae165831e93"),
)
USDC = parse_token_balance(SAMPLES["token_balance"])
RECEIVER = "0x" + "a" * 40
NEEDED = "Please enter a valid amount and receiver address"


def test_what_was_entered_whole_is_a_transfer() -> None:
    transfer = check_send(ETHEREUM, USDC, 1_500_000, RECEIVER)
    assert (transfer.chain, transfer.token, transfer.base_units, transfer.receiver) == (
        ETHEREUM,
        USDC,
        1_500_000,
        "0xaAaAaAaaAaAaAaaAaAAAAAAAAaaaAaAaAaaAaaAa",
    )


def test_a_receiver_without_0x_gets_one() -> None:
    assert check_send(ETHEREUM, USDC, 1, "d8da6bf26964af9d7eed9e03e53415d37aa96045").receiver == (
        "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
    )


def test_solana_sends_too() -> None:
    assert check_send(SOLANA, USDC, 1_500_000, "So11111111111111111111111111111111111111112").base_units == 1_500_000


@pytest.mark.parametrize(
    ("base_units", "receiver"),
    [
        (0, RECEIVER),
        (-1, RECEIVER),
        (1, ""),
        (1, "0x12"),
        (1, "So11111111111111111111111111111111111111112"),
        (1, "0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045"),
    ],
)
def test_what_is_incomplete_or_wrong_is_refused(base_units: int, receiver: str) -> None:
    with pytest.raises(SendError) as caught:
        check_send(ETHEREUM, USDC, base_units, receiver)
    assert caught.value.short_message == NEEDED


def test_other_namespaces_do_not_send() -> None:
    with pytest.raises(UnsupportedChainError, match=r"^Unsupported chain$"):
        check_send(BITCOIN, USDC, 1, "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")


@given(st.integers(), st.text(max_size=50))
def test_anything_is_a_transfer_or_refused(base_units: int, receiver: str) -> None:
    with contextlib.suppress(SendError):
        assert check_send(ETHEREUM, USDC, base_units, receiver).base_units > 0


@pytest.mark.parametrize(
    ("address", "contract"),
    [
        (None, None),
        ("eip155:1:0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", None),
        ("eip155:1:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"),
    ],
)
def test_the_contract_of_a_transfer_is_the_tokens_or_none_for_the_coin(
    address: str | None, contract: str | None
) -> None:
    token = USDC.model_copy(update={"address": address})
    assert check_send(ETHEREUM, token, 1, RECEIVER).contract == contract


@pytest.mark.parametrize("address", ["0x12", "eip155:1:0x12", "eip155:10:0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"])
def test_a_token_without_an_address_of_the_network_is_refused(address: str) -> None:
    transfer = check_send(ETHEREUM, USDC.model_copy(update={"address": address}), 1, RECEIVER)
    with pytest.raises(AddressError):
        _ = transfer.contract


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
