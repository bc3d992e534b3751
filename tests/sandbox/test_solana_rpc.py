"""Solana's RPC without a socket: whatever is asked is answered, and amounts are written exactly."""

import base64
from decimal import Decimal
from typing import Any

import base58
import pytest
from hypothesis import given
from hypothesis import strategies as st
from solders.message import Message
from solders.pubkey import Pubkey
from solders.system_program import TransferParams, transfer
from solders.transaction import VersionedTransaction

from walletmodal.sandbox.solana.beginning import SolanaFaucet, describe_world, first_accounts
from walletmodal.sandbox.solana.journal import SolanaJournal
from walletmodal.sandbox.solana.ledger import Ledger
from walletmodal.sandbox.solana.record import from_line, to_line
from walletmodal.sandbox.solana.rpc import SolanaRpc
from walletmodal.sandbox.solana.spl import ui_amount
from walletmodal.sandbox.solana.world import COLLECTION, TOKENS, account_keys, faucet_key

LEDGER = Ledger(SolanaJournal(None, describe_world(), print), first_accounts)
FAUCET = SolanaFaucet(LEDGER)
FAUCET.fund_accounts()
RPC = SolanaRpc(LEDGER, FAUCET)
METHODS = sorted(RPC.methods)
ALICE = account_keys()[0]

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.sampled_from([TOKENS[0].mint, str(ALICE.pubkey()), "base64", "jsonParsed", "finalized", "AAAA", "1" * 88]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "commitment",
                    "encoding",
                    "mint",
                    "programId",
                    "filters",
                    "limit",
                    "before",
                    "dataSlice",
                    "accounts",
                    "memcmp",
                ]
            )
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


def _result(method: str, *params: object) -> Any:
    answer = RPC.answer({"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)})
    assert isinstance(answer, dict)
    assert "error" not in answer, answer
    return answer["result"]


@given(method=st.sampled_from(METHODS), params=st.lists(JSON, max_size=4) | JSON)
def test_whatever_is_asked_gets_a_result_or_an_error(method: str, params: object) -> None:
    answer = RPC.answer({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert isinstance(answer, dict)
    assert ("result" in answer) != ("error" in answer)


@given(asked=JSON | st.fixed_dictionaries({"jsonrpc": JSON, "id": JSON, "method": JSON, "params": JSON}))
def test_what_is_no_request_is_refused(asked: object) -> None:
    answer = RPC.answer(asked)
    for one in answer if isinstance(answer, list) else [answer]:
        assert isinstance(one, dict)
        assert one["error"]["code"] in (-32600, -32601)


@given(raw=st.binary(max_size=200), encoding=st.sampled_from(["base58", "base64"]))
def test_bytes_that_are_no_transaction_are_refused(raw: bytes, encoding: str) -> None:
    text = base64.b64encode(raw).decode() if encoding == "base64" else base58.b58encode(raw).decode()
    asked = {"jsonrpc": "2.0", "id": 1, "method": "sendTransaction", "params": [text, {"encoding": encoding}]}
    answer = RPC.answer(asked)
    assert isinstance(answer, dict)
    assert answer["error"]["code"] in (-32602, -32003, -32002)


@given(raw=st.binary(max_size=200), version=st.sampled_from([b"", b"\x80", b"\x81"]))
def test_bytes_that_are_no_message_have_no_fee(raw: bytes, version: bytes) -> None:
    text = base64.b64encode(version + raw).decode()
    answer = RPC.answer({"jsonrpc": "2.0", "id": 1, "method": "getFeeForMessage", "params": [text]})
    assert isinstance(answer, dict)
    assert "error" in answer or answer["result"]["value"] is None


@given(place=st.integers(0, 300), value=st.integers(0, 255), method=st.sampled_from(["send", "simulate"]))
def test_a_transaction_with_a_wrong_byte_is_answered(place: int, value: int, method: str) -> None:
    payment = transfer(TransferParams(from_pubkey=ALICE.pubkey(), to_pubkey=faucet_key().pubkey(), lamports=1))
    message = Message.new_with_blockhash([payment], ALICE.pubkey(), LEDGER.blockhash)
    raw = bytearray(bytes(VersionedTransaction(message, [ALICE])))
    raw[place % len(raw)] = value
    params = [base64.b64encode(bytes(raw)).decode(), {"encoding": "base64"}]
    answer = RPC.answer({"jsonrpc": "2.0", "id": 1, "method": f"{method}Transaction", "params": params})
    assert isinstance(answer, dict)
    assert ("result" in answer) != ("error" in answer)


@given(amount=st.integers(0, 2**64 - 1), decimals=st.integers(0, 20))
def test_amounts_are_written_exactly(amount: int, decimals: int) -> None:
    written = ui_amount(amount, decimals)
    text = str(written["uiAmountString"])
    assert Decimal(text) * 10**decimals == amount
    assert "E" not in text
    assert not ("." in text and text.endswith("0"))
    assert written["amount"] == str(amount)


@pytest.mark.parametrize("encoding", ["base64", "base58", "json", "jsonParsed"])
def test_a_legacy_transaction_is_told_in_each_encoding(encoding: str) -> None:
    payment = transfer(TransferParams(from_pubkey=ALICE.pubkey(), to_pubkey=Pubkey.new_unique(), lamports=10**7))
    message = Message.new_with_blockhash([payment], ALICE.pubkey(), LEDGER.blockhash)
    sent = VersionedTransaction(message, [ALICE])
    signature = _result("sendTransaction", base64.b64encode(bytes(sent)).decode(), {"encoding": "base64"})
    told = _result("getTransaction", signature, {"encoding": encoding})
    assert isinstance(told, dict)
    body = told["transaction"]
    if encoding in ("base64", "base58"):
        decode = base64.b64decode if encoding == "base64" else base58.b58decode
        assert decode(body[0]) == bytes(sent)
    else:
        assert body["signatures"] == [signature]
        assert len(body["message"]["instructions"]) == 1
    assert told["meta"]["fee"] == 5000


def test_a_failed_transaction_lands_with_its_error_and_pays_its_fee() -> None:
    before = LEDGER.account(ALICE.pubkey())
    payment = transfer(TransferParams(from_pubkey=ALICE.pubkey(), to_pubkey=Pubkey.new_unique(), lamports=10**15))
    message = Message.new_with_blockhash([payment], ALICE.pubkey(), LEDGER.blockhash)
    raw = base64.b64encode(bytes(VersionedTransaction(message, [ALICE]))).decode()
    signature = _result("sendTransaction", raw, {"encoding": "base64", "skipPreflight": True})
    statuses = _result("getSignatureStatuses", [signature])
    assert isinstance(statuses, dict)
    assert statuses["value"][0]["err"] == {"InstructionError": [0, {"Custom": 1}]}
    after = LEDGER.account(ALICE.pubkey())
    assert before is not None
    assert after is not None
    assert before.lamports - after.lamports == 5000


def test_a_blockhash_grows_old() -> None:
    old = str(LEDGER.blockhash)
    assert _result("isBlockhashValid", old)["value"] is True
    for _ in range(151):
        FAUCET.give(ALICE.pubkey(), 1)
    assert _result("isBlockhashValid", old)["value"] is False


def test_program_accounts_are_filtered_by_size_and_bytes() -> None:
    filters = [{"dataSize": 165}, {"memcmp": {"offset": 32, "bytes": str(ALICE.pubkey())}}]
    found = _result(
        "getProgramAccounts", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", {"filters": filters, "encoding": "base64"}
    )
    assert isinstance(found, list)
    assert len(found) == len(TOKENS) + COLLECTION.granted


def test_a_line_of_the_journal_is_read_as_it_was_written() -> None:
    record = FAUCET.give(ALICE.pubkey(), 5, TOKENS[0])
    key = faucet_key().pubkey()
    account = LEDGER.account(key)
    assert account is not None
    assert from_line(to_line(record, {key: account})) == (record, {key: account})
