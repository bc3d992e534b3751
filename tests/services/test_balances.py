"""Native balances over the EVM adapter, the transport and a node."""

import asyncio

import httpx
import pytest

from tests.patience import patience
from tests.services import node as nodes
from tests.services.node import Node
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import AddressError, MalformedResponseError, NetworkError, RpcRequestError
from walletmodal.core.errors.services import AskedTooMuchError
from walletmodal.services.balances import NativeBalances
from walletmodal.services.cache import MemoryCache
from walletmodal.services.chains.eip155 import Eip155Adapter
from walletmodal.services.outside_budget import Asker, OutsideBudget, as_asker
from walletmodal.services.rpc import RpcEndpoints

MAINNET, POLYGON = parse_chain_id("eip155:1"), parse_chain_id("eip155:137")
ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def adapter(client: httpx.AsyncClient, node: Node) -> Eip155Adapter:
    return Eip155Adapter(RpcEndpoints(client, gateway=node.url).transport)


@pytest.fixture
def balances(adapter: Eip155Adapter, clock: MovableClock) -> NativeBalances:
    return NativeBalances([adapter], MemoryCache(clock), clock=clock)


async def test_the_balance_is_read_in_base_units(node: Node, balances: NativeBalances) -> None:
    node.behaviour = nodes.answer(result="0x21e19e0c9bab2400000")
    assert await balances.native_balance(MAINNET, ADDRESS) == 10_000 * 10**18


async def test_the_node_is_asked_in_the_normal_spelling(node: Node, balances: NativeBalances) -> None:
    await balances.native_balance(MAINNET, ADDRESS.lower())
    assert node.requests[0]["params"] == [ADDRESS, "latest"]


async def test_an_answer_is_kept_for_thirty_seconds(node: Node, balances: NativeBalances, clock: MovableClock) -> None:
    await balances.native_balance(MAINNET, ADDRESS)
    clock.advance(29.9)
    await balances.native_balance(MAINNET, ADDRESS.lower())
    assert len(node.requests) == 1


async def test_after_thirty_seconds_the_node_is_asked_again(
    node: Node, balances: NativeBalances, clock: MovableClock
) -> None:
    await balances.native_balance(MAINNET, ADDRESS)
    clock.advance(30)
    await balances.native_balance(MAINNET, ADDRESS)
    assert len(node.requests) == 2


async def test_a_fresh_balance_is_asked_for_and_kept(node: Node, balances: NativeBalances) -> None:
    await balances.native_balance(MAINNET, ADDRESS)
    node.behaviour = nodes.answer(result="0x5")
    assert await balances.native_balance(MAINNET, ADDRESS, fresh=True) == 5
    assert await balances.native_balance(MAINNET, ADDRESS) == 5


async def test_what_was_asked_before_a_transaction_does_not_replace_what_was_asked_after_it(
    client: httpx.AsyncClient, node: Node
) -> None:
    # As a deployment has them: the transport itself joins nothing.
    balances = NativeBalances([Eip155Adapter(RpcEndpoints(client, gateway=node.url).unjoined)], MemoryCache())
    arrived, gate = asyncio.Event(), asyncio.Event()

    async def late(request: dict[str, object], writer: asyncio.StreamWriter) -> None:
        arrived.set()
        await gate.wait()
        await nodes.answer(result="0x1")(request, writer)

    node.behaviour = late
    before = asyncio.create_task(balances.native_balance(MAINNET, ADDRESS))
    async with patience():
        await arrived.wait()
    node.behaviour = nodes.answer(result="0x2")
    assert await balances.native_balance(MAINNET, ADDRESS, fresh=True) == 2
    gate.set()
    assert await before == 1
    assert await balances.native_balance(MAINNET, ADDRESS) == 2


async def test_networks_and_accounts_are_kept_apart(node: Node, balances: NativeBalances) -> None:
    for chain, address in ((MAINNET, ADDRESS), (POLYGON, ADDRESS), (MAINNET, OTHER)):
        await balances.native_balance(chain, address)
    assert len(node.requests) == 3


async def test_equal_questions_at_once_are_asked_once(node: Node, balances: NativeBalances) -> None:
    answers = await asyncio.gather(*(balances.native_balance(MAINNET, ADDRESS) for _ in range(50)))
    assert (answers, len(node.requests)) == ([0] * 50, 1)


async def test_an_error_reaches_everyone(node: Node, balances: NativeBalances) -> None:
    node.behaviour = nodes.answer(error={"code": -32000, "message": "down"})
    failures = await asyncio.gather(
        *(balances.native_balance(MAINNET, ADDRESS) for _ in range(3)), return_exceptions=True
    )
    assert [type(failure) for failure in failures] == [RpcRequestError] * 3


async def fail(node: Node, balances: NativeBalances) -> int:
    """One account cannot be read; how often the node was asked for it."""
    node.behaviour = nodes.answer(error={"code": -32000, "message": "down"})
    with pytest.raises(RpcRequestError):
        await balances.native_balance(MAINNET, ADDRESS)
    node.behaviour = nodes.answer(result="0x7")
    return len(node.requests)


async def test_after_a_failure_the_node_is_left_alone_for_thirty_seconds(
    node: Node, balances: NativeBalances, clock: MovableClock
) -> None:
    asked = await fail(node, balances)
    clock.advance(29.9)
    with pytest.raises(RpcRequestError):
        await balances.native_balance(MAINNET, ADDRESS.lower(), fresh=True)
    assert len(node.requests) == asked


async def test_thirty_seconds_after_a_failure_the_node_is_asked_again(
    node: Node, balances: NativeBalances, clock: MovableClock
) -> None:
    await fail(node, balances)
    clock.advance(30)
    assert await balances.native_balance(MAINNET, ADDRESS) == 7


async def test_a_remembered_failure_keeps_nothing_of_what_the_node_sent(node: Node, balances: NativeBalances) -> None:
    node.behaviour = nodes.send(nodes.http(b"x" * 300_000))

    async def ask() -> MalformedResponseError:
        with pytest.raises(MalformedResponseError) as raised:
            await balances.native_balance(MAINNET, ADDRESS)
        return raised.value

    first, again = await ask(), await ask()
    assert (again.short_message, again.details, again.url) == (first.short_message, first.details, first.url)
    assert again is not first
    assert (again.__cause__, again.__context__) == (None, None)


async def test_whose_budget_is_spent_holds_up_nobody_else(
    client: httpx.AsyncClient, node: Node, clock: MovableClock
) -> None:
    """Anybody can ask about any account."""
    node.behaviour = nodes.answer(result="0x7")
    budget = OutsideBudget(clock)
    way = budget.counted(RpcEndpoints(client, gateway=node.url).transport)
    balances = NativeBalances([Eip155Adapter(way)], MemoryCache(clock), clock=clock)
    with as_asker(Asker("greedy", "203.0.113.1")):
        while await budget.may_ask_node():
            pass
        with pytest.raises(AskedTooMuchError):
            await balances.native_balance(MAINNET, ADDRESS)
    with as_asker(Asker("other", "203.0.113.2")):
        assert await balances.native_balance(MAINNET, ADDRESS) == 7


async def test_a_failure_of_one_account_holds_up_no_other(node: Node, balances: NativeBalances) -> None:
    await fail(node, balances)
    assert await balances.native_balance(MAINNET, OTHER) == 7


async def test_who_leaves_does_not_take_the_answer_from_the_others(node: Node, balances: NativeBalances) -> None:
    gate = asyncio.Event()

    async def later(request: dict[str, object], writer: asyncio.StreamWriter) -> None:
        await gate.wait()
        await nodes.answer(result="0x9")(request, writer)

    node.behaviour = later
    leaving = asyncio.create_task(balances.native_balance(MAINNET, ADDRESS))
    staying = asyncio.create_task(balances.native_balance(MAINNET, ADDRESS))
    async with patience():
        while not node.requests:
            await asyncio.sleep(0.001)
    leaving.cancel()
    gate.set()
    assert await staying == 9


async def test_closing_gives_up_what_is_being_asked(node: Node, balances: NativeBalances) -> None:
    node.behaviour = nodes.silence
    waiting = asyncio.create_task(balances.native_balance(MAINNET, ADDRESS))
    async with patience():
        while not node.requests:
            await asyncio.sleep(0.001)
    await balances.close()
    with pytest.raises(asyncio.CancelledError):
        await waiting


@pytest.mark.parametrize("result", ["", "0x", "12", "0x01", "0xzz", "0x" + "f" * 65, 5, None, ["0x1"], "-0x1"])
async def test_what_is_no_quantity_is_refused(node: Node, balances: NativeBalances, result: object) -> None:
    node.behaviour = nodes.answer(result=result)
    with pytest.raises(MalformedResponseError):
        await balances.native_balance(MAINNET, ADDRESS)


async def test_what_is_no_address_is_never_asked_for(node: Node, balances: NativeBalances) -> None:
    with pytest.raises(AddressError):
        await balances.native_balance(MAINNET, "0x1234")
    assert node.requests == []


async def test_a_namespace_without_adapter_is_unsupported(balances: NativeBalances) -> None:
    with pytest.raises(NetworkError, match="Unsupported chain"):
        await balances.native_balance(parse_chain_id("polkadot:91b171bb158e2d3848fa23a9f1c25182"), "x")


def test_the_adapter_tells_a_wrong_checksum_from_nonsense(adapter: Eip155Adapter) -> None:
    wrong = ADDRESS.replace("f39F", "F39F")
    assert [adapter.address_fault(text) for text in (ADDRESS, wrong, "nonsense")] == [None, "checksum", "malformed"]
