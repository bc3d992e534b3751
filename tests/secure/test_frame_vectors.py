"""What the embedded wallet's page derives and signs is, byte for byte, what eth-account and solders derive and sign."""

import base64
from collections.abc import Sequence
from random import Random
from typing import Any

import base58
import pytest
from eth_abi.abi import encode
from eth_account import Account
from eth_account.messages import encode_defunct
from eth_utils.crypto import keccak
from solders.hash import Hash
from solders.instruction import AccountMeta, Instruction
from solders.keypair import Keypair
from solders.message import Message, MessageV0, to_bytes_versioned
from solders.pubkey import Pubkey
from solders.signature import Signature
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from tests.eip712_example import BOB, COW
from tests.secure.frame_page import (
    ETHEREUM_NODE,
    SOLANA,
    Case,
    ethereum,
    page,
    solana,
    solana_account,
    words,
)

__all__ = ["ethereum", "solana", "words"]


def test_every_phrase_gives_the_addresses_of_other_wallets() -> None:
    chance = Random(16)
    entropies = [bytes(16), b"\xff" * 16, *(chance.randbytes(16) for _ in range(25))]
    for found in page(*({"entropy": entropy.hex()} for entropy in entropies)):
        assert found["addresses"]["evm"] == Account.from_mnemonic(found["words"]).address
        assert found["addresses"]["solana"] == str(solana_account(found["words"]).pubkey())


def test_messages_are_signed_alike(ethereum: Any) -> None:
    messages = [b"", b"hello", "grüße 👋".encode(), b"\x00\xff" * 40, bytes(32), b"x" * 3000]
    requests = [
        {"method": "personal_sign", "params": [f"0x{one.hex()}", ethereum.address], "chain": "eip155:1"}
        for one in messages
    ]
    for message, found in zip(messages, page(*requests), strict=True):
        signed = ethereum.sign_message(encode_defunct(primitive=message))
        assert found["signed"] == "0x" + signed.signature.hex().removeprefix("0x")


_TO = "0x3535353535353535353535353535353535353535"
_LIST = [{"address": _TO, "storageKeys": ["0x" + "01" * 32, "0x" + "00" * 32]}, {"address": COW, "storageKeys": []}]
TRANSACTIONS: list[tuple[Case, Case]] = [
    ({"to": _TO, "value": hex(10**18)}, {"gas": 21_000, "maxFeePerGas": 2 * 10**9 + 5, "maxPriorityFeePerGas": 5}),
    (
        {"to": _TO, "value": "0x0", "gas": "0x5300", "nonce": "0x0"},
        {"maxFeePerGas": 2 * 10**9 + 5, "maxPriorityFeePerGas": 5},
    ),
    ({"to": _TO, "data": "0x01", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x0"}, {"gas": 25_200}),
    (
        {"to": _TO, "input": "0x" + "ab" * 300, "gas": "0xffffff", "accessList": _LIST},
        {"maxFeePerGas": 2 * 10**9 + 5, "maxPriorityFeePerGas": 5},
    ),
    ({"data": "0x6000", "gas": "0xfffff", "value": "0x7f"}, {"maxFeePerGas": 2 * 10**9 + 5, "maxPriorityFeePerGas": 5}),
    ({"to": _TO, "value": "0x80", "gasPrice": "0x4a817c800", "gas": "0x5208"}, {}),
    ({"to": _TO, "value": "0xff", "type": "0x0"}, {"gas": 21_000, "gasPrice": 10**9 + 7}),
    ({"to": _TO, "value": "0x1", "maxPriorityFeePerGas": "0x9"}, {"gas": 21_000, "maxFeePerGas": 2 * 10**9 + 9}),
]


@pytest.mark.parametrize("chain", [1, 137, 11155111])
def test_transactions_are_filled_and_signed_alike(ethereum: Any, chain: int) -> None:
    requests = [
        {
            "method": "eth_sendTransaction",
            "params": [{"from": ethereum.address, **given}],
            "chain": f"eip155:{chain}",
            "node": ETHEREUM_NODE,
        }
        for given, _ in TRANSACTIONS
    ]
    for (given, filled), found in zip(TRANSACTIONS, page(*requests), strict=True):
        known = {"nonce": 7, "value": 0, "chainId": chain, **_expected(given), **filled}
        raw = ethereum.sign_transaction(known).raw_transaction
        assert found.get("signed") == "0x" + raw.hex().removeprefix("0x"), (given, found)


def _expected(given: Case) -> dict[str, Any]:
    """The same transaction in eth-account's words."""
    named = {**given}
    named["data"] = named.pop("data", named.pop("input", "0x"))
    legacy = "gasPrice" in named or named.pop("type", "") == "0x0"
    return named if legacy else {**named, "type": 2}


def solana_messages(payer: Pubkey, other: Pubkey) -> Sequence[Message | MessageV0]:
    """Legacy and versioned messages, of one signer and of two, the account first and last."""
    pay = transfer(TransferParams(from_pubkey=payer, to_pubkey=other, lamports=5))
    both = Instruction(
        Pubkey.from_bytes(bytes([9] * 32)),
        bytes(200),
        [AccountMeta(payer, True, False), AccountMeta(other, True, True)],
    )
    return [
        Message.new_with_blockhash([pay], payer, Hash.default()),
        Message.new_with_blockhash([pay, both], other, Hash.hash(b"block")),
        MessageV0.try_compile(payer, [pay], [], Hash.default()),
        MessageV0.try_compile(other, [both], [], Hash.default()),
    ]


def test_solana_transactions_are_signed_alike(solana: Keypair) -> None:
    other = Keypair.from_seed(bytes([3] * 32))
    unsigned, expected = [], []
    for message in solana_messages(solana.pubkey(), other.pubkey()):
        signers = message.account_keys[: message.header.num_required_signatures]
        raw = to_bytes_versioned(message)
        theirs = [other.sign_message(raw) if key == other.pubkey() else Signature.default() for key in signers]
        ours = [
            solana.sign_message(raw) if key == solana.pubkey() else one
            for key, one in zip(signers, theirs, strict=True)
        ]
        unsigned.append(base64.b64encode(bytes(VersionedTransaction.populate(message, theirs))).decode())
        signed = base64.b64encode(bytes(VersionedTransaction.populate(message, ours))).decode()
        expected.append({"signature": str(solana.sign_message(raw)), "transaction": signed})
    each = [{"method": "solana_signTransaction", "params": {"transaction": one}, "chain": SOLANA} for one in unsigned]
    together = {"method": "solana_signAllTransactions", "params": {"transactions": unsigned}, "chain": SOLANA}
    *found, all_of_them = page(*each, together)
    assert [one.get("signed") for one in found] == expected
    assert all_of_them["signed"] == {"transactions": [one["transaction"] for one in expected]}


def test_solana_messages_are_signed_alike(solana: Keypair) -> None:
    messages = [b"hello", "grüße".encode(), bytes(range(256))]
    requests = [
        {"method": "solana_signMessage", "params": {"message": base58.b58encode(one).decode()}, "chain": SOLANA}
        for one in messages
    ]
    found = [one["signed"] for one in page(*requests)]
    assert found == [{"signature": str(solana.sign_message(one))} for one in messages]


def test_a_solana_transaction_is_no_message(solana: Keypair) -> None:
    for message in solana_messages(solana.pubkey(), Pubkey.from_bytes(bytes([8] * 32))):
        given = base58.b58encode(to_bytes_versioned(message)).decode()
        [found] = page({"method": "solana_signMessage", "params": {"message": given}, "chain": SOLANA})
        assert found == {"error": "Invalid params: this is a transaction, and no message"}


DELEGATE = "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B"
SMART_NODE = {**ETHEREUM_NODE, "eth_getCode": "0x", "eth_estimateGas": "0x30d40"}
CALLS = (
    (COW, 5, b"\x12\x34\x56\x78" + bytes(33)),
    (BOB, 10**17, b""),
)


def _execute(calls: Sequence[tuple[str, int, bytes]]) -> bytes:
    """ERC-7579 `execute` as eth-abi encodes it."""
    selector = keccak(text="execute(bytes32,bytes)")[:4]
    mode, content = b"\x01" + bytes(31), encode(["(address,uint256,bytes)[]"], [list(calls)])
    if len(calls) == 1:
        [(to, value, data)] = calls
        mode, content = bytes(32), bytes.fromhex(to[2:]) + value.to_bytes(32) + data
    return bytes(selector + encode(["bytes32", "bytes"], [mode, content]))


def test_calls_at_once_are_delegated_and_signed_alike(ethereum: Any) -> None:
    given = [{"to": to, "value": hex(value), "data": f"0x{data.hex()}"} for to, value, data in CALLS]
    request = {"method": "wallet_sendCalls", "params": [{"calls": given}], "chain": "eip155:137"}
    first, later = page(
        {**request, "node": SMART_NODE}, {**request, "node": {**SMART_NODE, "eth_getCode": f"0xef0100{DELEGATE[2:]}"}}
    )
    filled = {
        "chainId": 137,
        "nonce": 7,
        "to": ethereum.address,
        "value": 0,
        "data": _execute(CALLS),
        "gas": 200_000 * 6 // 5,
        "maxPriorityFeePerGas": 5,
        "maxFeePerGas": 2 * 10**9 + 5,
    }
    authorization = ethereum.sign_authorization({"chainId": 137, "address": DELEGATE, "nonce": 8})
    for found, transaction in ((first, {**filled, "authorizationList": [authorization]}), (later, filled)):
        assert found["signed"] == ethereum.sign_transaction(transaction).raw_transaction.to_0x_hex()


def test_user_operations_are_signed_alike(ethereum: Any) -> None:
    paymaster = COW
    fields = {
        "sender": ethereum.address,
        "nonce": 2**64 + 3,
        "callGasLimit": 100_000,
        "verificationGasLimit": 200_000,
        "preVerificationGas": 50_000,
        "maxFeePerGas": 10**10,
        "maxPriorityFeePerGas": 7,
        "paymasterVerificationGasLimit": 30_000,
        "paymasterPostOpGasLimit": 20_000,
    }
    operation = {
        **{name: hex(value) if isinstance(value, int) else value for name, value in fields.items()},
        "callData": f"0x{_execute(CALLS[:1]).hex()}",
        "paymaster": paymaster,
        "paymasterData": "0x0102",
    }
    entry_point = "0x0000000071727De22E5E9d8BAf0edAc6f37da032"
    request = {"method": "walletmodal_signUserOperation", "params": [operation, entry_point], "chain": "eip155:137"}
    [found] = page({**request, "node": SMART_NODE})

    def pair(first: str, second: str) -> bytes:
        return bytes(fields[first].to_bytes(16) + fields[second].to_bytes(16))

    packed = {
        "sender": ethereum.address,
        "nonce": fields["nonce"],
        "initCode": b"",
        "callData": _execute(CALLS[:1]),
        "accountGasLimits": pair("verificationGasLimit", "callGasLimit"),
        "preVerificationGas": fields["preVerificationGas"],
        "gasFees": pair("maxPriorityFeePerGas", "maxFeePerGas"),
        "paymasterAndData": bytes.fromhex(paymaster[2:])
        + pair("paymasterVerificationGasLimit", "paymasterPostOpGasLimit")
        + b"\x01\x02",
        "entryPoint": entry_point,
    }
    types = {
        "PackedUserOperation": [
            {"name": "sender", "type": "address"},
            {"name": "nonce", "type": "uint256"},
            {"name": "initCode", "type": "bytes"},
            {"name": "callData", "type": "bytes"},
            {"name": "accountGasLimits", "type": "bytes32"},
            {"name": "preVerificationGas", "type": "uint256"},
            {"name": "gasFees", "type": "bytes32"},
            {"name": "paymasterAndData", "type": "bytes"},
            {"name": "entryPoint", "type": "address"},
        ]
    }
    domain = {
        "name": "EIP7702StatelessDeleGator",
        "version": "1",
        "chainId": 137,
        "verifyingContract": ethereum.address,
    }
    signed = ethereum.sign_typed_data(domain, types, packed)
    assert found["signed"]["signature"] == signed.signature.to_0x_hex()
    authorization = ethereum.sign_authorization({"chainId": 137, "address": DELEGATE, "nonce": 7})
    told = found["signed"]["eip7702Auth"]
    assert int(told["r"], 16) == authorization.r
    assert int(told["s"], 16) == authorization.s
    assert (told["address"], int(told["yParity"], 16)) == (DELEGATE, authorization.y_parity)
