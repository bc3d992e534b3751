"""What became of transactions, on a real Solana machine: landed, failed, expired, altered, and those whose answer never came."""

from __future__ import annotations

import base64
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from solders.compute_budget import set_compute_unit_price
from solders.instruction import Instruction
from solders.keypair import Keypair
from solders.transaction import VersionedTransaction

from tests.patience import PATIENCE
from tests.services import node as nodes
from tests.services.node import Node
from tests.services.real_chains import solana
from tests.solana_samples import encoded, payment
from walletmodal.core.accounts.tokens import parse_token_balance
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.decoding.solana_message import read_transaction
from walletmodal.core.errors import TransportError
from walletmodal.core.errors.nodes import NodeError
from walletmodal.core.transfers.send import Transfer
from walletmodal.core.transfers.transaction_request import TransactionRequest, differences, is_same, propose
from walletmodal.sandbox.solana.node import SolanaNode
from walletmodal.sandbox.solana.world import CHAIN, TOKENS, account_keys
from walletmodal.services.chains.solana import SolanaAdapter
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport, RpcEndpoints

__all__ = ["solana"]

SOLANA = parse_chain_id(CHAIN)
PAYER, SECOND, _ = account_keys()
SENDER = str(PAYER.pubkey())
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def adapter(client: httpx.AsyncClient, solana: SolanaNode) -> SolanaAdapter:
    return SolanaAdapter(RpcEndpoints(client, overrides={CHAIN: solana.url}).transport)


async def on_node(url: str, method: str, *params: object) -> Any:
    async with httpx.AsyncClient(trust_env=False, verify=False, timeout=PATIENCE) as direct:
        answer = await direct.post(url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    assert "error" not in answer.json(), answer.text
    return answer.json()["result"]


async def made(url: str, *instructions: Instruction, signed: bool = True) -> str:
    """A transaction of the payer's with a fresh blockhash."""
    blockhash = (await on_node(url, "getLatestBlockhash"))["value"]["blockhash"]
    return encoded(*instructions, sender=PAYER, blockhash=blockhash, signed=signed)


def signed(transaction: str) -> str:
    """The same, signed by the payer."""
    unsigned = VersionedTransaction.from_bytes(base64.b64decode(transaction))
    return base64.b64encode(bytes(VersionedTransaction(unsigned.message, [PAYER]))).decode()


async def submit(url: str, transaction: str, **config: object) -> str:
    sent: str = await on_node(url, "sendTransaction", transaction, {"encoding": "base64", **config})
    return sent


def asked(transaction: str, transfer: Transfer | None = None, **changes: Any) -> TransactionRequest:
    method = "solana_signAndSendTransaction"
    proposal = propose(SOLANA, SENDER, method, {"transaction": transaction}, transfer=transfer)
    return TransactionRequest("id", "owner", "", "send", proposal, NOW, NOW, **changes)


def transfer(amount: int, receiver: str, mint: str | None = None, decimals: int = 9) -> Transfer:
    raw = {
        "name": "x",
        "symbol": "X",
        "chainId": CHAIN,
        "address": f"{CHAIN}:{mint}" if mint else None,
        "quantity": {"decimals": str(decimals), "numeric": "1"},
    }
    return Transfer(SOLANA, parse_token_balance(raw), amount, receiver)


async def test_a_landed_transaction_is_confirmed_and_final(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    transaction = await made(solana.url, payment(1_000_000, sender=PAYER))
    found = await adapter.find_transaction(asked(transaction, hash=await submit(solana.url, transaction)), ())
    assert (found.state, found.final, found.proven) == ("confirmed", True, True)
    assert found.mined is not None
    assert differences(asked(transaction).proposal, found.mined) == ()


async def test_a_failed_transaction_is_told_as_such(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    transaction = await made(solana.url, payment(10**15, sender=PAYER))
    sent = await submit(solana.url, transaction, skipPreflight=True)
    found = await adapter.find_transaction(asked(transaction, hash=sent), ())
    assert (found.state, bool(found.reason)) == ("reverted", True)


async def test_what_has_not_landed_yet_is_missing(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    transaction = await made(solana.url, payment(2_000_000, sender=PAYER))
    entry = asked(transaction, hash=read_transaction(transaction).signature)
    assert (await adapter.find_transaction(entry, ())).state == "missing"


async def test_what_can_never_land_is_gone(adapter: SolanaAdapter) -> None:
    transaction = encoded(payment(3_000_000, sender=PAYER), sender=PAYER, signed=True)
    entry = asked(transaction, hash=read_transaction(transaction).signature)
    assert (await adapter.find_transaction(entry, ())).state == "gone"


async def test_a_transaction_whose_answer_never_came_is_found_by_what_it_does(
    adapter: SolanaAdapter, solana: SolanaNode
) -> None:
    height = await adapter.height(SOLANA)
    wanted = payment(4_000_000, sender=PAYER)
    await submit(solana.url, await made(solana.url, payment(4_000_001, sender=PAYER)))
    # The wallet has put a price to it, and a blockhash of its own.
    sent = await submit(solana.url, await made(solana.url, set_compute_unit_price(7), wanted))
    entry = asked(encoded(wanted, sender=PAYER), height=height)
    found = await adapter.find_transaction(entry, ())
    assert (found.hash, found.proven) == (sent, True)
    assert (await adapter.find_transaction(entry, (sent,))).state == "missing"


async def test_the_earlier_of_two_alike_is_found_first(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    wanted = payment(5_000_000, sender=PAYER)
    first = await submit(solana.url, await made(solana.url, wanted))
    second = await submit(solana.url, await made(solana.url, set_compute_unit_price(9), wanted))
    entry = asked(encoded(wanted, sender=PAYER))
    assert (await adapter.find_transaction(entry, ())).hash == first
    assert (await adapter.find_transaction(entry, (first,))).hash == second


@pytest.mark.parametrize(
    ("lamports", "stranger", "text"),
    [
        (6_000_000, True, "Receiver: somebody else instead of {receiver}"),
        (6_000_001, False, "Amount: 0.006000001 X instead of 0.006 X"),
    ],
)
async def test_a_wallet_that_sends_another_transaction_is_caught(
    adapter: SolanaAdapter, solana: SolanaNode, lamports: int, stranger: bool, text: str
) -> None:
    receiver = str(Keypair().pubkey())
    other = str(Keypair().pubkey()) if stranger else receiver
    meant = await made(solana.url, payment(6_000_000, receiver, PAYER), signed=False)
    sent = await submit(solana.url, await made(solana.url, payment(lamports, other, PAYER)))
    entry = asked(meant, transfer(6_000_000, receiver), hash=sent)
    found = await adapter.find_transaction(entry, ())
    assert found.mined is not None
    # Any browser may say that it asked this account for a payment, and name any of its transactions.
    assert not found.proven
    assert [one.text for one in differences(entry.proposal, found.mined)] == [text.format(receiver=receiver)]


async def test_tokens_that_arrive_are_read_from_the_balances(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    usdc, receiver = TOKENS[0], str(Keypair().pubkey())
    wanted = transfer(1_234, receiver, usdc.mint, usdc.decimals)
    prepared = await adapter.build_transfer(SENDER, wanted)
    assert isinstance(prepared.params, dict)
    unsigned = str(prepared.params["transaction"])
    entry = asked(unsigned, wanted, hash=await submit(solana.url, signed(unsigned)))
    found = await adapter.find_transaction(entry, ())
    assert found.mined is not None
    assert (found.mined.gained, is_same(entry.proposal, found.mined)) == (1_234, True)
    less = replace(found.mined, gained=1_000)
    assert [one.kind for one in differences(entry.proposal, less)] == ["value"]


async def test_a_signed_transaction_is_brought_to_the_network_once(adapter: SolanaAdapter, solana: SolanaNode) -> None:
    transaction = await made(solana.url, payment(7_000_000, sender=PAYER))
    sent = await adapter.broadcast(SOLANA, transaction)
    assert sent == read_transaction(transaction).signature
    with pytest.raises(NodeError):
        await adapter.broadcast(SOLANA, encoded(payment(7_000_001, sender=PAYER), sender=PAYER, signed=True))


@pytest.mark.parametrize("result", [5, None, {}, {"value": 5}, {"value": [{"confirmationStatus": "finalized"}]}])
async def test_nonsense_of_a_node_is_an_error(client: httpx.AsyncClient, node: Node, result: Any) -> None:
    node.behaviour = nodes.answer(result=result)
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    adapter = SolanaAdapter(lambda _chain: transport)
    with pytest.raises(TransportError):
        await adapter.find_transaction(asked(encoded(payment(1))), ())
