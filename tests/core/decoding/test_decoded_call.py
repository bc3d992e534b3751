"""What is read from the call data of contracts, hostile spellings included."""

from __future__ import annotations

from typing import Any

import pytest
from eth_abi.abi import encode
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.decoding.decoded_call import (
    KNOWN_FUNCTIONS,
    UNLIMITED_FROM,
    Function,
    OwnerChange,
    decode_call,
    selector,
)

ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
TOKEN = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
MAX = 2**256 - 1
SIGNED = (27, b"\x01" * 32, b"\x02" * 32)


def called(signature: str, *arguments: Any) -> bytes:
    """Call data as an ABI library makes it."""
    types = signature.partition("(")[2].removesuffix(")").split(",")
    return bytes.fromhex(selector(signature)[2:]) + encode(types, arguments)


@pytest.mark.parametrize(
    ("signature", "known"),
    [
        ("transfer(address,uint256)", "0xa9059cbb"),
        ("transferFrom(address,address,uint256)", "0x23b872dd"),
        ("approve(address,uint256)", "0x095ea7b3"),
        ("increaseAllowance(address,uint256)", "0x39509351"),
        ("setApprovalForAll(address,bool)", "0xa22cb465"),
        ("safeTransferFrom(address,address,uint256)", "0x42842e0e"),
        ("safeTransferFrom(address,address,uint256,bytes)", "0xb88d4fde"),
        ("safeTransferFrom(address,address,uint256,uint256,bytes)", "0xf242432a"),
        ("safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)", "0x2eb2c2d6"),
        ("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", "0xd505accf"),
        ("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)", "0x8fcbaf0c"),
        ("approve(address,address,uint160,uint48)", "0x87517c45"),
    ],
)
def test_a_function_is_known_by_its_published_selector(signature: str, known: str) -> None:
    assert (selector(signature), KNOWN_FUNCTIONS[known][0]) == (known, signature)


CASES: list[tuple[bytes, dict[str, Any]]] = [
    (called("transfer(address,uint256)", BOB, 5), {"action": "transfer", "receiver": BOB, "amount": 5}),
    (
        called("transferFrom(address,address,uint256)", ALICE, BOB, 5),
        {"action": "transfer", "sender": ALICE, "receiver": BOB, "amount": 5, "id_or_amount": True},
    ),
    (
        called("approve(address,uint256)", BOB, 5),
        {"action": "approve", "receiver": BOB, "amount": 5, "unlimited": False, "id_or_amount": True},
    ),
    (called("approve(address,uint256)", BOB, MAX), {"action": "approve", "receiver": BOB, "unlimited": True}),
    (called("approve(address,uint256)", BOB, MAX // 2), {"unlimited": True}),
    (called("approve(address,uint256)", BOB, UNLIMITED_FROM), {"unlimited": True}),
    (called("approve(address,uint256)", BOB, UNLIMITED_FROM - 1), {"unlimited": False}),
    (called("approve(address,uint256)", BOB, 2**96 - 1), {"unlimited": True}),
    (called("approve(address,uint256)", BOB, 0), {"revokes": True, "unlimited": False}),
    (called("transfer(address,uint256)", BOB, MAX), {"action": "transfer", "unlimited": False}),
    (called("increaseAllowance(address,uint256)", BOB, MAX), {"action": "approve", "unlimited": True}),
    (
        called("setApprovalForAll(address,bool)", BOB, True),
        {"action": "approve_all", "receiver": BOB, "amount": None, "unlimited": True, "revokes": False},
    ),
    (
        called("setApprovalForAll(address,bool)", BOB, False),
        {"action": "approve_all", "unlimited": False, "revokes": True},
    ),
    (called("authorizeOperator(address)", BOB), {"action": "approve_all", "unlimited": True, "revokes": False}),
    (
        called("safeTransferFrom(address,address,uint256)", ALICE, BOB, 7),
        {"sender": ALICE, "receiver": BOB, "token_id": 7, "amount": None},
    ),
    (
        called("safeTransferFrom(address,address,uint256,uint256,bytes)", ALICE, BOB, 7, 3, b""),
        {"token_id": 7, "amount": 3},
    ),
    (
        called("permit(address,address,uint256,uint256,uint8,bytes32,bytes32)", ALICE, BOB, MAX, 1, *SIGNED),
        {"action": "approve", "sender": ALICE, "receiver": BOB, "unlimited": True},
    ),
    (
        called("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)", ALICE, BOB, 0, 0, True, *SIGNED),
        {"action": "approve", "receiver": BOB, "unlimited": True, "revokes": False},
    ),
    (
        called("permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)", ALICE, BOB, 0, 0, False, *SIGNED),
        {"unlimited": False, "revokes": True},
    ),
    (
        called("approve(address,address,uint160,uint48)", TOKEN, BOB, 2**160 - 1, 1),
        {"action": "approve", "token": TOKEN, "receiver": BOB, "unlimited": True},
    ),
]


@every_case(("data", "expected"), CASES)
def test_a_known_function_is_read(data: bytes, expected: dict[str, Any]) -> None:
    found = decode_call(data)
    assert {name: getattr(found, name) for name in expected} == expected


APPROVE_ALL = called("approve(address,uint256)", BOB, MAX)


@pytest.mark.parametrize(
    "data",
    [
        APPROVE_ALL + b"\x00",
        APPROVE_ALL + b"referral",
        APPROVE_ALL[:4] + b"\xff" * 12 + APPROVE_ALL[16:],
    ],
    ids=["one byte more", "bytes behind it", "an address with something above it"],
)
def test_a_spelling_that_some_contracts_take_does_not_hide_an_approval(data: bytes) -> None:
    found = decode_call(data)
    assert (found.action, found.receiver, found.unlimited) == ("approve", BOB, True)


def test_arguments_that_are_cut_off_are_read_as_zeros() -> None:
    assert decode_call(APPROVE_ALL[:4]).action == "approve"


@pytest.mark.parametrize(
    ("data", "expected"),
    [(b"", Function("")), (b"\xa9\x05\x9c", Function("")), (b"\xde\xad\xbe\xef" + bytes(64), Function("0xdeadbeef"))],
)
def test_what_is_unknown_is_named_by_its_selector_alone(data: bytes, expected: Function) -> None:
    assert decode_call(data) == expected


@given(st.sampled_from(sorted(KNOWN_FUNCTIONS)), st.binary(max_size=300))
def test_no_call_data_breaks_it(known: str, rest: bytes) -> None:
    assert decode_call(bytes.fromhex(known[2:]) + rest).name == KNOWN_FUNCTIONS[known][0].partition("(")[0]


@pytest.mark.parametrize(
    ("signature", "arguments", "change"),
    [
        ("addOwnerWithThreshold(address,uint256)", (BOB, 2), OwnerChange(added=BOB, threshold=2)),
        ("removeOwner(address,address,uint256)", (ALICE, BOB, 1), OwnerChange(removed=BOB, threshold=1)),
        ("swapOwner(address,address,address)", (TOKEN, ALICE, BOB), OwnerChange(added=BOB, removed=ALICE)),
        ("changeThreshold(uint256)", (3,), OwnerChange(threshold=3)),
    ],
)
def test_who_controls_a_safe_from_then_on(signature: str, arguments: tuple[Any, ...], change: OwnerChange) -> None:
    found = decode_call(called(signature, *arguments))
    assert (found.signature, found.action, found.owners) == (signature, "unknown", change)
