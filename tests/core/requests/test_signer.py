"""Who is asked to sign: the account that every wallet reads out of a request, or nobody."""

from __future__ import annotations

from typing import Any

import pytest

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.errors import AddressError
from walletmodal.core.requests.methods import METHODS
from walletmodal.core.requests.signer import find_signer

ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
SOL, OTHER_SOL = "4fYNw3dojWmQ4dXtSGE9epjRGy9pFSx62YypT7avPYvA", "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB"
UNREADABLE = (TypeError, ValueError, KeyError, IndexError, AttributeError, AddressError)


@pytest.mark.parametrize(
    ("namespace", "method", "params", "first", "expected"),
    [
        ("eip155", "personal_sign", ["0x68", BOB.lower()], ALICE, BOB),
        ("eip155", "eth_sendTransaction", [{"from": BOB}], ALICE, BOB),
        ("eip155", "wallet_sendCalls", [{"calls": []}], ALICE, ALICE),
        ("solana", "solana_signTransaction", {"transaction": "AQ=="}, SOL, SOL),
        ("solana", "solana_signTransaction", {"transaction": "AQ==", "pubkey": OTHER_SOL}, SOL, OTHER_SOL),
        ("solana", "solana_signAllTransactions", {"transactions": [], "account": OTHER_SOL}, SOL, OTHER_SOL),
        (
            "solana",
            "solana_signAndSendTransaction",
            {"transaction": "AQ==", "pubkey": None, "account": OTHER_SOL},
            SOL,
            OTHER_SOL,
        ),
    ],
)
def test_the_account_is_the_one_that_the_wallet_takes(
    namespace: Namespace, method: str, params: Any, first: str, expected: str
) -> None:
    assert find_signer(namespace, METHODS[namespace][method], params, first) == expected


@pytest.mark.parametrize(
    ("namespace", "method", "params"),
    [
        # A wallet that does not know it for an address could take the two for each other.
        ("eip155", "personal_sign", [BOB, ALICE[2:]]),
        ("eip155", "personal_sign", [BOB, "0X" + ALICE[2:]]),
        ("eip155", "personal_sign", [ALICE, "0x68"]),
        ("eip155", "eth_sendTransaction", [{"from": [ALICE]}]),
        ("eip155", "wallet_sendCalls", [{"from": None}]),
        ("solana", "solana_signTransaction", {"pubkey": SOL, "account": OTHER_SOL}),
        ("solana", "solana_signTransaction", {"pubkey": [SOL]}),
        ("solana", "solana_signTransaction", ["AQ=="]),
    ],
)
def test_who_is_not_named_as_every_wallet_reads_it_signs_nothing(
    namespace: Namespace, method: str, params: Any
) -> None:
    with pytest.raises(UNREADABLE):
        find_signer(namespace, METHODS[namespace][method], params, SOL if namespace == "solana" else ALICE)
