"""Filters stay with the node that made them, and nobody finds another visitor's."""

import asyncio
from collections.abc import Sequence

import pytest

from tests.services.rpc_double import TransportDouble, rpc_error, status
from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import MalformedResponseError, RpcRequestError
from walletmodal.services.rpc.fallback import FallbackTransport
from walletmodal.services.rpc.filters import FilterTransport, filter_key
from walletmodal.services.rpc.retrying import RetryingTransport

MAINNET, POLYGON = parse_chain_id("eip155:1"), parse_chain_id("eip155:137")
KEY = filter_key("a secret of the deployment")


def over(
    *nodes: TransportDouble, urls: Sequence[str] = ("http://a", "http://b"), chain: ChainId = MAINNET, key: bytes = KEY
) -> FilterTransport:
    ways = list(zip(urls, nodes, strict=False))
    fallback = FallbackTransport(nodes, clock=MovableClock()) if len(nodes) > 1 else None
    return FilterTransport(ways, fallback=fallback, chain=chain, key=key)


async def made(way: FilterTransport, method: str = "eth_newFilter") -> str:
    found = await way.request(method, [{}])
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize("method", ["eth_newFilter", "eth_newBlockFilter", "eth_newPendingTransactionFilter"])
async def test_a_filter_is_asked_of_its_node_by_the_id_that_the_node_gave(method: str) -> None:
    node = TransportDouble("0x1", ["a log"])
    way = over(node)
    assert await way.request("eth_getFilterChanges", [await made(way, method)]) == ["a log"]
    assert node.asked[-1] == ("eth_getFilterChanges", ["0x1"])


@pytest.mark.parametrize("method", ["eth_getFilterChanges", "eth_getFilterLogs", "eth_uninstallFilter"])
async def test_a_filter_stays_with_the_node_that_stood_in_when_another_is_first_again(method: str) -> None:
    limited = rpc_error(-32005)
    first, second = TransportDouble(limited, "of the first"), TransportDouble("0x1", "of the second")
    way = over(first, second)
    assert await way.request(method, [await made(way)]) == "of the second"
    assert method not in first.methods


async def test_another_worker_of_the_deployment_finds_it() -> None:
    id_ = await made(over(TransportDouble("0x1")))
    assert await over(TransportDouble([])).request("eth_getFilterChanges", [id_]) == []


async def test_the_hosts_id_is_not_the_nodes() -> None:
    assert await made(over(TransportDouble("0x1"))) != "0x1"


@pytest.mark.parametrize(
    "id_", ["0x1", "0x" + "0" * 33, "0x" + "f" * 80, "0x" + "0" * 32, "", "latest", 1, None, [], {"__proto__": 1}]
)
async def test_an_id_that_was_made_up_finds_nothing(id_: object) -> None:
    node = TransportDouble("0x0")
    with pytest.raises(RpcRequestError) as raised:
        await over(node).request("eth_getFilterChanges", [id_])
    assert (raised.value.code, raised.value.details, node.asked) == (-32000, "filter not found", [])


@pytest.mark.parametrize("place", range(2, 36, 3))
async def test_an_altered_id_finds_nothing(place: int) -> None:
    id_ = await made(over(TransportDouble("0xabc")))
    altered = id_[:place] + ("1" if id_[place] != "1" else "2") + id_[place + 1 :]
    with pytest.raises(RpcRequestError):
        await over(TransportDouble([])).request("eth_getFilterChanges", [altered])


@pytest.mark.parametrize(
    "elsewhere",
    [{"chain": POLYGON}, {"key": filter_key("another secret")}, {"urls": ["http://c"]}],
    ids=["chain", "key", "node"],
)
async def test_a_filter_of_elsewhere_is_not_found(elsewhere: dict[str, object]) -> None:
    id_ = await made(over(TransportDouble("0x1")))
    with pytest.raises(RpcRequestError):
        await over(TransportDouble([]), **elsewhere).request("eth_getFilterChanges", [id_])  # type: ignore[arg-type]  # one of three


async def test_what_is_not_there_is_uninstalled_already() -> None:
    assert await over(TransportDouble(True)).request("eth_uninstallFilter", ["0x1"]) is False


async def test_a_node_that_has_dropped_it_says_so_itself() -> None:
    way = over(TransportDouble("0x1", rpc_error(-32000, "filter not found")))
    with pytest.raises(RpcRequestError, match=r"RPC Request failed\.") as raised:
        await way.request("eth_getFilterChanges", [await made(way)])
    assert raised.value.code == -32000


async def test_no_other_node_is_asked_when_its_own_is_down() -> None:
    first, second = TransportDouble("0x1", status(503)), TransportDouble([])
    way = over(first, second)
    id_ = await made(way)
    with pytest.raises(type(status(503))):
        await way.request("eth_getFilterLogs", [id_])
    assert "eth_getFilterLogs" not in second.methods


async def test_changes_are_not_asked_for_again_when_the_answer_may_have_been_lost() -> None:
    node, clock = TransportDouble("0x1", status(None)), MovableClock()
    way = over(node)
    id_ = await made(way)
    with pytest.raises(type(status(None))):
        await RetryingTransport(way, clock=clock).request("eth_getFilterChanges", [id_])
    assert node.methods.count("eth_getFilterChanges") == 1


@pytest.mark.parametrize("id_", [1, None, "", "1", "0x", "0x" + "a" * 65, ["0x1"]])
async def test_a_node_that_gives_no_id_has_failed(id_: object) -> None:
    with pytest.raises(MalformedResponseError):
        await over(TransportDouble(id_)).request("eth_newFilter", [{}])


async def test_everything_else_goes_to_the_node_that_is_first() -> None:
    first, second = TransportDouble("0x2a"), TransportDouble("0x0")
    assert await over(first, second).request("eth_blockNumber") == "0x2a"
    assert await asyncio.gather(*(over(first).request("eth_call", [n]) for n in range(3))) == ["0x2a"] * 3
