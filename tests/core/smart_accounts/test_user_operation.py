"""User operations: their JSON, their packed form, their hash."""

from dataclasses import replace
from typing import Any

import pytest
from eth_abi.abi import decode, encode
from eth_keys.main import KeyAPI
from hypothesis import given

from tests.core.smart_accounts.operations import operations
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.smart_accounts.authorization import Authorization, SignedAuthorization
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8, ENTRY_POINTS
from walletmodal.core.smart_accounts.user_operation import (
    DELEGATED,
    DUMMY_SIGNATURE,
    PACKED_TYPE,
    UserOperation,
    read_user_operation,
)

SENDER = "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B"
OTHER = "0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3"
JSON = {"sender": SENDER, "nonce": "0x0", "callData": "0x"}
OPERATION = UserOperation(sender=SENDER, nonce=1, call_data=b"\1\2\3\4")
AUTHORIZATION = SignedAuthorization(Authorization(1, OTHER, 0), 0, 5, 6)


@given(operations())
def test_json_is_read_as_it_is_written(operation: UserOperation) -> None:
    assert read_user_operation(operation.to_json()) == operation


@given(operations())
def test_it_packs_into_what_the_entry_point_takes(operation: UserOperation) -> None:
    packed = operation.pack()
    (read,) = decode([PACKED_TYPE], encode([PACKED_TYPE], [packed.values]))
    assert (read[0], *read[1:]) == (packed.sender.lower(), *packed.values[1:])


def test_gas_and_prices_stand_in_halves_of_a_word() -> None:
    packed = replace(
        OPERATION, verification_gas_limit=1, call_gas_limit=2, max_priority_fee_per_gas=3, max_fee_per_gas=4
    ).pack()
    assert packed.account_gas_limits == (1 << 128 | 2).to_bytes(32, "big")
    assert packed.gas_fees == (3 << 128 | 4).to_bytes(32, "big")


def test_a_paymaster_stands_before_its_gas_and_its_data() -> None:
    packed = replace(
        OPERATION,
        paymaster=OTHER,
        paymaster_verification_gas_limit=1,
        paymaster_post_op_gas_limit=2,
        paymaster_data=b"x",
    ).pack()
    assert packed.paymaster_and_data == bytes.fromhex(OTHER[2:]) + (1 << 128 | 2).to_bytes(32, "big") + b"x"


def test_a_delegated_account_has_the_mark_of_its_kind_in_the_place_of_a_factory() -> None:
    packed = replace(OPERATION, factory=DELEGATED, factory_data=b"x").pack()
    assert packed.init_code == b"\x77\x02" + bytes(18) + b"x"


def test_it_costs_all_its_gas_at_most() -> None:
    found = replace(
        OPERATION,
        call_gas_limit=1,
        verification_gas_limit=2,
        pre_verification_gas=3,
        paymaster=OTHER,
        paymaster_verification_gas_limit=4,
        paymaster_post_op_gas_limit=5,
        max_fee_per_gas=10,
    )
    assert found.max_cost == 150


@pytest.mark.parametrize("entry_point", [ENTRY_POINT_0_7, ENTRY_POINT_0_8])
@pytest.mark.parametrize(
    "changed",
    [
        {"sender": OTHER},
        {"nonce": 2},
        {"call_data": b""},
        {"factory": OTHER},
        {"call_gas_limit": 1},
        {"verification_gas_limit": 1},
        {"pre_verification_gas": 1},
        {"max_fee_per_gas": 1},
        {"max_priority_fee_per_gas": 1},
        {"paymaster": OTHER},
        {"factory": SENDER, "factory_data": b"x"},
        {"paymaster": SENDER, "paymaster_verification_gas_limit": 1},
        {"paymaster": SENDER, "paymaster_post_op_gas_limit": 1},
        {"paymaster": SENDER, "paymaster_data": b"x"},
    ],
)
def test_each_field_changes_the_hash(entry_point: str, changed: dict[str, Any]) -> None:
    # What comes with a factory or a paymaster is compared with the same one without it.
    alike = {name: changed[name] for name in ("factory", "paymaster") if changed.get(name) == SENDER}
    assert replace(OPERATION, **changed).hash(entry_point, 1) != replace(OPERATION, **alike).hash(entry_point, 1)


@pytest.mark.parametrize("entry_point", [ENTRY_POINT_0_7, ENTRY_POINT_0_8])
def test_the_signature_is_no_part_of_the_hash(entry_point: str) -> None:
    assert replace(OPERATION, signature=b"x").hash(entry_point, 1) == OPERATION.hash(entry_point, 1)


@pytest.mark.parametrize("entry_point", [ENTRY_POINT_0_7, ENTRY_POINT_0_8])
def test_another_network_has_another_hash(entry_point: str) -> None:
    assert OPERATION.hash(entry_point, 1) != OPERATION.hash(entry_point, 137)


def test_the_contract_of_a_delegated_account_is_part_of_the_hash() -> None:
    delegated = replace(OPERATION, factory=DELEGATED)
    signed = replace(delegated, authorization=AUTHORIZATION)
    assert signed.hash(ENTRY_POINT_0_8, 1) == delegated.hash(ENTRY_POINT_0_8, 1, delegate=OTHER)
    assert signed.hash(ENTRY_POINT_0_8, 1) != delegated.hash(ENTRY_POINT_0_8, 1, delegate=SENDER)


def test_a_delegated_account_whose_contract_nobody_names_has_no_hash() -> None:
    with pytest.raises(PayloadError):
        replace(OPERATION, factory=DELEGATED).hash(ENTRY_POINT_0_8, 1)


def test_entry_point_0_7_knows_no_delegated_accounts() -> None:
    with pytest.raises(PayloadError):
        replace(OPERATION, factory=DELEGATED, authorization=AUTHORIZATION).hash(ENTRY_POINT_0_7, 1)


@pytest.mark.parametrize("entry_point", [ENTRY_POINTS["0.6"], ENTRY_POINTS["0.9"], SENDER])
def test_another_entry_point_gives_no_hash(entry_point: str) -> None:
    with pytest.raises(PayloadError):
        OPERATION.hash(entry_point, 1)


def test_some_key_can_have_made_the_dummy_signature() -> None:
    signature = KeyAPI.Signature(DUMMY_SIGNATURE[:64] + bytes([DUMMY_SIGNATURE[64] - 27]))
    assert signature.recover_public_key_from_msg_hash(b"\1" * 32)


@pytest.mark.parametrize(
    "wrong",
    [
        {"sender": None},
        {"sender": "0x12"},
        {"sender": SENDER.swapcase().replace("X", "x")},
        {"nonce": None},
        {"nonce": "1"},
        {"nonce": 1},
        {"nonce": "0x" + "f" * 65},
        {"callData": None},
        {"callData": "0x1"},
        {"callGasLimit": "0x1" + "0" * 32},
        {"maxFeePerGas": "0x1" + "0" * 32},
        {"factory": "0x7702" + "0" * 36},
        {"factory": "0x77"},
        {"factoryData": "0x12"},
        {"paymasterData": "0x12"},
        {"paymasterPostOpGasLimit": "0x1"},
        {"signature": 5},
        {"eip7702Auth": {}},
        {"initCode": "0x"},
        {"paymasterAndData": "0x"},
        {"somethingElse": None},
    ],
)
def test_json_with_a_wrong_field_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(PayloadError):
        read_user_operation(JSON | wrong)


@pytest.mark.parametrize("empty", ["", "0x", None])
def test_an_empty_factory_or_paymaster_is_none(empty: object) -> None:
    found = read_user_operation(JSON | {"factory": empty, "paymaster": empty})
    assert (found.factory, found.paymaster) == ("", "")
