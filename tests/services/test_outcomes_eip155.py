"""What became of transactions, on a real EVM node: mined, reverted, replaced, dropped, altered, and those whose answer never came."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
import pytest_asyncio

from tests.patience import patience
from tests.services import node as nodes
from tests.services.anvil import running_anvil
from tests.services.node import Node
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import MalformedResponseError, TransportError
from walletmodal.core.errors.flow import UnsupportedChainError
from walletmodal.core.transfers.transaction_request import Exchange, TransactionRequest, differences, is_same, propose
from walletmodal.services.chains.adapter import Finding
from walletmodal.services.chains.eip155 import Eip155Adapter
from walletmodal.services.chains.eip155.outcomes import FINAL_DEPTH
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport

CHAIN = parse_chain_id("eip155:1")
SENDER, OTHER, THIRD = (
    "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
)
REFUSES = "0x00000000000000000000000000000000000000fe"
TOKEN = "0x1111111111111111111111111111111111111111"
PAYMENT: dict[str, Any] = {"from": SENDER, "to": OTHER, "value": "0x5", "data": "0x"}
HASH = "0x" + "ab" * 32
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running_anvil() as found:
        yield found


class Anvil:
    """The node, told what to do."""

    def __init__(self, client: httpx.AsyncClient, url: str) -> None:
        self.client, self.url = client, url
        self.held = False

    async def ask(self, method: str, *params: object) -> Any:
        answer = await self.client.post(self.url, json={"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
        assert "error" not in answer.json(), answer.text
        return answer.json()["result"]

    async def send(self, **changes: object) -> str:
        """What a wallet would do. Returns the hash, once it is in a block unless blocks are held back."""
        sent: str = await self.ask("eth_sendTransaction", {"gas": "0x30000", **PAYMENT, **changes})
        async with patience():
            while not self.held and await self.ask("eth_getTransactionReceipt", sent) is None:
                await asyncio.sleep(0.01)
        return sent

    async def hold(self) -> None:
        """No blocks from now on, unless one is asked for."""
        self.held = True
        await self.ask("evm_setAutomine", False)

    async def nonce(self) -> int:
        return int(await self.ask("eth_getTransactionCount", SENDER, "latest"), 16)

    async def mine(self, blocks: int = 1) -> None:
        await self.ask("anvil_mine", hex(blocks))


@pytest_asyncio.fixture
async def anvil(client: httpx.AsyncClient, url: str) -> AsyncIterator[Anvil]:
    """The node as it was before the test."""
    found = Anvil(client, url)
    before = await found.ask("evm_snapshot")
    yield found
    await found.ask("anvil_dropAllTransactions")
    await found.ask("evm_setAutomine", True)
    await found.ask("evm_revert", before)


@pytest.fixture
def adapter(client: httpx.AsyncClient, url: str) -> Eip155Adapter:
    transport = BatchingTransport(HttpRpcTransport(client, url))
    return Eip155Adapter(lambda _chain: transport)


def asked(**changes: Any) -> TransactionRequest:
    """An entry of the record, for the payment unless its parts are given."""
    parts = {name: changes.pop(name) for name in ("to", "value", "data") if name in changes}
    proposal = propose(CHAIN, SENDER, "eth_sendTransaction", [{**PAYMENT, **parts}])
    return TransactionRequest("id", "owner", "", "send", proposal, NOW, NOW, **changes)


async def find(adapter: Eip155Adapter, entry: TransactionRequest, taken: tuple[str, ...] = ()) -> Finding:
    return await adapter.find_transaction(entry, taken)


async def test_a_mined_transaction_is_confirmed(anvil: Anvil, adapter: Eip155Adapter) -> None:
    nonce, sent = await anvil.nonce(), await anvil.send()
    found = await find(adapter, asked(hash=sent))
    assert (found.state, found.final, found.nonce, found.proven) == ("confirmed", False, nonce, True)
    assert found.mined is not None
    assert differences(asked().proposal, found.mined) == ()


async def test_it_is_final_when_blocks_lie_above_it(anvil: Anvil, adapter: Eip155Adapter) -> None:
    sent = await anvil.send()
    await anvil.mine(FINAL_DEPTH)
    assert (await find(adapter, asked(hash=sent))).final


async def test_a_reverted_transaction_is_told_as_such(anvil: Anvil, adapter: Eip155Adapter) -> None:
    await anvil.ask("anvil_setCode", REFUSES, "0x60006000fd")
    sent = await anvil.send(to=REFUSES)
    assert (await find(adapter, asked(hash=sent, to=REFUSES))).state == "reverted"


async def test_what_waits_for_a_block_waits(anvil: Anvil, adapter: Eip155Adapter) -> None:
    await anvil.hold()
    nonce, sent = await anvil.nonce(), await anvil.send()
    found = await find(adapter, asked(hash=sent))
    assert (found.state, found.nonce, found.proven, found.mined) == ("waiting", nonce, True, None)


async def test_what_nobody_knows_is_missing(anvil: Anvil, adapter: Eip155Adapter) -> None:
    assert (await find(adapter, asked(hash=HASH))).state == "missing"


async def test_a_dropped_transaction_is_missing(anvil: Anvil, adapter: Eip155Adapter) -> None:
    await anvil.hold()
    nonce, sent = await anvil.nonce(), await anvil.send()
    await anvil.ask("anvil_dropTransaction", sent)
    assert (await find(adapter, asked(hash=sent, nonce=nonce))).state == "missing"


@pytest.mark.parametrize(
    ("change", "same"),
    [({}, True), ({"to": SENDER, "value": "0x0"}, False), ({"to": THIRD, "value": "0x7"}, False)],
    ids=["sped-up", "cancelled", "another"],
)
async def test_a_replaced_transaction_leads_to_the_one_in_its_place(
    anvil: Anvil, adapter: Eip155Adapter, change: dict[str, Any], same: bool
) -> None:
    await anvil.hold()
    height, nonce = await adapter.height(CHAIN), await anvil.nonce()
    first = await anvil.send(nonce=hex(nonce), maxFeePerGas=hex(10**10), maxPriorityFeePerGas="0x1")
    second = await anvil.send(nonce=hex(nonce), maxFeePerGas=hex(10**11), maxPriorityFeePerGas=hex(10**9), **change)
    await anvil.mine(3)
    found = await find(adapter, asked(hash=first, nonce=nonce, height=height))
    assert (found.state, found.hash) == ("replaced", second)
    assert found.mined is not None
    assert is_same(asked().proposal, found.mined) is same


@pytest.mark.parametrize(
    ("change", "missed_at", "state"),
    [
        ({}, None, "replaced"),
        ({"to": SENDER, "value": "0x0"}, None, "replaced"),
        ({"to": THIRD}, None, "missing"),
        ({"to": THIRD}, NOW, "replaced"),
    ],
    ids=["sped-up", "cancelled", "another-at-first", "another-later"],
)
async def test_what_nobody_has_seen_has_the_nonce_that_was_proposed(
    anvil: Anvil, adapter: Eip155Adapter, change: dict[str, Any], missed_at: datetime | None, state: str
) -> None:
    height, nonce = await adapter.height(CHAIN), await anvil.nonce()
    await anvil.send(nonce=hex(nonce), **change)
    entry = asked(hash=HASH, height=height, missed_at=missed_at)
    proposed = replace(entry, proposal=entry.proposal.model_copy(update={"anchor": str(nonce)}))
    assert (await find(adapter, proposed)).state == state


async def test_a_transaction_whose_answer_never_came_is_found_by_what_it_does(
    anvil: Anvil, adapter: Eip155Adapter
) -> None:
    height = await adapter.height(CHAIN)
    await anvil.send(value="0x6")
    await anvil.mine(40)
    sent = await anvil.send()
    await anvil.send(to=THIRD)
    await anvil.mine(2)
    found = await find(adapter, asked(height=height))
    assert (found.state, found.hash, found.proven) == ("confirmed", sent, True)


async def test_without_a_height_the_last_blocks_are_searched(anvil: Anvil, adapter: Eip155Adapter) -> None:
    sent = await anvil.send()
    assert (await find(adapter, asked())).hash == sent


async def test_one_transaction_is_not_found_for_two_requests(anvil: Anvil, adapter: Eip155Adapter) -> None:
    height = await adapter.height(CHAIN)
    sent = await anvil.send()
    assert (await find(adapter, asked(height=height), (sent,))).state == "missing"


async def test_what_was_sent_long_before_is_not_found(anvil: Anvil, adapter: Eip155Adapter) -> None:
    await anvil.send()
    await anvil.mine(100)
    assert (await find(adapter, asked(height=await adapter.height(CHAIN)))).state == "missing"


@pytest.mark.parametrize(
    ("change", "kinds"),
    [
        ({"to": THIRD}, ["receiver"]),
        ({"value": "0x6"}, ["value"]),
        ({"data": "0x01020304"}, ["data"]),
        ({"to": THIRD, "value": "0x6"}, ["receiver", "value"]),
        ({"from": THIRD}, ["sender"]),
    ],
)
async def test_a_wallet_that_sends_another_transaction_is_caught(
    anvil: Anvil, adapter: Eip155Adapter, change: dict[str, str], kinds: list[str]
) -> None:
    sent = await anvil.send(**change)
    found = await find(adapter, asked(hash=sent))
    assert found.mined is not None
    assert [one.kind for one in differences(asked().proposal, found.mined)] == kinds


async def test_somebody_else_s_transaction_proves_nothing(anvil: Anvil, adapter: Eip155Adapter) -> None:
    sent = await anvil.send(**{"from": THIRD})
    assert not (await find(adapter, asked(hash=sent))).proven


@pytest.mark.parametrize("waits", [False, True])
async def test_another_transaction_of_the_account_proves_nothing(
    anvil: Anvil, adapter: Eip155Adapter, waits: bool
) -> None:
    """Any browser may say that it asked this account for a payment, and name any of its transactions."""
    if waits:
        await anvil.hold()
    sent = await anvil.send(to=THIRD)
    found = await find(adapter, asked(hash=sent))
    assert (found.state, found.proven) == ("waiting" if waits else "confirmed", False)


async def test_what_is_named_for_a_batch_proves_nothing(anvil: Anvil, adapter: Eip155Adapter) -> None:
    """What a batch did cannot be compared with what was asked: only who has asked for it is to see it."""
    call = {"to": OTHER, "data": "0x", "value": "0x64"}
    batch = {"from": SENDER, "chainId": "0x1", "version": "2.0.0", "atomicRequired": True, "calls": [call]}
    proposal = propose(CHAIN, SENDER, "wallet_sendCalls", [batch])
    sent = await anvil.send(to=THIRD)
    found = await find(adapter, replace(asked(hash=sent, bundle="0xb0"), proposal=proposal))
    assert (found.state, found.proven) == ("confirmed", False)


async def test_what_took_its_place_proves_only_the_same_payment(anvil: Anvil, adapter: Eip155Adapter) -> None:
    height, nonce = await adapter.height(CHAIN), await anvil.nonce()
    await anvil.send(nonce=hex(nonce), to=THIRD)
    found = await find(adapter, asked(hash=HASH, height=height, nonce=nonce))
    assert (found.state, found.proven) == ("replaced", False)


async def test_what_another_sends_for_a_contract_account_is_no_difference(anvil: Anvil, adapter: Eip155Adapter) -> None:
    sent = await anvil.send(**{"from": THIRD, "to": TOKEN})
    await anvil.ask("anvil_setCode", SENDER, "0x00")
    found = await find(adapter, asked(hash=sent))
    assert found.mined is not None
    assert differences(asked().proposal, found.mined) == ()


COINS = Exchange(given=1, given_symbol="T", given_decimals=0, token="", least=5, symbol="ETH", decimals=18, image="")


@pytest.mark.parametrize(("sender", "gained"), [(OTHER, 5), (SENDER, 0)])
async def test_what_a_batch_brings_in_coins_is_counted_without_fee_and_value(
    anvil: Anvil, adapter: Eip155Adapter, sender: str, gained: int
) -> None:
    """The wallet makes it its own way: as a transaction of the account to itself, or of somebody else."""
    batch = {"from": SENDER, "chainId": "0x1", "version": "2.0.0", "atomicRequired": True}
    calls = [{"to": TOKEN, "data": "0x1234", "value": "0x0"}, {"to": THIRD, "data": "0x56", "value": "0x0"}]
    proposal = propose(CHAIN, SENDER, "wallet_sendCalls", [{**batch, "calls": calls}], exchange=COINS)
    sent = await anvil.send(**{"from": sender, "to": SENDER})
    found = await find(adapter, replace(asked(hash=sent, bundle="0xb0"), proposal=proposal))
    assert found.mined is not None
    assert (found.mined.gained, found.mined.relayed) == (gained, True)
    assert [one.text for one in differences(proposal, found.mined)] == (
        [] if gained else ["Amount: 0 ETH instead of 0.000000000000000005 ETH"]
    )


@pytest.mark.parametrize(("fee", "gained"), [(0, 100), (10, 90)])
async def test_what_the_receiver_gets_is_read_from_the_token_s_logs(
    anvil: Anvil, adapter: Eip155Adapter, fee: int, gained: int
) -> None:
    await anvil.ask("anvil_setCode", TOKEN, _token(fee))
    data = "0xa9059cbb" + OTHER[2:].rjust(64, "0") + f"{100:x}".rjust(64, "0")
    sent = await anvil.send(to=TOKEN, value="0x0", data=data)
    entry = asked(hash=sent, to=TOKEN, value="0x0", data=data)
    proposal = entry.proposal.model_copy(update={"token": TOKEN, "receiver": OTHER, "amount": 100, "symbol": "T"})
    found = await find(adapter, replace(entry, proposal=proposal))
    assert found.mined is not None
    assert found.mined.gained == gained
    assert [one.text for one in differences(proposal, found.mined)] == (
        [f"Amount: {gained} T instead of 100 T"] if fee else []
    )


@pytest.mark.parametrize("result", [5, "0x", [], {"from": "0x1"}, {"from": SENDER, "nonce": -1}])
async def test_nonsense_of_a_node_is_an_error(client: httpx.AsyncClient, node: Node, result: Any) -> None:
    node.behaviour = nodes.answer(result=result)
    transport = BatchingTransport(HttpRpcTransport(client, node.url))
    adapter = Eip155Adapter(lambda _chain: transport)
    if isinstance(result, dict):
        with pytest.raises((MalformedResponseError, TransportError)):
            await find(adapter, asked(hash=HASH, nonce=0, height=0))
    else:
        with pytest.raises(TransportError):
            await find(adapter, asked(height=0))


async def test_evm_wallets_send_themselves(adapter: Eip155Adapter) -> None:
    with pytest.raises(UnsupportedChainError):
        await adapter.broadcast(CHAIN, "0x")


def _token(fee: int) -> str:
    """A contract that logs the transfer that it is called with, less a fee."""
    topic = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
    return f"0x60{fee:02x}60243503600052600435337f{topic}60206000a300"
