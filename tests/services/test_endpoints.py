"""Which URL a network has."""

import asyncio

import httpx
import pytest

from tests.patience import patience
from tests.services import node as nodes
from tests.services.node import Node
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import RpcRequestError, UrlRequiredError
from walletmodal.services.outside_budget import Asker, as_asker, current_caller
from walletmodal.services.rpc import RpcEndpoints

MAINNET, POLYGON = parse_chain_id("eip155:1"), parse_chain_id("eip155:137")


async def test_the_gateway_gets_chain_and_project(client: httpx.AsyncClient) -> None:
    endpoints = RpcEndpoints(client, gateway="http://localhost:8700/rpc", project_id="p1")
    assert endpoints.urls(MAINNET) == ("http://localhost:8700/rpc/v1/?chainId=eip155:1&projectId=p1",)


async def test_no_project_id_is_sent_when_there_is_none(client: httpx.AsyncClient) -> None:
    endpoints = RpcEndpoints(client, gateway="https://g.example/")
    assert endpoints.urls(MAINNET) == ("https://g.example/v1/?chainId=eip155:1",)


async def test_an_override_wins_for_its_network_only(client: httpx.AsyncClient) -> None:
    endpoints = RpcEndpoints(client, gateway="https://g.example", overrides={"eip155:1": "https://eth.example/k"})
    assert (endpoints.urls(MAINNET), endpoints.urls(POLYGON)) == (
        ("https://eth.example/k",),
        ("https://g.example/v1/?chainId=eip155:137",),
    )


async def test_a_network_may_have_several_urls(client: httpx.AsyncClient) -> None:
    urls = ["https://a.example", "https://b.example", "https://a.example"]
    assert RpcEndpoints(client, overrides={"eip155:1": urls}).urls(MAINNET) == (
        "https://a.example",
        "https://b.example",
    )


async def test_no_urls_of_its_own_leave_a_network_to_the_gateway(client: httpx.AsyncClient) -> None:
    endpoints = RpcEndpoints(client, gateway="https://g.example", overrides={"eip155:1": []})
    assert endpoints.urls(MAINNET) == ("https://g.example/v1/?chainId=eip155:1",)


async def test_without_any_url_the_setting_is_named(client: httpx.AsyncClient) -> None:
    with pytest.raises(UrlRequiredError) as raised:
        RpcEndpoints(client).transport(MAINNET)
    assert "RPC_URL" in raised.value.details


async def test_a_network_has_one_transport(client: httpx.AsyncClient) -> None:
    endpoints = RpcEndpoints(client, gateway="https://g.example")
    assert endpoints.transport(MAINNET) is endpoints.transport(MAINNET)


async def test_a_chain_that_is_in_no_table_leaves_nothing_behind(client: httpx.AsyncClient) -> None:
    endpoints, made_up = RpcEndpoints(client, gateway="https://g.example"), parse_chain_id("eip155:424242424242")
    assert endpoints.transport(made_up) is not endpoints.transport(made_up)


async def test_a_hundred_reads_of_one_tick_make_one_request(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.echo
    way = RpcEndpoints(client, gateway=node.url).transport(MAINNET)
    answers = await asyncio.gather(*(way.request("eth_call", [place]) for place in range(100)))
    assert (answers, node.sizes) == (list(range(100)), [100])


async def test_a_hundred_reads_of_which_half_are_equal_make_one_request_of_fifty(
    node: Node, client: httpx.AsyncClient
) -> None:
    node.behaviour = nodes.echo
    way = RpcEndpoints(client, gateway=node.url).transport(MAINNET)
    answers = await asyncio.gather(*(way.request("eth_call", [place % 50]) for place in range(100)))
    assert (answers, node.sizes) == ([place % 50 for place in range(100)], [50])


async def test_each_caller_has_requests_of_its_own(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.echo
    way = RpcEndpoints(client, gateway=node.url, caller=current_caller).transport(MAINNET)
    asking = list[asyncio.Task[object]]()
    for place in range(6):
        with as_asker(Asker("a session", f"203.0.113.{place % 2}")):
            asking.append(asyncio.create_task(way.request("eth_call", [place])))
    assert await asyncio.gather(*asking) == list(range(6))
    assert node.sizes == [3, 3]


async def test_a_network_with_two_urls_answers_while_one_is_down(node: Node, client: httpx.AsyncClient) -> None:
    other = Node()
    await other.start()
    down = other.url
    await other.stop()
    endpoints = RpcEndpoints(client, overrides={"eip155:1": [down, node.url]}, clock=MovableClock())
    assert await endpoints.transport(MAINNET).request("eth_blockNumber") == "0x0"
    await endpoints.close()


async def test_a_batch_that_failed_for_the_moment_is_one_batch_again(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.in_turn(nodes.send(nodes.http(b"", status="503 Busy")), nodes.echo)
    clock = MovableClock()
    way = RpcEndpoints(client, gateway=node.url, clock=clock).transport(MAINNET)
    asking = asyncio.gather(*(way.request("eth_call", [place]) for place in range(10)))
    await clock.asleep(10)
    clock.advance(0.15)
    assert (await asking, node.sizes) == (list(range(10)), [10, 10])


async def test_a_node_that_asks_for_patience_gets_it(node: Node, client: httpx.AsyncClient) -> None:
    busy = nodes.http(b"", status="429 Too Many Requests", headers="Retry-After: 2\r\n")
    node.behaviour = nodes.in_turn(nodes.send(busy), nodes.echo)
    clock = MovableClock()
    way = RpcEndpoints(client, gateway=node.url, clock=clock).transport(MAINNET)
    asking = asyncio.create_task(way.request("eth_call", [1]))
    await clock.asleep()
    assert list(clock.sleepers) == [2]
    clock.advance(2)
    assert await asking == 1


async def test_one_call_that_the_node_refuses_fails_alone(node: Node, client: httpx.AsyncClient) -> None:
    refusal = {"error": {"code": -32602, "message": "no such address"}}
    node.behaviour = nodes.each(lambda call: refusal if call["params"] == [3] else {"result": call["params"][0]})
    way = RpcEndpoints(client, gateway=node.url).transport(MAINNET)
    answers = await asyncio.gather(*(way.request("eth_call", [place]) for place in range(5)), return_exceptions=True)
    assert (answers[:3], answers[4]) == ([0, 1, 2], 4)
    assert isinstance(answers[3], RpcRequestError)


async def test_whoever_must_see_what_happened_since_is_not_joined(node: Node, client: httpx.AsyncClient) -> None:
    asked_before = asyncio.Event()

    async def slowly(request: object, writer: asyncio.StreamWriter) -> None:
        if len(node.bodies) == 1:
            await asked_before.wait()
        await nodes.answer(result=hex(len(node.bodies)))(request, writer)

    node.behaviour = slowly
    way = RpcEndpoints(client, gateway=node.url).unjoined(MAINNET)
    before = asyncio.create_task(way.request("eth_getBalance", ["0x1", "latest"]))
    async with patience():
        while not node.bodies:
            await asyncio.sleep(0.001)
    assert await way.request("eth_getBalance", ["0x1", "latest"]) == "0x2"
    asked_before.set()
    await before


async def test_closing_gives_up_what_is_being_asked(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.silence
    endpoints = RpcEndpoints(client, overrides={"eip155:1": [node.url, f"{node.url}/second"]})
    asking = asyncio.create_task(endpoints.transport(MAINNET).request("eth_call", [1]))
    async with patience():
        while not node.requests:
            await asyncio.sleep(0.001)
    await endpoints.close()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert not [task for task in asyncio.all_tasks() if task.get_name() in ("batch", "rank nodes")]
