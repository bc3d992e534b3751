"""What was done with a bundler is there after its chain has started again, or is gone after it began anew."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from eth_account import Account

from tests.patience import patience
from tests.ports import free_ports
from tests.sandbox.bundler.accounts import Delegator, Simple7702, SmartAccount
from walletmodal.core.smart_accounts.authorization import read_delegation
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.user_operation import read_user_operation
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.blockchain.chains import Chain
from walletmodal.sandbox.blockchain.rpc import NodeClient
from walletmodal.sandbox.bundler.bundler import Bundler
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.evm.anvil_program import anvil_binary
from walletmodal.sandbox.evm.smart_accounts import SIMPLE_7702_ACCOUNT
from walletmodal.sandbox.evm.world import worlds

pytestmark = pytest.mark.asyncio(loop_scope="session")

GIFT = AccountCall("0x7777777777777777777777777777777777777777", 5)


@asynccontextmanager
async def running(folder: Path) -> AsyncIterator[tuple[AnvilNode, Bundler]]:
    node = AnvilNode(CHAINS[0], free_ports(), anvil_binary(), print, folder)
    await node.start()
    try:
        yield node, Bundler(Chain(worlds()[node.caip2], NodeClient(node.caip2, node.relay)))
    finally:
        await node.stop()


async def first_operation(node: AnvilNode, bundler: Bundler, account: SmartAccount) -> str:
    """The hash of the operation that delegates a new account, once it is mined."""
    await node.treasury.give(account.address, 10**18)
    drafted = {**account.operation([GIFT], 0).to_json(), **(await bundler.gas_price())["fast"]}
    sized = {**drafted, **await bundler.estimate([drafted, account.entry_point])}
    sent = await bundler.send([account.sign(read_user_operation(sized)).to_json(), account.entry_point])
    async with patience():
        while await bundler.receipt([sent]) is None:
            pass
    return sent


async def test_operations_and_delegations_outlive_the_node(tmp_path: Path) -> None:
    account = Simple7702(Account.create())
    async with running(tmp_path) as (node, bundler):
        sent = await first_operation(node, bundler, account)
        before = await bundler.receipt([sent])
    async with running(tmp_path) as (node, bundler):
        assert await bundler.receipt([sent]) == before
        code = str(await node.rpc("eth_getCode", [account.address, "latest"]))
        assert read_delegation(bytes.fromhex(code[2:])) == SIMPLE_7702_ACCOUNT


async def test_a_chain_that_began_anew_takes_the_same_operation_again(tmp_path: Path) -> None:
    account = Simple7702(Account.create())
    async with running(tmp_path) as (node, bundler):
        sent = await first_operation(node, bundler, account)
        await node.reset()
        assert await bundler.receipt([sent]) is None
        assert await first_operation(node, bundler, account) != ""


async def test_a_chain_that_has_many_blocks_before_the_first_estimate_is_served_as_well(tmp_path: Path) -> None:
    """The contract that operations are tried out with refuses to be made from block 100 on."""
    async with running(tmp_path) as (node, bundler):
        await node.rpc("anvil_mine", [hex(100)])
        assert await first_operation(node, bundler, Delegator(Account.create())) != ""
