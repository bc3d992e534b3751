"""Calls within calls, as ABI libraries, Safes and smart accounts make them, and as somebody makes them who wants to pass unseen."""

from __future__ import annotations

from typing import Any

import pytest
from eth_abi.abi import encode
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import every_case
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.decoding.abi import argument_types
from walletmodal.core.decoding.decoded_call import selector
from walletmodal.core.decoding.inner_calls import OPENED, calls_within
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.requests.summary_calls import (
    OPENED_WARNING,
    OTHER_ACCOUNT_WARNING,
    UNKNOWN_WARNING,
    UNLIMITED_WARNING,
)
from walletmodal.core.requests.summary_delegations import DELEGATION_WARNING
from walletmodal.core.requests.summary_parts import Summary, Token
from walletmodal.core.requests.typed_request import Call, HostedRequest
from walletmodal.core.smart_accounts.contracts import MULTI_SENDS

ME = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
SAFE = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
NOBODY = "0x" + "00" * 20
MULTI_SEND = "0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526"
SINCE_1_5 = {"0x218543288004CD07832472D464648173c77D7eB7", "0xA83c336B20401Af773B6219BA5027174338D1836"}
TOKENS = {USDC: Token("USDC", 6)}


def called(signature: str, *arguments: Any) -> bytes:
    return bytes.fromhex(selector(signature)[2:]) + encode(argument_types(signature), arguments)


PAY = called("transfer(address,uint256)", BOB, 5_000_000)
ALLOW = called("approve(address,uint256)", BOB, 2**256 - 1)
EXEC = "execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)"


BATCH_725 = "executeBatch(uint256[],address[],uint256[],bytes[])"
WITH_ROLE = "execTransactionWithRole(address,uint256,bytes,uint8,bytes32,bool)"


def packed(*calls: tuple[int, str, int, bytes]) -> bytes:
    return b"".join(
        bytes([kind]) + bytes.fromhex(to[2:]) + value.to_bytes(32, "big") + len(data).to_bytes(32, "big") + data
        for kind, to, value, data in calls
    )


def safe(to: str, value: int, data: bytes, kind: int = 0, price: int = 0) -> bytes:
    return called(EXEC, to, value, data, kind, 0, 0, price, NOBODY, NOBODY, b"\1" * 65)


MULTI = called("multiSend(bytes)", packed((0, USDC, 0, PAY), (0, BOB, 7, b"")))
SINGLE_MODE, BATCH_MODE, DELEGATE_MODE = (bytes([kind]) + bytes(31) for kind in (0, 1, 0xFF))


def mode(kinds: bytes, chosen: str = "00000000", end: bytes = b"\0") -> bytes:
    return kinds + bytes(4) + bytes.fromhex(chosen) + end.rjust(22, b"\0")


SINGLE = bytes.fromhex(USDC[2:]) + bytes(32) + PAY
BATCH = encode(["(address,uint256,bytes)[]"], [[(USDC, 0, PAY), (BOB, 7, b"")]])


def flat(calls: tuple[Call, ...]) -> list[tuple[str, int, bytes]]:
    return [(call.to, call.value, call.data) for call in calls]


@every_case(
    ("data", "made"),
    [
        (called("multicall(bytes[])", [PAY, ALLOW]), [(SAFE, 0, PAY), (SAFE, 0, ALLOW)]),
        (called("multicall(uint256,bytes[])", 99, [PAY]), [(SAFE, 0, PAY)]),
        (called("aggregate((address,bytes)[])", [(USDC, PAY)]), [(USDC, 0, PAY)]),
        (called("tryAggregate(bool,(address,bytes)[])", True, [(USDC, PAY)]), [(USDC, 0, PAY)]),
        (called("aggregate3((address,bool,bytes)[])", [(USDC, True, PAY)]), [(USDC, 0, PAY)]),
        (called("aggregate3Value((address,bool,uint256,bytes)[])", [(USDC, True, 7, PAY)]), [(USDC, 7, PAY)]),
        (called("blockAndAggregate((address,bytes)[])", [(USDC, PAY)]), [(USDC, 0, PAY)]),
        (called("tryBlockAndAggregate(bool,(address,bytes)[])", True, [(USDC, PAY)]), [(USDC, 0, PAY)]),
        (called("execute(address,uint256,bytes)", BOB, 7, b""), [(BOB, 7, b"")]),
        (called("execute_ncC(address,uint256,bytes)", BOB, 7, b""), [(BOB, 7, b"")]),
        (called("executeBatch_y6U(address[],uint256[],bytes[])", [USDC], [0], [PAY]), [(USDC, 0, PAY)]),
        (called("execute(uint256,address,uint256,bytes)", 0, BOB, 7, b""), [(BOB, 7, b"")]),
        (called("execute(uint256,address,uint256,bytes)", 3, BOB, 7, b""), []),
        (called(BATCH_725, [0, 0], [USDC, BOB], [0, 7], [PAY, b""]), [(USDC, 0, PAY), (BOB, 7, b"")]),
        (called(BATCH_725, [0, 3], [USDC, BOB], [0, 7], [PAY, b""]), []),
        (called(BATCH_725, [0], [USDC, BOB], [0, 7], [PAY, b""]), []),
        (called(WITH_ROLE, USDC, 0, PAY, 0, bytes(32), True), [(USDC, 0, PAY)]),
        (called("execute(address,uint256,bytes,uint8)", USDC, 0, PAY, 0), [(USDC, 0, PAY)]),
        (called("executeBatch(address[],bytes[])", [USDC], [PAY]), [(USDC, 0, PAY)]),
        (
            called("executeBatch(address[],uint256[],bytes[])", [USDC, BOB], [0, 7], [PAY, b""]),
            [(USDC, 0, PAY), (BOB, 7, b"")],
        ),
        (called("executeBatch(address[],uint256[],bytes[])", [USDC], [], [PAY]), [(USDC, 0, PAY)]),
        (called("executeBatch((address,uint256,bytes)[])", [(USDC, 3, PAY)]), [(USDC, 3, PAY)]),
        (called("execute(bytes32,bytes)", BATCH_MODE, BATCH), [(USDC, 0, PAY), (BOB, 7, b"")]),
        (called("execute(bytes32,bytes)", mode(b"\1\1", "78210001"), BATCH), [(USDC, 0, PAY), (BOB, 7, b"")]),
        (called("execute(bytes32,bytes)", SINGLE_MODE, SINGLE), [(USDC, 0, PAY)]),
        (safe(USDC, 0, PAY), [(USDC, 0, PAY)]),
        (safe(MULTI_SEND, 0, MULTI, kind=1), [(MULTI_SEND, 0, MULTI)]),
        (MULTI, [(USDC, 0, PAY), (BOB, 7, b"")]),
    ],
)
def test_what_a_call_has_made_is_read(data: bytes, made: list[tuple[str, int, bytes]]) -> None:
    assert flat(calls_within(SAFE, data)) == made


@pytest.mark.parametrize(
    ("signature", "known"),
    [
        ("multicall(bytes[])", "0xac9650d8"),
        ("aggregate3((address,bool,bytes)[])", "0x82ad56cb"),
        ("execute(address,uint256,bytes)", "0xb61d27f6"),
        ("executeBatch(address[],bytes[])", "0x18dfb3c7"),
        ("executeBatch(address[],uint256[],bytes[])", "0x47e1da2a"),
        ("executeBatch((address,uint256,bytes)[])", "0x34fcd5be"),
        ("execute(bytes32,bytes)", "0xe9ae5c53"),
        ("execute_ncC(address,uint256,bytes)", "0x0000189a"),
        ("executeBatch_y6U(address[],uint256[],bytes[])", "0x00004680"),
        ("execute(uint256,address,uint256,bytes)", "0x44c028fe"),
        ("executeBatch(uint256[],address[],uint256[],bytes[])", "0x31858452"),
        (EXEC, "0x6a761202"),
        ("multiSend(bytes)", "0x8d80ff0a"),
    ],
)
def test_a_function_is_known_by_its_published_selector(signature: str, known: str) -> None:
    assert (selector(signature), signature in OPENED) == (known, True)


GOOD = called("multicall(bytes[])", [PAY])


@every_case(
    "data",
    [
        pytest.param(GOOD + b"\0", id="bytes behind the end"),
        pytest.param(GOOD[:-1], id="cut off"),
        pytest.param(GOOD[:-28] + b"\1" * 28, id="something in the padding"),
        pytest.param(GOOD[:4] + (64).to_bytes(32, "big") + bytes(32) + GOOD[36:], id="an offset of its own"),
        pytest.param(called("multicall(bytes[])", []), id="nothing"),
        pytest.param(called("multicall(bytes[])", [b""] * 101), id="too many"),
        pytest.param(called("executeBatch(address[],bytes[])", [USDC], [PAY, PAY]), id="lists of different lengths"),
        pytest.param(called("execute(address,uint256,bytes,uint8)", USDC, 0, PAY, 1), id="foreign code (ERC-6551)"),
        pytest.param(called("execute(bytes32,bytes)", DELEGATE_MODE, BATCH), id="foreign code (ERC-7579)"),
        pytest.param(called("execute(bytes32,bytes)", mode(b"\1\2"), BATCH), id="a way of failing that is unknown"),
        pytest.param(
            called("execute(bytes32,bytes)", mode(b"\1\0", "78210002"), BATCH), id="batches of batches (ERC-7821)"
        ),
        pytest.param(
            called("execute(bytes32,bytes)", mode(b"\0\0", "78210002"), SINGLE), id="a mode of the account's own"
        ),
        pytest.param(called("execute(bytes32,bytes)", mode(b"\1\0", end=b"\1"), BATCH), id="a mode with a payload"),
        pytest.param(called("execute(bytes32,bytes)", BATCH_MODE, BATCH + b"\0"), id="a batch with bytes behind it"),
        pytest.param(called("execute(bytes32,bytes)", SINGLE_MODE, bytes(51)), id="a single call that is cut off"),
        pytest.param(safe(USDC, 0, PAY, kind=1), id="foreign code (Safe)"),
        pytest.param(safe(BOB, 0, MULTI, kind=1), id="foreign code that bears the name of a Safe's list"),
        pytest.param(safe(MULTI_SEND, 0, PAY, kind=1), id="foreign code (Safe) that is no list"),
        pytest.param(safe(USDC, 0, PAY, price=1), id="a Safe that pays for the gas"),
        pytest.param(called("multiSend(bytes)", packed((1, USDC, 0, PAY))), id="foreign code in a Safe's list"),
        pytest.param(called("multiSend(bytes)", packed((0, USDC, 0, PAY))[:-1]), id="a Safe's list that is cut off"),
        pytest.param(called("multiSend(bytes)", packed((0, USDC, 0, PAY)) + bytes(40)), id="a Safe's list with a rest"),
        pytest.param(
            called("multiSend(bytes)", packed((0, NOBODY, 0, PAY))), id="a Safe's list that means the Safe by 0"
        ),
        pytest.param(
            called("execute(bytes32,bytes)", BATCH_MODE, encode(["(address,uint256,bytes)[]"], [[(NOBODY, 0, PAY)]])),
            id="a batch that means the account by 0 (ERC-7821)",
        ),
        pytest.param(b"", id="no data"),
        pytest.param(PAY, id="no call of calls"),
    ],
)
def test_what_contracts_could_read_otherwise_stays_closed(data: bytes) -> None:
    assert calls_within(SAFE, data) == ()


def nested(times: int, data: bytes = PAY) -> bytes:
    for _ in range(times):
        data = called("execute(address,uint256,bytes)", SAFE, 0, data)
    return data


def test_three_calls_within_one_another_are_opened_and_no_more() -> None:
    call = Call(SAFE, 0, b"", calls_within(SAFE, nested(1))[0].function, calls_within(SAFE, nested(5)))
    assert len(list(call.all)) == 4


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(nested(5, ALLOW), id="too deep"),
        pytest.param(called("multicall(bytes[])", [PAY] * 100 + [ALLOW]), id="too many"),
        pytest.param(called("multicall(bytes[])", [ALLOW]) + b"\0", id="bytes behind the end"),
        pytest.param(
            called("multiSend(bytes)", packed((0, NOBODY, 0, ALLOW))), id="a Safe's list that means the Safe by 0"
        ),
    ],
)
def test_what_stays_closed_is_shown_as_unknown(data: bytes) -> None:
    found = summarize(read(data), tokens=TOKENS)
    assert (UNKNOWN_WARNING in found.warnings, "Send" in str(told(found))) == (True, False)


def test_a_safes_list_calls_the_zero_address_where_its_version_does() -> None:
    burnt = called("multiSend(bytes)", packed((0, USDC, 0, PAY), (0, NOBODY, 7, b"")))
    opened = {to for to in MULTI_SENDS if calls_within(to, burnt)}
    (inner,) = calls_within(SAFE, safe(MULTI_SEND, 0, burnt, kind=1))
    assert MULTI_SENDS - opened == SINCE_1_5
    assert flat(inner.inner) == [(USDC, 0, PAY), (NOBODY, 7, b"")]


def test_calls_are_counted_through_all_depths() -> None:
    ten = called("multicall(bytes[])", [PAY] * 10)
    assert calls_within(SAFE, called("multicall(bytes[])", [ten] * 10)) == ()
    assert len(calls_within(SAFE, called("multicall(bytes[])", [ten] * 9))) == 9


@given(st.sampled_from(sorted(OPENED)), st.binary(max_size=300))
def test_bytes_that_nobody_has_made_raise_nothing(signature: str, data: bytes) -> None:
    calls_within(SAFE, bytes.fromhex(selector(signature)[2:]) + data)


# in a request


def read(data: bytes, to: str = SAFE) -> HostedRequest:
    return asked("eth_sendTransaction", [{"from": ME, "to": to, "data": "0x" + data.hex()}])


def asked(method: str, params: list[Any]) -> HostedRequest:
    return read_request(
        method=method, chain=parse_chain_id("eip155:1"), account=ME, origin="https://shop.example", params=params
    )


def told(found: Summary) -> list[str]:
    return [part.title for part in found.parts]


def test_the_policy_sees_what_is_granted_within() -> None:
    request = read(called("multicall(bytes[])", [PAY, ALLOW]), to=USDC)
    assert [(one.token, one.spender, one.unlimited) for one in request.approvals] == [(USDC, BOB, True)]
    assert request.has_unlimited_approval


def test_opened_calls_never_count_as_all_that_there_is() -> None:
    assert not read(called("multicall(bytes[])", [PAY]), to=USDC).is_readable


def test_every_call_within_is_told_after_the_one_that_makes_it() -> None:
    inner = called("execute(address,uint256,bytes)", USDC, 0, PAY)
    found = summarize(read(safe(BOB, 0, inner)), tokens=TOKENS)
    assert (found.title, told(found)) == (
        "Have a call made",
        ["1. Have a call made", "1.1. Have a call made", "1.1.1. Send 5 USDC"],
    )


def test_unlimited_allowances_within_are_marked() -> None:
    found = summarize(read(called("multicall(bytes[])", [ALLOW]), to=USDC), tokens=TOKENS)
    assert found.warnings == (UNLIMITED_WARNING, OPENED_WARNING)


def test_what_is_unknown_within_is_marked() -> None:
    assert UNKNOWN_WARNING in summarize(read(called("multicall(bytes[])", [b"\1\2\3\4"]))).warnings


def test_an_account_that_calls_itself_has_nobody_between() -> None:
    found = summarize(read(called("execute(address,uint256,bytes)", USDC, 0, PAY), to=ME), tokens=TOKENS)
    assert (told(found), found.warnings) == (["1. Have a call made", "1.1. Send 5 USDC"], ())


# user operations


def operation(data: bytes = b"", **more: Any) -> list[Any]:
    return [
        {"sender": ME, "nonce": "0x1", "callData": "0x" + data.hex(), **more},
        "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
    ]


def shown(*given: Any, **more: Any) -> Summary:
    return summarize(asked("eth_sendUserOperation", operation(*given, **more)), tokens=TOKENS)


def test_a_user_operation_tells_the_calls_of_the_account() -> None:
    found = shown(called("executeBatch((address,uint256,bytes)[])", [(USDC, 0, PAY), (BOB, 10**18, b"")]))
    assert (found.title, told(found)[:2], found.warnings) == (
        "Send a user operation",
        ["1. Send 5 USDC", "2. Send 1 ETH"],
        (),
    )


def test_a_user_operation_that_cannot_be_opened_is_marked() -> None:
    assert shown(b"\1\2\3\4" + bytes(64)).warnings == (UNKNOWN_WARNING,)


@pytest.mark.parametrize(
    ("more", "row"),
    [
        (
            {
                "callGasLimit": "0x5208",
                "verificationGasLimit": "0x0",
                "preVerificationGas": "0x0",
                "maxFeePerGas": "0x3b9aca00",
            },
            ("Network cost", "up to 0.000021 ETH"),
        ),
        ({"paymaster": BOB}, ("Paid by", BOB)),
        ({"paymasterAndData": BOB.lower() + "0011"}, ("Paid by", BOB)),
        ({"paymaster": "0x", "paymasterAndData": BOB.lower() + "0011"}, ("Paid by", BOB)),
        ({"factory": BOB, "factoryData": "0x01"}, ("First", "makes this account")),
        ({"tip": 1}, ("Also has", "tip")),
    ],
)
def test_what_stands_around_the_calls_is_told(more: dict[str, Any], row: tuple[str, str]) -> None:
    assert row in [(one.name, one.value) for one in shown(**more).parts[-1].rows]


@pytest.mark.parametrize(
    "none", [{"paymaster": "0x"}, {"paymaster": ""}, {"paymaster": None}, {"paymasterAndData": "0x"}]
)
def test_an_operation_that_nobody_else_pays_for_is_read(none: dict[str, Any]) -> None:
    assert "Paid by" not in [one.name for part in shown(**none).parts for one in part.rows]


def test_an_operation_of_another_account_is_marked() -> None:
    assert shown(sender=SAFE).warnings == (OTHER_ACCOUNT_WARNING,)


@pytest.mark.parametrize(
    "more",
    [
        {"factory": "0x7702", "factoryData": "0x01"},
        {"factory": "0x7702" + "0" * 36, "factoryData": "0x01"},
        {"initCode": "0x7702" + "0" * 36 + "01"},
    ],
)
def test_an_operation_that_hands_the_account_over_is_marked(more: dict[str, Any]) -> None:
    found = shown(**more)
    assert (found.warnings, [row.name for row in found.parts[-1].rows]) == (
        (DELEGATION_WARNING,),
        ["Account that acts"],
    )


def test_where_an_operation_is_handed_in_is_told_where_that_is_no_entry_point_of_the_standard() -> None:
    found = summarize(asked("eth_sendUserOperation", [operation()[0], BOB]))
    assert [(row.name, row.value) for row in found.parts[-1].rows][1:] == [("Handed in at", BOB)]


def test_a_user_operation_never_counts_as_readable() -> None:
    request = asked("eth_sendUserOperation", operation(called("execute(address,uint256,bytes)", USDC, 0, ALLOW)))
    assert (request.is_readable, request.has_unlimited_approval) == (False, True)


@pytest.mark.parametrize(
    "more",
    [
        {"sender": None},
        {"sender": "me"},
        {"callData": "0x1"},
        {"callData": 5},
        {"paymasterAndData": "0x11"},
        {"maxFeePerGas": 10**15},
        {"callGasLimit": "21000"},
        {"paymasterPostOpGasLimit": 10**15},
    ],
)
def test_a_user_operation_that_cannot_be_read_is_refused(more: dict[str, Any]) -> None:
    with pytest.raises(PayloadError):
        shown(**more)
