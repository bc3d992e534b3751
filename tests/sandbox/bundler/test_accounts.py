"""Each kind of account through the bundler, signed by its key: its first operation, the next, batches, and calls that fail."""

from typing import Any

import pytest
from eth_account import Account

from tests.sandbox.bundler.accounts import KINDS, Hybrid, SmartAccount
from tests.sandbox.bundler.stage import RpcError, Stage
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.world import worlds

pytestmark = pytest.mark.asyncio(loop_scope="session")

DOLLAR = worlds()["eip155:1"].dollar
STRANGER = "0x7777777777777777777777777777777777777777"


def pay(amount: int) -> AccountCall:
    return AccountCall(DOLLAR.address, 0, call_data("transfer(address,uint256)", STRANGER, amount))


async def account_of(kind: str, stage: Stage) -> SmartAccount:
    """A new account with a coin and a hundred of the dollar's base units."""
    key: Any = Account.create()
    account = await Hybrid.of(key, stage) if kind == "hybrid" else KINDS[kind](key)
    await stage.give(account.address, 10**18)
    await stage.give(account.address, 100, DOLLAR)
    return account


@pytest.mark.parametrize("kind", [*KINDS, "hybrid"])
async def test_an_account_makes_its_first_payment_and_then_two_at_once(stage: Stage, kind: str) -> None:
    account = await account_of(kind, stage)
    first = await stage.send(account, await stage.prepare(account, pay(30)))
    second = await stage.send(account, await stage.prepare(account, pay(10), pay(20)))
    assert (first["success"], second["success"]) == (True, True)
    assert await stage.balance(STRANGER, DOLLAR) == 60
    assert int(second["nonce"], 16) == 1


@pytest.mark.parametrize("kind", [*KINDS, "hybrid"])
async def test_a_call_that_fails_is_told_while_gas_is_estimated(stage: Stage, kind: str) -> None:
    account = await account_of(kind, stage)
    with pytest.raises(RpcError) as caught:
        await stage.prepare(account, pay(30), pay(71))
    assert caught.value.code == -32521


@pytest.mark.parametrize("kind", [*KINDS, "hybrid"])
async def test_of_a_batch_with_a_call_that_fails_nothing_is_done_and_the_account_pays(stage: Stage, kind: str) -> None:
    account = await account_of(kind, stage)
    await stage.send(account, await stage.prepare(account, pay(1)))
    prepared = await stage.prepare(account, pay(30), pay(69))
    before = await stage.balance(account.address)
    # The money goes between the estimate and the operation.
    await stage.node("anvil_impersonateAccount", account.address)
    data = "0x" + call_data("transfer(address,uint256)", worlds()["eip155:1"].treasury, 1).hex()
    await stage.mined("eth_sendTransaction", {"from": account.address, "to": DOLLAR.address, "data": data})
    receipt = await stage.send(account, prepared)
    assert receipt["success"] is False
    assert await stage.balance(STRANGER, DOLLAR) == 1
    assert await stage.balance(account.address) < before
