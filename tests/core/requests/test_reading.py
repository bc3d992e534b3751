"""Requests in their typed form: what a policy can rely on, and what is refused because nobody could decide about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from eth_abi.abi import encode

from tests.cases import every_case
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.decoding.decoded_call import selector
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.namespaces.eip155.params import count_calls
from walletmodal.core.requests.audit import params_digest
from walletmodal.core.requests.readers import MAX_BASE58, MOST_GAS
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.typed_request import MAX_SUMMARY, Approval, Holding, HostedRequest
from walletmodal.core.smart_accounts.safe_owners import add_owner_call

ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
TOKEN = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
BITCOIN = "bip122:000000000019d6689c085ae165831e93"
MAX = 2**256 - 1


def read(method: str, params: Any, chain: str = "eip155:1") -> HostedRequest:
    """A request of the demo page."""
    return read_request(
        method=method, chain=parse_chain_id(chain), account=ALICE, origin="https://a.example", params=params
    )


def data(signature: str, types: list[str], *arguments: Any) -> str:
    """Call data in hex."""
    return selector(signature) + encode(types, arguments).hex()


ADD_OWNER = "0x" + add_owner_call(TOKEN, BOB).data.hex()
APPROVE = data("approve(address,uint256)", ["address", "uint256"], BOB, MAX)
REVOKE = data("approve(address,uint256)", ["address", "uint256"], BOB, 0)


def permit(primary: str, message: dict[str, Any], **domain: Any) -> dict[str, Any]:
    """Typed data whose types have all of the message signed."""
    parts = {name: value[0] if isinstance(value, list) else value for name, value in message.items()}
    types = {name: fields_of(part) for name, part in parts.items() if isinstance(part, dict)}
    types[primary] = [{"name": name, "type": name if name in types else "uint256"} for name in message]
    return {
        "types": types,
        "primaryType": primary,
        "domain": {"verifyingContract": TOKEN, **domain},
        "message": message,
    }


def fields_of(message: dict[str, Any]) -> list[dict[str, str]]:
    """A type with these fields."""
    return [{"name": name, "type": "uint256"} for name in message]


def test_a_transaction_is_one_call() -> None:
    (call,) = read("eth_sendTransaction", [{"from": ALICE, "to": BOB.lower(), "value": "0x10"}]).calls
    assert (call.to, call.value, call.data, call.function.selector) == (BOB, 16, b"", "")


def test_a_batch_is_its_calls_and_sends_their_sum() -> None:
    request = read(
        "wallet_sendCalls", [{"calls": [{"to": BOB, "value": "0x1"}, {"to": TOKEN, "data": APPROVE, "value": "0x2"}]}]
    )
    assert (len(request.calls), request.value, request.has_unlimited_approval) == (2, 3, True)


@pytest.mark.parametrize("name", ["data", "input"])
def test_call_data_is_read_under_both_of_its_names(name: str) -> None:
    assert read("eth_sendTransaction", [{"to": TOKEN, name: APPROVE}]).has_unlimited_approval


def test_call_data_that_contradicts_itself_is_refused() -> None:
    with pytest.raises(PayloadError) as raised:
        read("eth_sendTransaction", [{"to": TOKEN, "data": REVOKE, "input": APPROVE}])
    assert raised.value.details == "data and input differ"


def test_call_data_that_is_said_twice_is_read() -> None:
    assert read(
        "eth_sendTransaction", [{"to": TOKEN, "data": APPROVE, "input": APPROVE.upper().replace("X", "x")}]
    ).calls


@pytest.mark.parametrize(
    ("fields", "fee"),
    [
        ({}, 0),
        ({"gas": "0x5208"}, 0),
        ({"gas": "0x5208", "gasPrice": "0xa"}, 210_000),
        ({"gas": "0x5208", "maxFeePerGas": "0xa", "maxPriorityFeePerGas": "0x1"}, 210_000),
        ({"gas": "0x5208", "maxPriorityFeePerGas": "0xa"}, 210_000),
        ({"gas": "0x1", "gasLimit": "0x5208", "gasPrice": "0x1", "maxFeePerGas": "0xa"}, 210_000),
        ({"gasPrice": "0x1"}, MOST_GAS),
    ],
)
def test_what_the_network_takes_by_the_pages_numbers_is_a_fee_and_counts_in_the_total(
    fields: dict[str, str], fee: int
) -> None:
    request = read("eth_sendTransaction", [{"to": BOB, "value": "0x10", **fields}])
    assert (request.value, request.max_fee, request.total) == (16, fee, 16 + fee)


def test_what_a_user_operation_costs_is_a_fee() -> None:
    gas = {"callGasLimit": "0x1", "verificationGasLimit": "0x2", "preVerificationGas": "0x3"}
    operation = {"sender": ALICE, "callData": "0x", **gas, "maxFeePerGas": "0xa"}
    assert read("eth_sendUserOperation", [operation, BOB]).total == 60


def approving(amount: int) -> HostedRequest:
    return read(
        "eth_sendTransaction",
        [{"to": TOKEN, "data": data("approve(address,uint256)", ["address", "uint256"], BOB, amount)}],
    )


@pytest.mark.parametrize(
    ("amount", "supply", "unlimited"),
    [
        (2**96 - 2, None, False),
        (2**96 - 1, None, True),
        (2**127, None, True),
        (2**128 - 1, None, True),
        (999, 1_000, False),
        (1_000, 1_000, True),
        (2**100, 2**110, False),
        (2**128, 2**256 - 1, True),
        (1_000, 0, False),
    ],
)
def test_an_approval_of_all_that_there_is_is_unlimited(amount: int, supply: int | None, unlimited: bool) -> None:
    request = approving(amount)
    if supply is not None:
        request = replace(request, holdings={TOKEN: Holding(supply, None)})
    (approval,) = request.approvals
    assert (approval.unlimited, approval.supply, request.has_unlimited_approval) == (unlimited, supply, unlimited)


@pytest.mark.parametrize(("balance", "beyond"), [(4, True), (5, False), (None, False)])
def test_an_approval_for_more_than_the_account_has_is_told(balance: int | None, beyond: bool) -> None:
    request = replace(approving(5), holdings={TOKEN: Holding(1_000, balance)})
    assert (request.has_unlimited_approval, request.has_approval_beyond_balance) == (False, beyond)


@pytest.mark.parametrize(
    ("method", "params", "chain"),
    [
        (
            "solana_signMessage",
            {"message": "2NEpo7", "pubkey": "x", "transaction": "AQ=="},
            "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp",
        ),
        (
            "signMessage",
            {"message": "hi", "address": "x", "psbt": "cHNidP8="},
            "bip122:000000000019d6689c085ae165831e93",
        ),
        (
            "polkadot_signMessage",
            {"message": "hi", "address": "x", "type": "payload"},
            "polkadot:91b171bb158e2d3848fa23a9f1c25182",
        ),
    ],
)
def test_what_stands_beside_a_message_and_might_be_signed_instead_is_refused(
    method: str, params: Any, chain: str
) -> None:
    with pytest.raises(PayloadError):
        read(method, params, chain)


def test_what_is_taken_back_from_a_token_is_a_revocation_and_no_approval() -> None:
    request = replace(read("eth_sendTransaction", [{"to": TOKEN, "data": REVOKE}]), holdings={TOKEN: Holding(9, 5)})
    assert (request.approvals, request.revocations) == ((), (Approval(TOKEN, BOB, 0, unlimited=False),))


def test_what_may_be_an_item_of_a_collection_is_an_approval() -> None:
    """`approve(x, 0)` is the same call for both, and nobody has said that the contract counts."""
    request = read("eth_sendTransaction", [{"to": TOKEN, "data": REVOKE}])
    assert (request.approvals, request.revocations) == ((Approval(TOKEN, BOB, 0, unlimited=False),), ())


def test_a_collection_that_is_closed_again_is_a_revocation() -> None:
    closed = data("setApprovalForAll(address,bool)", ["address", "bool"], BOB, False)
    request = read("eth_sendTransaction", [{"to": TOKEN, "data": closed}])
    assert (request.approvals, request.revocations) == ((), (Approval(TOKEN, BOB, None, unlimited=False),))


@every_case(
    "transaction",
    [
        {"to": "vitalik.eth"},
        {"to": BOB[:-1]},
        {"to": 5},
        {"to": BOB, "value": "1"},
        {"to": BOB, "value": 1},
        {"to": BOB, "value": "0x" + "f" * 65},
        {"to": BOB, "value": "-0x1"},
        {"to": BOB, "gas": 21_000},
        {"to": BOB, "gasPrice": "30 gwei"},
        {"to": BOB, "maxFeePerGas": "0x" + "f" * 65},
        {"to": BOB, "maxPriorityFeePerGas": ["0x1"]},
        {"to": BOB, "data": "0x0"},
        {"to": BOB, "data": "hello"},
        {"to": BOB, "data": ["0x"]},
        "0x",
        None,
    ],
)
def test_a_transaction_that_cannot_be_read_is_refused(transaction: Any) -> None:
    with pytest.raises(PayloadError):
        read("eth_sendTransaction", [transaction])


@pytest.mark.parametrize("params", [None, [], {}, [{}], [{"calls": 5}], ["x"]])
def test_a_batch_that_cannot_be_read_is_refused(params: Any) -> None:
    with pytest.raises(PayloadError):
        read("wallet_sendCalls", params)


@pytest.mark.parametrize(
    ("method", "params", "chain", "message"),
    [
        ("personal_sign", ["0x68690a", ALICE], "eip155:1", b"hi\n"),
        ("personal_sign", ["hi", ALICE], "eip155:1", b"hi"),
        ("solana_signMessage", {"message": "8wr", "pubkey": "x"}, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", b"hi"),
        ("signMessage", {"message": "hi", "address": "x"}, "bip122:000000000019d6689c085ae165831e93", b"hi"),
    ],
)
def test_a_message_is_the_bytes_that_are_signed(method: str, params: Any, chain: str, message: bytes) -> None:
    assert read(method, params, chain).message == message


@pytest.mark.parametrize("message", ["0OIl", "1" * (MAX_BASE58 + 1)])
def test_a_message_that_is_no_base58_or_too_long_for_it_is_refused(message: str) -> None:
    with pytest.raises(PayloadError):
        read("solana_signMessage", {"message": message, "pubkey": "x"}, "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")


def test_a_payment_in_bitcoin_is_a_call() -> None:
    params = {"recipientAddress": "bc1q", "amount": "1000", "account": "bc1x"}
    request = read("sendTransfer", params, "bip122:000000000019d6689c085ae165831e93")
    assert (request.calls[0].to, request.value) == ("bc1q", 1000)


def test_an_address_in_capitals_is_the_same_address() -> None:
    given = "BC1QAR0SRRR7XFKVY5L643LYDNW9RE59GTZZWF5MDQ"
    params = {"recipientAddress": given, "amount": "1000", "account": "bc1x"}
    assert read("sendTransfer", params, "bip122:000000000019d6689c085ae165831e93").calls[0].to == given.lower()


SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"


@pytest.mark.parametrize(
    ("method", "name", "given"),
    [
        ("solana_signTransaction", "transaction", "AQ=="),
        ("solana_signAndSendTransaction", "transaction", "AQ=="),
        ("solana_signAllTransactions", "transactions", ["AQ=="]),
    ],
)
@pytest.mark.parametrize("field", ["instructions", "feePayer", "recentBlockhash", "partialSignatures", "transactions2"])
def test_what_stands_beside_a_transaction_and_might_be_signed_instead_is_refused(
    method: str, name: str, given: Any, field: str
) -> None:
    plain = {name: given, "pubkey": "x", "account": "x", "sendOptions": {}, "feePayer": None}
    assert read(method, plain, SOLANA).transactions == ("AQ==",)
    with pytest.raises(PayloadError) as refused:
        read(method, {**plain, field: "x"}, SOLANA)
    assert field in str(refused.value.details)


@pytest.mark.parametrize("text", ["0x0", "0xa6578616d706c65", "68690a", "6869f", "0X6869"])
def test_a_message_that_wallets_take_for_different_bytes_is_refused(text: str) -> None:
    with pytest.raises(PayloadError):
        read("personal_sign", [text, ALICE])


def test_what_a_wallet_might_add_to_a_message_is_refused() -> None:
    for added in ({"data": "0x68"}, "0x68", "a password"):
        with pytest.raises(PayloadError):
            read("personal_sign", ["hi", ALICE, added])


def test_the_empty_password_that_libraries_send_with_a_message_is_taken() -> None:
    assert read("personal_sign", ["hi", ALICE, ""]).message == b"hi"


BATCH = {"calls": [{"to": BOB, "value": "0x1"}]}
SPENT = {"recipientAddress": "bc1q", "amount": "1000", "account": "bc1x"}


@pytest.mark.parametrize(
    ("method", "params", "unread"),
    [
        (
            "eth_sendTransaction",
            [{"to": BOB, "gas": "0x1", "nonce": "0x1", "accessList": [{}], "customData": None}],
            (),
        ),
        ("eth_sendTransaction", [{"to": BOB, "__proto__": {"data": APPROVE}}], ("__proto__",)),
        ("eth_sendTransaction", [{"to": BOB, "authorizationList": [{"address": BOB}]}], ("authorizationList",)),
        ("wallet_sendCalls", [{**BATCH, "version": "2.0.0", "capabilities": {"paymasterService": {}}}], ()),
        ("wallet_sendCalls", [{**BATCH, "capabilities": {"permissions": [{}]}}], ("permissions",)),
        ("wallet_sendCalls", [{**BATCH, "capabilities": ["permissions"]}], ("capabilities",)),
        ("wallet_sendCalls", [{"calls": [{**BATCH["calls"][0], "delegatecall": True}]}], ("delegatecall",)),
        ("wallet_sendCalls", [{**BATCH, "preparation": [{}]}], ("preparation",)),
        ("sendTransfer", {**SPENT, "changeAddress": "bc1x", "memo": "hi"}, ()),
        ("sendTransfer", {**SPENT, "changeAddress": "bc1evil"}, ("changeAddress",)),
        ("sendTransfer", {**SPENT, "outputs": [{}]}, ("outputs",)),
    ],
)
def test_what_else_the_wallet_gets_is_named(method: str, params: Any, unread: tuple[str, ...]) -> None:
    request = read(method, params, BITCOIN if method == "sendTransfer" else "eip155:1")
    assert (request.unread, request.is_readable) == (unread, not unread)


@pytest.mark.parametrize(
    ("method", "params", "readable"),
    [
        ("eth_sendTransaction", [{"to": BOB, "value": "0x1"}], True),
        ("eth_sendTransaction", [{"to": TOKEN, "data": APPROVE}], True),
        ("eth_sendTransaction", [{"to": TOKEN, "data": "0xdeadbeef"}], False),
        ("eth_sendTransaction", [{"to": TOKEN, "data": "0xde"}], False),
        ("eth_sendTransaction", [{"data": "0x6000"}], False),
        ("eth_sendTransaction", [{"data": APPROVE}], False),
        ("eth_sendTransaction", [{}], False),
        ("wallet_sendCalls", [{"calls": [{"to": BOB}, {"to": BOB, "data": "0xdeadbeef"}]}], False),
        ("personal_sign", ["hi", ALICE], True),
        ("eth_signTypedData_v4", [ALICE, permit("Permit", {"spender": BOB, "value": "1"})], True),
        ("eth_signTypedData_v4", [ALICE, permit("Order", {})], False),
        ("eth_sendUserOperation", [{"sender": ALICE, "callData": "0x"}, BOB], False),
        ("wallet_grantPermissions", [{}], False),
    ],
)
def test_it_says_whether_all_that_can_move_is_told(method: str, params: Any, readable: bool) -> None:
    assert read(method, params).is_readable is readable


@pytest.mark.parametrize(
    ("method", "params", "summary"),
    [
        ("eth_sendTransaction", [{"to": BOB, "value": "0x10"}], f"to {BOB} value 16"),
        ("eth_sendTransaction", [{"to": TOKEN, "data": APPROVE}], f"approve {BOB} unlimited at {TOKEN}"),
        ("eth_sendTransaction", [{"data": "0x6000"}], "data at a new contract"),
        (
            "eth_sendTransaction",
            [{"to": TOKEN, "data": ADD_OWNER}],
            f"addOwnerWithThreshold adds {BOB} threshold 1 at {TOKEN}",
        ),
        ("personal_sign", ["my secret", ALICE], "message of 9 bytes"),
        (
            "eth_signTypedData_v4",
            [ALICE, permit("Permit", {"spender": BOB, "value": "5"}, name="USD Coin")],
            f"Permit of USD Coin; {BOB} may take 5 of {TOKEN}",
        ),
    ],
)
def test_the_summary_is_one_line_without_the_message(method: str, params: Any, summary: str) -> None:
    assert read(method, params).summary == summary


def test_the_summary_is_short_whatever_is_asked() -> None:
    assert len(read("wallet_sendCalls", [{"calls": [{"to": BOB, "data": APPROVE}] * 100}]).summary) <= MAX_SUMMARY


@pytest.mark.parametrize(
    ("params", "count"),
    [([{"calls": [{}] * 10_000}], 10_000), ([{"calls": "x" * 10_000}], 0), ([], 0), (None, 0)],
)
def test_the_calls_of_a_batch_are_counted_without_looking_at_them(params: Any, count: int) -> None:
    assert count_calls(params) == count


def test_a_digest_does_not_depend_on_the_order_of_keys() -> None:
    assert params_digest([{"a": 1, "b": "\ud800"}]) == params_digest([{"b": "\ud800", "a": 1}])
