"""Safes: where they are, and how their owners' signatures are joined."""

import json
from dataclasses import replace
from typing import Any

import pytest
from eth_abi.abi import decode
from eth_account import Account
from eth_utils.crypto import keccak

from scripts.project import ROOT
from walletmodal.core.smart_accounts.contracts import SAFE_PROXY_FACTORY, SAFE_PROXY_INIT_CODE_HASH, SAFE_SINGLETON
from walletmodal.core.smart_accounts.safe import (
    SafeAccount,
    ValidityWindow,
    dummy_signature,
    join_signatures,
    operation_message,
    signature_of_operation,
)
from walletmodal.core.smart_accounts.user_operation import UserOperation

FIRST, SECOND = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
SAFE = SafeAccount((FIRST,))
OPERATION = UserOperation(sender=SAFE.address, nonce=0, call_data=b"\1\2\3\4")


def test_the_code_that_makes_a_proxy_is_that_of_the_published_contracts() -> None:
    artifacts = ROOT / "sandbox/node_modules/@safe-global/safe-contracts/build/artifacts/contracts/proxies"
    code = json.loads((artifacts / "SafeProxy.sol/SafeProxy.json").read_text("utf-8"))["bytecode"]
    made = bytes.fromhex(code[2:]) + bytes(12) + bytes.fromhex(SAFE_SINGLETON[2:])
    assert keccak(made) == SAFE_PROXY_INIT_CODE_HASH


@pytest.mark.parametrize("changed", [{"owners": (SECOND,)}, {"owners": (FIRST, SECOND)}, {"salt": 1}])
def test_owners_and_salt_decide_where_a_safe_is(changed: dict[str, Any]) -> None:
    assert replace(SAFE, **changed).address != SAFE.address


@pytest.mark.parametrize(
    "wrong",
    [
        {"owners": ()},
        {"threshold": 0},
        {"threshold": 2},
        {"owners": (FIRST, FIRST)},
        {"salt": -1},
        {"salt": 2**256},
    ],
)
def test_a_safe_that_nobody_can_make_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"fit|bits"):
        replace(SAFE, **wrong)


def test_signatures_stand_in_the_order_of_the_owners_addresses() -> None:
    low, high = b"\1" * 65, b"\2" * 65
    assert join_signatures({SECOND: high, FIRST: low}) == low + high


@pytest.mark.parametrize("wrong", [{}, {FIRST: b"\1" * 64}])
def test_what_is_no_signature_of_a_key_is_not_joined(wrong: dict[str, bytes]) -> None:
    with pytest.raises(ValueError, match="no signature"):
        join_signatures(wrong)


def test_an_operations_signature_begins_with_when_it_counts() -> None:
    window = ValidityWindow(1, 2)
    assert signature_of_operation({FIRST: b"\1" * 65}, window)[:12] == bytes(5) + b"\1" + bytes(5) + b"\2"


def test_when_it_counts_is_signed() -> None:
    assert operation_message(OPERATION, 1, ValidityWindow(until=5)).digest != operation_message(OPERATION, 1).digest


@pytest.mark.parametrize("wrong", [-1, 2**48])
def test_a_moment_that_does_not_fit_is_refused(wrong: int) -> None:
    with pytest.raises(ValueError, match="48 bits"):
        ValidityWindow(until=wrong)


def test_a_signature_of_an_undeployed_safe_names_what_makes_it() -> None:
    wrapped = SAFE.wrap_undeployed(b"\1" * 65)
    assert wrapped.endswith(bytes.fromhex("6492" * 16))
    made = decode(["address", "bytes", "bytes"], wrapped[:-32])
    assert made == (SAFE_PROXY_FACTORY.lower(), SAFE.factory_data, b"\1" * 65)


def test_the_dummy_signature_is_as_long_as_a_real_one() -> None:
    signed = Account.unsafe_sign_hash(operation_message(OPERATION, 1).digest, "0x" + "11" * 32).signature
    assert len(dummy_signature()) == len(signature_of_operation({FIRST: bytes(signed)}))
