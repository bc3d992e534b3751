"""The clients of viem and permissionless, unchanged, against bundler and paymaster: each kind of account, and each way to pay."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from eth_account import Account

from sandbox import Sandbox
from sandbox.evm.smart_accounts import PAYMASTERS, TOKEN_GAS_TREASURY
from sandbox.evm.world import worlds
from scripts.project import VENV_BIN
from tests.patience import patience
from tests.sandbox.bundler.stage import Stage
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORLD = worlds()["eip155:1"]
STRANGER = "0x7777777777777777777777777777777777777777"
ACCOUNTS = {
    "simple7702": ENTRY_POINT_0_8,
    "simple07": ENTRY_POINT_0_7,
    "simple08": ENTRY_POINT_0_8,
    "safe": ENTRY_POINT_0_7,
}


async def run_client(sandbox: Sandbox, **options: Any) -> dict[str, Any]:
    """What the clients tell, run by node."""
    chain = WORLD.chain
    asked = {
        "chainId": 1,
        "rpc": sandbox.rpc_url(chain),
        "bundler": f"{sandbox.url}/bundler/{chain}",
        "paymaster": f"{sandbox.url}/paymaster/{chain}",
        **options,
    }
    script = Path(__file__).with_name("clients.mjs")
    running = await asyncio.create_subprocess_exec(
        VENV_BIN / "node", script, json.dumps(asked), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
    )
    async with patience():
        told, failed = await running.communicate()
    assert running.returncode == 0, failed.decode()[-3000:]
    answer: dict[str, Any] = json.loads(told)
    return answer


@pytest.mark.parametrize("kind", ACCOUNTS)
async def test_an_account_pays_for_its_first_and_its_next_operation(
    http: httpx.AsyncClient, sandbox: Sandbox, stage: Stage, kind: str
) -> None:
    key = Account.create().key.to_0x_hex()
    who = await run_client(sandbox, key=key, account=kind, pays="account")
    await stage.give(who["account"], 10**18)
    await stage.give(who["account"], 100, WORLD.dollar)
    payment = {"token": WORLD.dollar.address, "to": STRANGER, "amount": "30"}
    first = await run_client(sandbox, key=key, account=kind, pays="account", calls=[payment])
    second = await run_client(sandbox, key=key, account=kind, pays="account", calls=[payment, payment])
    for told in (first, second):
        assert told["success"] is True, told
        assert told["found"] == who["account"]
        assert told["entryPoints"] == [ENTRY_POINT_0_7, ENTRY_POINT_0_8]
        assert told["chainId"] == 1
    assert first["entryPoint"] == ACCOUNTS[kind]
    assert await stage.balance(who["account"], WORLD.dollar) == 10
    paid = int(first["cost"], 16) + int(second["cost"], 16)
    left = await stage.balance(who["account"]) + await stage.deposit(ACCOUNTS[kind], who["account"])
    assert left == 10**18 - paid


@pytest.mark.parametrize("kind", ACCOUNTS)
async def test_an_account_without_coin_is_sponsored(
    http: httpx.AsyncClient, sandbox: Sandbox, stage: Stage, kind: str
) -> None:
    key = Account.create().key.to_0x_hex()
    who = await run_client(sandbox, key=key, account=kind, pays="sponsor")
    await stage.give(who["account"], 100, WORLD.dollar)
    before = await stage.deposit(ACCOUNTS[kind], PAYMASTERS[ACCOUNTS[kind]])
    payment = {"token": WORLD.dollar.address, "to": STRANGER, "amount": "30"}
    told = await run_client(sandbox, key=key, account=kind, pays="sponsor", calls=[payment])
    assert (told["success"], told["paymaster"]) == (True, PAYMASTERS[ACCOUNTS[kind]])
    assert await stage.balance(who["account"], WORLD.dollar) == 70
    assert before - await stage.deposit(ACCOUNTS[kind], PAYMASTERS[ACCOUNTS[kind]]) == int(told["cost"], 16)


@pytest.mark.parametrize("kind", ["simple7702", "safe"])
async def test_an_account_without_coin_pays_in_a_token(
    http: httpx.AsyncClient, sandbox: Sandbox, stage: Stage, kind: str
) -> None:
    key = Account.create().key.to_0x_hex()
    dollar = WORLD.dollar
    who = await run_client(sandbox, key=key, account=kind, pays=dollar.address)
    await stage.give(who["account"], 1_000 * 10**6, dollar)
    payment = {"token": dollar.address, "to": STRANGER, "amount": "30"}
    told = await run_client(sandbox, key=key, account=kind, pays=dollar.address, calls=[payment])
    charged = await stage.balance(TOKEN_GAS_TREASURY, dollar)
    assert told["success"] is True, told
    assert await stage.balance(who["account"], dollar) == 1_000 * 10**6 - 30 - charged
    # The price of a coin is 3,200 dollars; what the transfer itself costs comes on top.
    worth = int(told["cost"], 16) * 3_200 * 10**6 // 10**18
    assert worth * 8 // 10 < charged < worth * 15 // 10
