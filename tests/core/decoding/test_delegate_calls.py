"""Calls that have an account run foreign code as its own, also where somebody hides them."""

from typing import Any

import pytest
from eth_abi.abi import encode

from tests.core.decoding.test_inner_calls import (
    BATCH_725,
    BOB,
    DELEGATE_MODE,
    ME,
    MULTI,
    MULTI_SEND,
    NOBODY,
    PAY,
    SAFE,
    SINGLE,
    SINGLE_MODE,
    USDC,
    WITH_ROLE,
    called,
    mode,
    nested,
    packed,
    safe,
)
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.typed_request import HostedRequest

MULTI_SEND_1_5 = "0x218543288004CD07832472D464648173c77D7eB7"
OPERATION = "executeUserOp(address,uint256,bytes,uint8)"
HIDDEN = called("multiSend(bytes)", packed((0, USDC, 0, PAY), (1, BOB, 0, PAY)))
FOREIGN = safe(BOB, 0, PAY, kind=1)
LIST = called("multicall(bytes[])", [FOREIGN])
BATCHES = encode(["bytes[]"], [[encode(["(address,uint256,bytes)[]"], [[(SAFE, 0, FOREIGN)]])]])


def read(method: str, params: list[Any]) -> HostedRequest:
    return read_request(
        method=method, chain=parse_chain_id("eip155:1"), account=ME, origin="https://app.example", params=params
    )


def sent(data: bytes) -> HostedRequest:
    return read("eth_sendTransaction", [{"from": ME, "to": SAFE, "data": "0x" + data.hex()}])


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(safe(BOB, 0, PAY, kind=1), id="a Safe"),
        pytest.param(safe(BOB, 0, MULTI, kind=1), id="a Safe, a list of nobody's"),
        pytest.param(safe(MULTI_SEND, 0, HIDDEN, kind=1), id="a Safe, within its list"),
        pytest.param(safe(MULTI_SEND, 0, MULTI[:-1], kind=1), id="a Safe, a list that ends too early"),
        pytest.param(safe(MULTI_SEND, 0, MULTI, kind=1, price=1), id="a Safe that pays for its gas"),
        pytest.param(called(OPERATION, BOB, 0, PAY, 1), id="a Safe's user operation"),
        pytest.param(called("execTransactionFromModule(address,uint256,bytes,uint8)", BOB, 0, b"", 1), id="a module"),
        pytest.param(called("execute(address,uint256,bytes,uint8)", BOB, 0, PAY, 1), id="ERC-6551"),
        pytest.param(called("execute(bytes32,bytes)", DELEGATE_MODE, SINGLE), id="ERC-7579"),
        pytest.param(called("executeFromExecutor(bytes32,bytes)", DELEGATE_MODE, SINGLE), id="ERC-7579, an executor"),
        pytest.param(called("execute(uint256,address,uint256,bytes)", 4, BOB, 0, PAY), id="ERC-725X"),
        pytest.param(called(BATCH_725, [0, 4], [USDC, BOB], [0, 0], [PAY, PAY]), id="ERC-725X, in a list"),
        pytest.param(called(BATCH_725, [0], [USDC], [0], [PAY])[:-1], id="ERC-725X, a list that cannot be read"),
        pytest.param(called("executeDelegateCall(address,bytes)", BOB, PAY), id="Kernel"),
        pytest.param(called("delegateExecute(address,bytes)", BOB, PAY), id="Solady"),
        pytest.param(called("execute(address,bytes)", BOB, PAY), id="DSProxy"),
        pytest.param(called(WITH_ROLE, BOB, 0, PAY, 1, bytes(32), True), id="a Safe's role"),
        pytest.param(called("multicall(bytes[])", [safe(BOB, 0, PAY, kind=1)]), id="within another call"),
        pytest.param(nested(5, FOREIGN), id="deeper than calls are opened"),
        pytest.param(called("multicall(bytes[])", [PAY] * 100 + [FOREIGN]), id="behind more calls than are opened"),
        pytest.param(LIST + b"\0", id="within a list with something behind it"),
        pytest.param(LIST[:4] + (64).to_bytes(32, "big") + bytes(32) + LIST[36:], id="within a list at an odd offset"),
        pytest.param(
            called("execute(bytes32,bytes)", mode(b"\1\0", "78210002"), BATCHES), id="ERC-7821, a batch of batches"
        ),
        pytest.param(
            safe(MULTI_SEND_1_5, 0, called("multiSend(bytes)", packed((0, NOBODY, 0, PAY))), kind=1),
            id="a Safe, a list in which 0 means the Safe",
        ),
        pytest.param(FOREIGN + b"\0", id="with something behind it"),
        pytest.param(FOREIGN[:132], id="cut off"),
        pytest.param(
            called(OPERATION, BOB, 0, PAY, 0)[:100] + b"\1" * 32 + called(OPERATION, BOB, 0, PAY, 0)[132:],
            id="with something in the upper bytes",
        ),
    ],
)
def test_foreign_code_is_noticed(data: bytes) -> None:
    assert sent(data).runs_foreign_code


@pytest.mark.parametrize(
    "data",
    [
        safe(USDC, 0, PAY),
        safe(MULTI_SEND, 0, MULTI, kind=1),
        called(OPERATION, USDC, 0, PAY, 0),
        called(OPERATION, MULTI_SEND, 0, MULTI, 1),
        called("execute(bytes32,bytes)", SINGLE_MODE, SINGLE),
        called("execute(address,uint256,bytes,uint8)", USDC, 0, PAY, 2),
        called("execute(uint256,address,uint256,bytes)", 0, USDC, 0, PAY),
        called(BATCH_725, [0, 3], [USDC, BOB], [0, 0], [PAY, PAY]),
        safe(MULTI_SEND, 0, called("multiSend(bytes)", packed((0, NOBODY, 7, b""))), kind=1),
        called("multicall(bytes[])", [PAY] * 101),
        called("multicall(bytes[])", [PAY]) + b"\0",
        PAY,
        b"",
    ],
)
def test_ordinary_calls_run_none(data: bytes) -> None:
    assert not sent(data).runs_foreign_code


def test_one_call_of_a_batch_is_enough() -> None:
    calls = [{"to": SAFE, "data": "0x" + data.hex()} for data in (PAY, safe(BOB, 0, PAY, kind=1))]
    assert read("wallet_sendCalls", [{"calls": calls, "chainId": "0x1"}]).runs_foreign_code


def test_a_user_operation_runs_it_as_well() -> None:
    operation = {"sender": SAFE, "nonce": "0x0", "callData": "0x" + called(OPERATION, BOB, 0, PAY, 1).hex()}
    assert read("eth_sendUserOperation", [operation, BOB]).runs_foreign_code


def typed(primary: str, fields: dict[str, str], message: dict[str, Any]) -> HostedRequest:
    types = {primary: [{"name": name, "type": kind} for name, kind in fields.items()]}
    domain = {"chainId": 1, "verifyingContract": SAFE}
    given = {"types": types, "primaryType": primary, "domain": domain, "message": message}
    return read("eth_signTypedData_v4", [ME, given])


OF_A_SAFE = {"to": "address", "value": "uint256", "data": "bytes", "operation": "uint8"}


@pytest.mark.parametrize(("operation", "foreign"), [(0, False), (1, True), (None, True)])
def test_a_safes_signed_transaction_runs_it_as_well(operation: int | None, foreign: bool) -> None:
    message = {"to": USDC, "value": 0, "data": "0x" + PAY.hex(), "operation": operation}
    assert typed("SafeTx", OF_A_SAFE, message).runs_foreign_code is foreign


@pytest.mark.parametrize(("primary", "account"), [("SafeOp", "safe"), ("PackedUserOperation", "sender")])
@pytest.mark.parametrize("kind", [0, 1])
def test_a_signed_user_operation_runs_it_as_well(primary: str, account: str, kind: int) -> None:
    message = {account: SAFE, "callData": "0x" + called(OPERATION, USDC, 0, PAY, kind).hex()}
    found = typed(primary, {account: "address", "callData": "bytes"}, message)
    assert found.runs_foreign_code is bool(kind)


def test_what_a_signed_user_operation_grants_is_told() -> None:
    allow = called("approve(address,uint256)", BOB, 2**256 - 1)
    data = called("execute(bytes32,bytes)", bytes(32), bytes.fromhex(USDC[2:]) + bytes(32) + allow)
    found = typed(
        "PackedUserOperation",
        {"sender": "address", "callData": "bytes"},
        {"sender": ME, "callData": "0x" + data.hex()},
    )
    assert found.has_unlimited_approval


@pytest.mark.parametrize("given", [{"safe": "me"}, {"callData": "0x1"}, {"callData": None}])
def test_a_signed_user_operation_that_cannot_be_read_has_no_calls(given: dict[str, Any]) -> None:
    message = {"safe": SAFE, "callData": "0x" + called(OPERATION, USDC, 0, PAY, 0).hex(), **given}
    found = typed("SafeOp", {"safe": "address", "callData": "bytes"}, message)
    assert found.typed_data is not None
    assert found.typed_data.calls == ()


def test_an_abi_that_names_other_types_is_not_opened() -> None:
    message = {"safe": SAFE, "callData": encode(["string"], ["x"]).hex()}
    found = typed("SafeOp", {"safe": "address", "callData": "string"}, message)
    assert found.typed_data is not None
    assert found.typed_data.account == ""
