"""The chains: real ids, funded accounts, kept alive."""

import asyncio
import os
import signal
import time

import httpx
import pytest

from sandbox import Sandbox, SandboxSettings
from sandbox.anvil import anvil_binary
from sandbox.chains import CHAINS
from sandbox.errors import PartMissingError

pytestmark = pytest.mark.asyncio(loop_scope="session")

CAIP2 = [chain.caip2 for chain in CHAINS]


async def _node(url: str, method: str, *params: object) -> object:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    async with httpx.AsyncClient(trust_env=False) as client:
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
    assert min(balances) >= 10**21


async def test_ports_follow_evm_port_in_the_order_of_the_chains(sandbox: Sandbox) -> None:
    first = sandbox.settings.evm_port
    ports = [int(sandbox.node_url(chain).rpartition(":")[2]) for chain in CAIP2]
    assert ports == list(range(first, first + 5))
    assert CAIP2[:2] == ["eip155:1", "eip155:137"]


async def test_a_chain_that_dies_comes_back_and_the_reason_is_told() -> None:
    told: list[str] = []
    async with Sandbox(SandboxSettings.on_free_ports(), say=told.append) as sandbox:
        before = sandbox.pids
        os.kill(before[0], signal.SIGKILL)
        deadline = time.monotonic() + 10
        while set(sandbox.pids) & set(before[:1]) or len(sandbox.pids) < len(CHAINS):
            assert time.monotonic() < deadline, told
            await asyncio.sleep(0.02)
        async with httpx.AsyncClient(trust_env=False) as client:
            body = {"jsonrpc": "2.0", "id": 1, "method": "eth_chainId"}
            while (answer := await client.post(sandbox.rpc_url(CAIP2[0]), json=body)).is_error:
                assert time.monotonic() < deadline, told
                await asyncio.sleep(0.02)
        assert answer.json()["result"] == "0x1"
    assert told == ["eip155:1 ended (signal SIGKILL); it starts again from an empty chain"]


async def test_missing_packages_are_named_with_the_cure(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with pytest.raises(PartMissingError, match="npm ci"):
        anvil_binary(tmp_path_factory.mktemp("no-packages"))


async def test_stop_leaves_no_process() -> None:
    async with Sandbox(SandboxSettings.on_free_ports()) as sandbox:
        pids = sandbox.pids
        assert len(pids) == len(CHAINS)
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
