"""The clients of viem and permissionless, unchanged, against bundler and paymaster: each kind of account, and each way to pay."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from eth_account import Account

from scripts.project import VENV_BIN
from tests.patience import patience
from tests.sandbox.bundler.stage import Stage
from walletmodal.core.smart_accounts.contracts import ENTRY_POINT_0_7, ENTRY_POINT_0_8
from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.smart_accounts import PAYMASTERS, TOKEN_GAS_TREASURY
from walletmodal.sandbox.evm.world import worlds

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORLD = worlds()["eip155:1"]
STRANGER = "0x7777777777777777777777777777777777777777"
ACCOUNTS = {
    "simple7702": ENTRY_POINT_0_8,
    "simple07": ENTRY_POINT_0_7,
    "simple08": ENTRY_POINT_0_8,
    "safe": ENTRY_POINT_0_7,
}


async def run_client(
    sandbox: Sandbox, kind: str, pays: str, *batches: list[dict[str, str]], coins: int = 0, dollars: int
) -> dict[str, Any]:
    """What the clients tell, run by node, of a new account with so much."""
    chain = WORLD.chain
    gifts = [{"chain": chain, "token": f"{chain}:{WORLD.dollar.address}", "amount": str(dollars)}]
    gifts += [{"chain": chain, "amount": str(coins)}] if coins else []
    asked = {
        "chainId": 1,
        "rpc": sandbox.rpc_url(chain),
        "bundler": f"{sandbox.url}/bundler/{chain}",
        "paymaster": f"{sandbox.url}/paymaster/{chain}",
        "faucet": f"{sandbox.url}/sandbox/faucet",
        "key": Account.create().key.to_0x_hex(),
        "account": kind,
        "pays": pays,
        "gifts": gifts,
        "batches": batches,
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


PAYMENT = {"token": WORLD.dollar.address, "to": STRANGER, "amount": "30"}


@pytest.mark.parametrize("kind", ACCOUNTS)
async def test_an_account_pays_for_its_first_and_its_next_operation(
    http: httpx.AsyncClient, sandbox: Sandbox, stage: Stage, kind: str
) -> None:
    told = await run_client(sandbox, kind, "account", [PAYMENT], [PAYMENT, PAYMENT], coins=10**18, dollars=100)
    assert (told["entryPoint"], told["chainId"]) == (ACCOUNTS[kind], 1)
    assert told["entryPoints"] == [ENTRY_POINT_0_7, ENTRY_POINT_0_8]
    who, operations = told["account"], told["operations"]
    assert [(one["success"], one["found"]) for one in operations] == [(True, who)] * 2, operations
    assert await stage.balance(who, WORLD.dollar) == 10
    paid = sum(int(one["cost"], 16) for one in operations)
    assert await stage.balance(who) + await stage.deposit(ACCOUNTS[kind], who) == 10**18 - paid


@pytest.mark.parametrize("kind", ACCOUNTS)
async def test_an_account_without_coin_is_sponsored(
    http: httpx.AsyncClient, sandbox: Sandbox, stage: Stage, kind: str
) -> None:
    paymaster = PAYMASTERS[ACCOUNTS[kind]]
    before = await stage.deposit(ACCOUNTS[kind], paymaster)
    told = await run_client(sandbox, kind, "sponsor", [PAYMENT], dollars=100)
    (operation,) = told["operations"]
    assert (operation["success"], operation["paymaster"]) == (True, paymaster), operation
    assert await stage.balance(told["account"], WORLD.dollar) == 70
    assert before - await stage.deposit(ACCOUNTS[kind], paymaster) == int(operation["cost"], 16)


@pytest.mark.parametrize("kind", ["simple7702", "safe"])
async def test_an_account_without_coin_pays_in_a_token(
    http: httpx.AsyncClient, sandbox: Sandbox, stage: Stage, kind: str
) -> None:
    dollar, held = WORLD.dollar, 1_000 * 10**6
    told = await run_client(sandbox, kind, dollar.address, [PAYMENT], dollars=held)
    (operation,) = told["operations"]
    charged = await stage.balance(TOKEN_GAS_TREASURY, dollar)
    assert operation["success"] is True, operation
    assert await stage.balance(told["account"], dollar) == held - 30 - charged
    # The price of a coin is 3,200 dollars; what the transfer itself costs comes on top.
    worth = int(operation["cost"], 16) * 3_200 * 10**6 // 10**18
    assert worth * 8 // 10 < charged < worth * 15 // 10
