"""What was proposed against what the chain has."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.compute_budget import set_compute_unit_limit

from tests.solana_samples import SENDER as SOL_KEY
from tests.solana_samples import encoded, payment
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.transfers.transaction_request import (
    Mined,
    Payment,
    Proposal,
    data_mark,
    differences,
    is_same,
    propose,
    token_payment,
)

ETHEREUM, SOLANA = parse_chain_id("eip155:1"), parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
SENDER, OTHER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
TOKEN = "0x1111111111111111111111111111111111111111"
TRANSFER = "0xa9059cbb" + OTHER[2:].lower().rjust(64, "0") + f"{100:064x}"


def proposed(method: str = "eth_sendTransaction", **call: Any) -> Proposal:
    params = [{"from": SENDER, "calls": [call]}] if method == "wallet_sendCalls" else [call]
    return propose(ETHEREUM, SENDER, method, params)


@pytest.mark.parametrize("method", ["eth_sendTransaction", "wallet_sendCalls"])
def test_a_transfer_of_the_coin_is_read_as_one(method: str) -> None:
    found = proposed(method, to=OTHER.lower(), value="0xde0b6b3a7640000", data="0x")
    assert (found.to, found.value, found.data, found.receiver, found.amount) == (OTHER, 10**18, "", OTHER, 10**18)
    assert (found.symbol, found.decimals, found.token) == ("ETH", 18, "")


def test_the_nonce_bounds_its_life() -> None:
    assert proposed(to=OTHER, nonce="0x10").anchor == "16"


def test_a_new_contract_has_no_receiver() -> None:
    found = proposed(data="0x6000")
    assert (found.to, found.receiver, found.data.split()[:2]) == ("", "", ["0x6000", "2"])


def test_several_calls_are_one_proposal() -> None:
    calls = [{"to": OTHER, "value": "0x1"}, {"to": TOKEN, "data": TRANSFER, "value": "0x2"}]
    found = propose(ETHEREUM, SENDER, "wallet_sendCalls", [{"calls": calls}])
    assert (found.to, found.value, bool(found.data)) == ("", 3, True)


def test_a_proposal_outlives_the_process() -> None:
    found = proposed(to=OTHER, value=hex(2**256 - 1), data=TRANSFER)
    assert Proposal.model_validate_json(found.model_dump_json()) == found


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("personal_sign", ["0x", SENDER]),
        ("eth_sendTransaction", []),
        ("eth_sendTransaction", None),
        ("eth_sendTransaction", "0x"),
        ("eth_sendTransaction", [{"to": "vitalik.eth"}]),
        ("eth_sendTransaction", [{"to": OTHER, "value": "1"}]),
        ("eth_sendTransaction", [{"to": OTHER, "value": "0x" + "f" * 65}]),
        ("eth_sendTransaction", [{"to": OTHER, "data": "0x1"}]),
        ("eth_sendTransaction", [{"to": OTHER, "data": 5}]),
        ("wallet_sendCalls", [{"calls": "0x"}]),
        ("wallet_sendCalls", [{"calls": [5]}]),
    ],
)
def test_what_cannot_be_read_is_refused(method: str, params: Any) -> None:
    with pytest.raises(PayloadError):
        propose(ETHEREUM, SENDER, method, params)


@pytest.mark.parametrize("transaction", [None, 5, "", "AQID", "!!!!", "AQ" * 4000])
def test_what_is_no_transaction_of_solana_is_refused(transaction: Any) -> None:
    with pytest.raises(PayloadError):
        propose(SOLANA, str(SOL_KEY.pubkey()), "solana_signAndSendTransaction", {"transaction": transaction})


def test_a_token_transfer_is_read_from_its_call_data() -> None:
    assert token_payment(TOKEN, bytes.fromhex(TRANSFER[2:])) == Payment(TOKEN, OTHER, 100)


@pytest.mark.parametrize(
    "data", ["", TRANSFER[2:-2], TRANSFER[2:] + "00", "ff" + TRANSFER[4:], TRANSFER[2:10] + "01" + TRANSFER[12:]]
)
def test_other_call_data_is_no_token_transfer(data: str) -> None:
    assert token_payment(TOKEN, bytes.fromhex(data)) is None


SENT = proposed(to=OTHER, value="0x5")
MINED = Mined("eip155:1", "0x", SENDER, OTHER, 5)
TOKEN_SENT = proposed(to=TOKEN, data=TRANSFER).model_copy(
    update={"token": TOKEN, "receiver": OTHER, "amount": 100, "symbol": "T", "decimals": 1}
)
TOKEN_MINED = Mined(
    "eip155:1", "0x", SENDER, TOKEN, 0, data_mark(bytes.fromhex(TRANSFER[2:])), Payment(TOKEN, OTHER, 100), gained=100
)


def test_what_is_as_proposed_has_no_differences() -> None:
    assert (differences(SENT, MINED), differences(TOKEN_SENT, TOKEN_MINED)) == ((), ())


@pytest.mark.parametrize(
    ("proposal", "mined", "texts"),
    [
        (SENT, replace(MINED, chain="eip155:137"), ["Network: Polygon instead of Ethereum"]),
        (SENT, replace(MINED, sender=TOKEN), [f"Sender: {TOKEN} instead of {SENDER}"]),
        (SENT, replace(MINED, to=TOKEN), [f"Receiver: {TOKEN} instead of {OTHER}"]),
        (SENT, replace(MINED, to=""), [f"Receiver: a new contract instead of {OTHER}"]),
        (SENT, replace(MINED, data="0x01020304 4 ab"), ["Contract call: 0x01020304 instead of none"]),
        (
            TOKEN_SENT,
            replace(TOKEN_MINED, paid=Payment(TOKEN, SENDER, 100), data="x"),
            [f"Receiver: {SENDER} instead of {OTHER}"],
        ),
        (
            TOKEN_SENT,
            replace(TOKEN_MINED, paid=Payment(TOKEN, OTHER, 105), data="x"),
            ["Amount: 10.5 T instead of 10 T"],
        ),
        (
            TOKEN_SENT,
            replace(TOKEN_MINED, paid=None, data="0x095ea7b3 68 ab"),
            ["Contract call: 0x095ea7b3 instead of 0xa9059cbb"],
        ),
        (TOKEN_SENT, replace(TOKEN_MINED, gained=90), ["Amount: 9 T instead of 10 T"]),
        (TOKEN_SENT, replace(TOKEN_MINED, relayed=True, sender=OTHER, to=OTHER, data="x", paid=None), []),
        (TOKEN_SENT, replace(TOKEN_MINED, relayed=True, gained=0), ["Amount: 0 T instead of 10 T"]),
    ],
)
def test_each_difference_is_told_with_both_sides(proposal: Proposal, mined: Mined, texts: list[str]) -> None:
    assert [one.text for one in differences(proposal, mined)] == texts


def test_a_token_that_keeps_a_fee_is_still_the_transaction_that_was_asked_for() -> None:
    assert is_same(TOKEN_SENT, replace(TOKEN_MINED, gained=90))


@given(st.integers(0, 2**256 - 1), st.integers(0, 2**256 - 1))
def test_any_other_amount_is_a_difference(meant: int, mined: int) -> None:
    proposal = proposed(to=OTHER, value=hex(meant))
    assert is_same(proposal, replace(MINED, value=mined)) is (meant == mined)


def test_instructions_that_wallets_add_make_no_other_transaction() -> None:
    plain, priced = encoded(payment(5)), encoded(set_compute_unit_limit(9), payment(5), signed=True)
    sender = str(SOL_KEY.pubkey())
    first, second = (
        propose(SOLANA, sender, "solana_signAndSendTransaction", {"transaction": one}) for one in (plain, priced)
    )
    other = propose(SOLANA, sender, "solana_signAndSendTransaction", {"transaction": encoded(payment(6))})
    assert (first.data == second.data, first.data == other.data) == (True, False)
