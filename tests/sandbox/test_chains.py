"""The chains: real ids, funded accounts, kept alive, kept between runs."""

import asyncio
import gzip
import json
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE
from tests.ports import sandbox_settings
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.errors import NodeFailedError, PartMissingError
from walletmodal.sandbox.evm.anvil_program import anvil_binary
from walletmodal.sandbox.evm.deployment import Call
from walletmodal.sandbox.evm.world import TREASURY, worlds

pytestmark = pytest.mark.asyncio(loop_scope="session")

CAIP2 = [chain.caip2 for chain in CHAINS]


async def _node(url: str, method: str, *params: object) -> object:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        return (await client.post(url, json=body)).json()["result"]


@pytest.mark.parametrize("chain", CAIP2)
async def test_each_chain_answers_with_its_real_id(sandbox: Sandbox, chain: str) -> None:
    chain_id = await _node(sandbox.node_url(chain), "eth_chainId")
    assert int(str(chain_id), 16) == int(chain.removeprefix("eip155:"))


@pytest.mark.parametrize("chain", CAIP2)
async def test_ten_accounts_are_funded(sandbox: Sandbox, chain: str) -> None:
    url = sandbox.node_url(chain)
    accounts = await _node(url, "eth_accounts")
    assert isinstance(accounts, list)
    assert len(accounts) == 10
    balances = [int(str(await _node(url, "eth_getBalance", one, "latest")), 16) for one in accounts]
    assert set(balances) == {10_000 * 10**18}


async def test_ports_follow_evm_port_in_the_order_of_the_chains(sandbox: Sandbox) -> None:
    first = sandbox.settings.evm_port
    ports = [int(sandbox.node_url(chain).rpartition(":")[2]) for chain in CAIP2]
    assert ports == list(range(first, first + 5))
    assert CAIP2[:2] == ["eip155:1", "eip155:137"]


async def test_a_chain_that_dies_comes_back_and_the_reason_is_told() -> None:
    told: list[str] = []
    async with Sandbox(sandbox_settings(), say=told.append) as sandbox:
        before = sandbox.pids
        os.kill(before[0], signal.SIGKILL)
        deadline = time.monotonic() + PATIENCE
        while set(sandbox.pids) & set(before[:1]) or len(sandbox.pids) < len(CHAINS):
            assert time.monotonic() < deadline, told
            await asyncio.sleep(0.02)
        async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
            body = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}
            while (answer := await client.post(sandbox.rpc_url(CAIP2[0]), json=body)).is_error:
                assert time.monotonic() < deadline, told
                await asyncio.sleep(0.02)
        assert answer.json()["result"] == "0x1"
    assert told == ["eip155:1 ended (signal SIGKILL); it starts again from its beginning"]


async def test_missing_packages_are_named_with_the_cure(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with pytest.raises(PartMissingError, match="npm ci"):
        anvil_binary(tmp_path_factory.mktemp("no-packages"))


async def test_stop_leaves_no_process() -> None:
    async with Sandbox(sandbox_settings()) as sandbox:
        pids = sandbox.pids
        assert len(pids) == len(CHAINS)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


FRIEND = "0x00000000000000000000000000000000000f41e9"


@asynccontextmanager
async def _kept(port: int, folder: Path, say: Callable[[str], None] = print) -> AsyncIterator[AnvilNode]:
    node = AnvilNode(CHAINS[2], port, anvil_binary(), say, folder)
    await node.start()
    try:
        yield node
    finally:
        await node.stop()


def _states(folder: Path) -> list[Path]:
    return list(folder.glob("*.state"))


async def _pay(node: AnvilNode, amount: int) -> str:
    payment = {"from": worlds()[node.caip2].accounts[3], "to": FRIEND, "value": hex(amount)}
    return str(await node.rpc("eth_sendTransaction", [payment]))


async def test_blocks_transactions_and_logs_survive_a_restart(tmp_path: Path) -> None:
    port = sandbox_settings().evm_port
    reads: list[Call] = [("eth_getBlockByNumber", ["latest", True]), ("eth_getLogs", [{"fromBlock": "0x0"}])]
    async with _kept(port, tmp_path) as node:
        paid = await _pay(node, 7)
        await _until_paid(node)
        reads.append(("eth_getTransactionReceipt", [paid]))
        await node.rpc("anvil_setBalance", [FRIEND, "0x63"])
        before = await node.batch(reads)
    async with _kept(port, tmp_path) as node:
        assert await node.batch(reads) == before
        assert await node.treasury.balance(FRIEND) == 99
        assert await node.treasury.give(FRIEND, 1) == 100
        block = await node.rpc("eth_getBlockByNumber", ["latest", False])
        assert isinstance(block, dict)
        assert abs(int(block["timestamp"], 16) - time.time()) < 30


async def test_a_sudden_end_loses_no_more_than_a_moment(tmp_path: Path) -> None:
    async with _kept(sandbox_settings().evm_port, tmp_path) as node:
        await _pay(node, 7)
        await _until_paid(node)
        head = await node.rpc("eth_getBlockByNumber", ["latest", False])
        deadline = time.monotonic() + PATIENCE
        while not any(FRIEND in gzip.decompress(file.read_bytes()).decode() for file in _states(tmp_path)):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)
        killed = node.pid
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        while node.pid in (killed, None) or not await _answers(node):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.02)
        assert await node.rpc("eth_getBlockByNumber", ["latest", False]) == head


async def _until_paid(node: AnvilNode) -> None:
    deadline = time.monotonic() + PATIENCE
    while await node.treasury.balance(FRIEND) != 7:
        assert time.monotonic() < deadline
        await asyncio.sleep(0.02)


async def _answers(node: AnvilNode) -> bool:
    try:
        return await node.treasury.balance(FRIEND) == 7
    except NodeFailedError:
        return False


async def test_a_reset_takes_back_what_was_kept(tmp_path: Path) -> None:
    port = sandbox_settings().evm_port
    async with _kept(port, tmp_path) as node:
        await _pay(node, 7)
        await _until_paid(node)
        beginning = worlds()[node.caip2]
    for _ in range(2):
        async with _kept(port, tmp_path) as node:
            for _ in range(2):
                await node.reset()
                assert await node.treasury.balance(FRIEND) == 0
                dollars = await node.treasury.balance(beginning.accounts[0], beginning.dollar)
                assert dollars == 175 * 10**6
                await _pay(node, 7)
                await _until_paid(node)


async def test_each_start_shows_the_same_account(tmp_path: Path) -> None:
    settings = sandbox_settings().model_copy(update={"sandbox_keep": True, "sandbox_data": tmp_path})
    told: list[str] = []
    shown = []
    for _ in range(10):
        async with Sandbox(settings, say=told.append) as sandbox:
            shown.append([await _shown(sandbox, chain) for chain in CAIP2])
    assert all(each == shown[0] for each in shown)
    assert all(balances and history for balances, history in shown[0])
    assert told == []


async def _shown(sandbox: Sandbox, chain: str) -> tuple[object, object]:
    address = worlds()[chain].accounts[0]
    asked = {"chainId": chain, "projectId": "sandbox", "currency": "usd", "sv": "html-core-1.7.2"}
    url, headers = f"{sandbox.url}/blockchain/v1", {"origin": sandbox.url}
    async with httpx.AsyncClient(base_url=url, headers=headers, trust_env=False, timeout=PATIENCE) as client:
        balance = await client.get(f"/account/{address}/balance", params=asked)
        history = await client.get(f"/account/{address}/history", params=asked)
    assert (balance.status_code, history.status_code) == (200, 200), (balance.text, history.text)
    return balance.json()["balances"], [each["metadata"]["hash"] for each in history.json()["data"]]


async def test_a_saved_chain_with_two_first_blocks_is_told_and_made_anew(tmp_path: Path) -> None:
    port = sandbox_settings().evm_port
    async with _kept(port, tmp_path) as node:
        beginning = await node.rpc("eth_blockNumber")
        await _pay(node, 7)
        await _until_paid(node)
    (file,) = _states(tmp_path)
    state = json.loads(gzip.decompress(file.read_bytes()))
    (genesis,) = (block for block in state["blocks"] if block["header"]["number"] == "0x0")
    other = {**genesis, "header": {**genesis["header"], "timestamp": hex(int(genesis["header"]["timestamp"], 16) + 1)}}
    state["blocks"].append(other)
    file.write_bytes(gzip.compress(json.dumps(state).encode()))
    told: list[str] = []
    async with _kept(port, tmp_path, told.append) as node:
        assert await node.rpc("eth_blockNumber") == beginning
        assert await node.treasury.balance(FRIEND) == 0
    assert told == [
        "what was saved of eip155:10 is broken, and it begins anew: it does not have exactly one block of each number"
    ]


@pytest.mark.parametrize("broken_by", [("anvil_reset", []), ("evm_revert", ["0x0"])])
async def test_a_reset_leads_to_the_beginning_whatever_was_done_to_the_node(broken_by: Call, tmp_path: Path) -> None:
    told: list[str] = []
    async with _kept(sandbox_settings().evm_port, tmp_path, told.append) as node:
        beginning = worlds()[node.caip2]
        await node.batch([broken_by])
        await node.reset()
        assert await node.treasury.balance(beginning.accounts[0], beginning.dollar) == 175 * 10**6
        await _pay(node, 7)
        await _until_paid(node)
    assert [line.split(":")[:2] for line in told] == [["eip155", "10 starts again from its beginning"]]


async def test_what_cannot_be_read_is_told_and_left(tmp_path: Path) -> None:
    port = sandbox_settings().evm_port
    async with _kept(port, tmp_path):
        pass
    (state,) = _states(tmp_path)
    state.write_bytes(state.read_bytes()[:1000])
    (tmp_path / "eip155-10-0123456789abcdef.state").write_bytes(b"of other contracts")
    told: list[str] = []
    async with _kept(port, tmp_path, told.append) as node:
        assert await node.treasury.balance(TREASURY) > 0
    assert [line.split(",")[0].split(";")[0] for line in told] == [
        "eip155:10 has other contracts than before",
        "what was saved of eip155:10 is broken",
    ]


async def test_a_faucet_serves_while_nobody_mines(tmp_path: Path) -> None:
    async with _kept(sandbox_settings().evm_port, tmp_path) as node:
        await node.rpc("evm_setAutomine", [False])
        assert await node.treasury.give(FRIEND, 5) == 5
        await node.reset()
        assert await node.treasury.give(FRIEND, 5) == 5
        sent = await node.rpc("eth_getBlockByNumber", ["latest", True])
        assert isinstance(sent, dict)
        assert [one["to"] for one in sent["transactions"]] == [FRIEND.lower()]


async def test_a_contract_that_takes_no_coin_gets_it_all_the_same(tmp_path: Path) -> None:
    async with _kept(sandbox_settings().evm_port, tmp_path) as node:
        factory = worlds()[node.caip2].factory
        assert await node.treasury.give(factory, 5) == 5
