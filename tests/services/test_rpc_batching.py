"""Batches over a real server: one request for a tick, right answers from wrong arrays, and servers that take no batches."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.patience import patience
from tests.services import node as nodes
from tests.services.node import Node
from tests.services.rpc_double import ask, settled
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    RequestTimeoutError,
    ResponseTooLargeError,
    RpcRequestError,
    TransportError,
)
from walletmodal.services.rpc import BatchingTransport, HttpRpcTransport
from walletmodal.services.rpc.batching import BATCH_CHARACTERS, SIZE_REMEMBERED_SECONDS
from walletmodal.services.rpc.envelope import read_batch

BAD_REQUEST = nodes.http(b"no arrays", status="400 Bad Request")
TOO_LARGE = nodes.http(b"", status="413 Payload Too Large")
NO_BATCHES = nodes.http(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batches are not supported"}}')


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def way(node: Node, client: httpx.AsyncClient, clock: MovableClock) -> BatchingTransport:
    node.behaviour = nodes.echo
    return BatchingTransport(HttpRpcTransport(client, node.url), clock=clock)


async def test_a_hundred_reads_of_one_tick_make_one_request(node: Node, way: BatchingTransport) -> None:
    assert await settled(ask(way, 100)) == list(range(100))
    assert node.sizes == [100]


async def test_a_read_alone_is_no_array(node: Node, way: BatchingTransport) -> None:
    assert await way.request("eth_call", [7]) == 7
    assert node.sizes == [0]


async def test_reads_that_come_through_more_tasks_are_of_the_same_tick(node: Node, way: BatchingTransport) -> None:
    async def detour(place: int) -> object:
        for _ in range(place % 4):
            await asyncio.sleep(0)
        return await way.request("eth_call", [place])

    await asyncio.gather(*(detour(place) for place in range(20)))
    assert node.sizes == [20]


async def test_reads_that_keep_coming_hold_nothing_up(node: Node, way: BatchingTransport) -> None:
    asking = list[asyncio.Task[object]]()
    async with patience():
        while not node.bodies:
            asking += ask(way, 1, len(asking))
            await asyncio.sleep(0)
    assert await settled(asking) == list(range(len(asking)))


async def test_a_batch_has_a_thousand_at_most(node: Node, way: BatchingTransport) -> None:
    assert await settled(ask(way, 2001)) == list(range(2001))
    assert sorted(node.sizes) == [0, 1000, 1000]


async def test_a_batch_is_no_larger_than_servers_take(node: Node, way: BatchingTransport) -> None:
    long = "x" * (BATCH_CHARACTERS // 3)
    await asyncio.gather(*(way.request("eth_call", [long, place]) for place in range(5)))
    assert sorted(node.sizes) == [0, 2, 2]


@pytest.mark.parametrize("method", ["eth_sendRawTransaction", "eth_newFilter", "eth_getFilterChanges", "made_up"])
async def test_what_is_no_read_goes_alone(node: Node, way: BatchingTransport, method: str) -> None:
    await asyncio.gather(*(way.request(method, [place]) for place in range(3)), *ask(way, 3))
    assert sorted(node.sizes) == [0, 0, 0, 3]


def swapped(right: list[Any]) -> object:
    return right[::-1]


async def test_the_order_of_the_answers_does_not_matter(node: Node, way: BatchingTransport) -> None:
    node.behaviour = nodes.batches(swapped)
    assert await settled(ask(way, 10)) == list(range(10))


PARTLY = {
    "left out": lambda right: right[:2] + right[3:],
    "twice": lambda right: [*right, {**right[2], "result": "forged"}],
    "twice the same": lambda right: [*right, right[2]],
    "text id": lambda right: [{**one, "id": str(one["id"])} if one["result"] == 2 else one for one in right],
    "id as a fraction": lambda right: [{**one, "id": one["id"] + 0.0} if one["result"] == 2 else one for one in right],
    "neither": lambda right: [{"id": one["id"]} if one["result"] == 2 else one for one in right],
    "no object": lambda right: [7 if one["result"] == 2 else one for one in right],
    "error without a code": lambda right: [{**one, "error": "x"} if one["result"] == 2 else one for one in right],
    "foreign": lambda right: [{**one, "id": 10**9} if one["result"] == 2 else one for one in right],
}


@pytest.mark.parametrize("change", PARTLY.values(), ids=PARTLY.keys())
async def test_one_bad_answer_of_a_batch_is_one_failure(node: Node, way: BatchingTransport, change: Any) -> None:
    node.behaviour = nodes.batches(change)
    answers = await settled(ask(way, 5))
    assert isinstance(answers[2], MalformedResponseError)
    assert (answers[:2], answers[3:], node.sizes) == ([0, 1], [3, 4], [5])


async def test_one_error_of_a_batch_is_its_callers_alone(node: Node, way: BatchingTransport) -> None:
    failure = {"error": {"code": 3, "message": "execution reverted", "data": "0x08"}}
    node.behaviour = nodes.each(lambda call: failure if call["params"] == [2] else {"result": call["params"][0]})
    answers = await settled(ask(way, 5))
    assert isinstance(answers[2], RpcRequestError)
    assert (answers[2].code, answers[2].data, answers[4]) == (3, "0x08", 4)


async def test_answers_to_nobody_are_passed_over(node: Node, way: BatchingTransport) -> None:
    node.behaviour = nodes.batches(lambda right: [{"id": None, "error": {"code": 1}}, None, [], *right, {"id": -1}])
    assert await settled(ask(way, 5)) == list(range(5))


NOT_AN_ARRAY = {
    "an error": NO_BATCHES,
    "a text": nodes.http(b'"no"'),
    "null": nodes.http(b"null"),
    "nothing": nodes.http(b""),
    "html": nodes.http(b"<html>"),
    "an empty array": nodes.http(b"[]"),
    "an array of one error": nodes.http(b'[{"id":null,"error":{"code":-32600,"message":"x"}}]'),
    "the first one's": nodes.http(b'{"jsonrpc":"2.0","id":1,"result":0}'),
    "400": BAD_REQUEST,
    "405": nodes.http(b"", status="405 Method Not Allowed"),
    "413": TOO_LARGE,
    "500": nodes.http(b"", status="500 Oops"),
    "deep": nodes.http(b"[" * 200_000),
    "huge": nodes.http(b"[" + b"0," * 3_000_000 + b"0]"),
}


@pytest.mark.parametrize("refusal", NOT_AN_ARRAY.values(), ids=NOT_AN_ARRAY.keys())
async def test_a_server_that_takes_no_batches_is_asked_one_by_one(
    node: Node, way: BatchingTransport, refusal: bytes
) -> None:
    node.behaviour = nodes.at_most(1, refusal)
    assert await settled(ask(way, 30)) == list(range(30))
    assert (node.sizes[0], node.sizes.count(0)) == (30, 30)
    assert len(node.sizes) == 32


async def test_a_server_that_takes_small_batches_gets_small_ones(node: Node, way: BatchingTransport) -> None:
    node.behaviour = nodes.at_most(100, TOO_LARGE)
    assert await settled(ask(way, 1000)) == list(range(1000))
    assert node.sizes == [1000, *[100] * 10]


async def test_what_a_server_takes_is_remembered_for_a_minute(
    node: Node, way: BatchingTransport, clock: MovableClock
) -> None:
    node.behaviour = nodes.at_most(1, BAD_REQUEST)
    await settled(ask(way, 20))
    node.bodies.clear()
    assert await settled(ask(way, 20)) == list(range(20))
    assert node.sizes == [0] * 20
    node.behaviour = nodes.echo
    clock.advance(SIZE_REMEMBERED_SECONDS)
    node.bodies.clear()
    await settled(ask(way, 20))
    assert node.sizes == [20]


@pytest.mark.parametrize("poison", [0, 1, 50, 99])
async def test_one_call_for_which_a_server_refuses_the_batch_costs_the_others_nothing_lasting(
    node: Node, way: BatchingTransport, poison: int
) -> None:
    async def refuse(request: Any, writer: asyncio.StreamWriter) -> None:
        calls = request if isinstance(request, list) else [request]
        if any(call["params"] == [poison] for call in calls):
            writer.write(NO_BATCHES)
        else:
            await nodes.echo(request, writer)

    node.behaviour = refuse
    answers = await settled(ask(way, 100))
    assert isinstance(answers.pop(poison), RpcRequestError)
    assert answers == [place for place in range(100) if place != poison]
    node.bodies.clear()
    await settled(ask(way, 100, 1000))
    assert node.sizes == [100]


async def test_a_server_that_refuses_everything_is_not_asked_a_thousand_times(
    node: Node, way: BatchingTransport
) -> None:
    node.behaviour = nodes.send(BAD_REQUEST)
    answers = await settled(ask(way, 1000))
    assert {type(answer) for answer in answers} == {HttpRequestError}
    assert len(node.bodies) < 20


@pytest.mark.parametrize(
    "number", ["401 No", "403 No", "429 Slow down", "502 Bad", "503 Busy", "504 Late", "302 Found"]
)
async def test_a_failure_that_is_no_refusal_of_batches_is_everyones(
    node: Node, way: BatchingTransport, number: str
) -> None:
    node.behaviour = nodes.send(nodes.http(b"", status=number))
    answers = await settled(ask(way, 5))
    assert [type(answer) for answer in answers] == [HttpRequestError] * 5
    assert node.sizes == [5]


async def test_answers_too_large_together_are_asked_for_in_parts(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.answer(result="x" * 50_000)
    way = BatchingTransport(HttpRpcTransport(client, node.url, max_bytes=200_000))
    assert await settled(ask(way, 20)) == ["x" * 50_000] * 20
    node.behaviour = nodes.echo
    node.bodies.clear()
    await settled(ask(way, 20))
    assert node.sizes == [20]


async def test_an_answer_too_large_alone_is_its_callers_failure(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.each(lambda call: {"result": "x" * (300_000 if call["params"] == [1] else 1)})
    way = BatchingTransport(HttpRpcTransport(client, node.url, max_bytes=200_000))
    first, second, third = await settled(ask(way, 3))
    assert isinstance(second, ResponseTooLargeError)
    assert (first, third) == ("x", "x")


@pytest.mark.parametrize("behaviour", [nodes.silence, nodes.drip], ids=["silence", "drip"])
async def test_a_slow_server_is_everyones_timeout(
    node: Node, client: httpx.AsyncClient, behaviour: nodes.Behaviour
) -> None:
    node.behaviour = behaviour
    way = BatchingTransport(HttpRpcTransport(client, node.url), timeout=0.1)
    answers = await settled(ask(way, 5))
    assert [type(answer) for answer in answers] == [RequestTimeoutError] * 5


async def test_a_server_that_refuses_batches_and_then_is_slow_has_no_more_time_for_that(
    node: Node, client: httpx.AsyncClient
) -> None:
    async def slow(request: Any, writer: asyncio.StreamWriter) -> None:
        if isinstance(request, list):
            writer.write(BAD_REQUEST)
        elif request["params"] == [0]:
            await nodes.echo(request, writer)
        else:
            await nodes.silence(request, writer)

    node.behaviour = slow
    # The refusal and the first answer come in this time on a machine that is busy, too.
    way = BatchingTransport(HttpRpcTransport(client, node.url), timeout=10)
    # Fifty patiences one after the other would take longer.
    async with patience():
        answers = await settled(ask(way, 50))
    assert answers[0] == 0
    assert {type(answer) for answer in answers[1:]} == {RequestTimeoutError}


async def test_a_closed_socket_is_everyones_failure(node: Node, way: BatchingTransport) -> None:
    node.behaviour = nodes.send_and_hang_up(b"")
    answers = await settled(ask(way, 3))
    assert [type(answer) for answer in answers] == [HttpRequestError] * 3


async def test_who_leaves_before_the_tick_is_over_is_not_asked_for(node: Node, way: BatchingTransport) -> None:
    asking = ask(way, 3)
    await asyncio.sleep(0)
    asking[1].cancel()
    assert (await settled(asking))[::2] == [0, 2]
    assert [call["params"] for call in node.requests] == [[0], [2]]


async def test_who_leaves_later_takes_nothing_from_the_others(node: Node, way: BatchingTransport) -> None:
    gate = asyncio.Event()

    async def later(request: Any, writer: asyncio.StreamWriter) -> None:
        await gate.wait()
        await nodes.echo(request, writer)

    node.behaviour = later
    asking = ask(way, 3)
    async with patience():
        while not node.bodies:
            await asyncio.sleep(0.001)
    asking[1].cancel()
    gate.set()
    assert (await settled(asking))[::2] == [0, 2]


async def test_when_everyone_has_left_the_request_is_given_up(node: Node, client: httpx.AsyncClient) -> None:
    node.behaviour = nodes.silence
    way = BatchingTransport(HttpRpcTransport(client, node.url))
    asking = ask(way, 3)
    async with patience():
        while not node.bodies:
            await asyncio.sleep(0.001)
        for one in asking:
            one.cancel()
        while any(task.get_name() == "batch" for task in asyncio.all_tasks()):
            await asyncio.sleep(0.001)


async def test_parameters_that_are_no_json_fail_their_caller_alone(node: Node, way: BatchingTransport) -> None:
    circle = list[object]()
    circle.append(circle)
    deep: object = 0
    for _ in range(100_000):
        deep = [deep]
    asking = [
        *ask(way, 2),
        *(asyncio.create_task(way.request("eth_call", [wrong])) for wrong in (float("inf"), circle, deep, {1, 2})),
    ]
    answers = await settled(asking)
    assert (answers[:2], node.sizes) == ([0, 1], [2])
    assert [isinstance(answer, ValueError) for answer in answers[2:]] == [True] * 4


ENTRIES = st.lists(
    st.none()
    | st.integers()
    | st.fixed_dictionaries(
        {"id": st.integers(0, 6) | st.none() | st.text(max_size=2) | st.booleans() | st.floats(0, 6)},
        optional={"result": st.integers(), "error": st.none() | st.text() | st.dictionaries(st.text(), st.integers())},
    ),
    max_size=12,
)


@given(ENTRIES)
def test_each_call_of_any_batch_has_one_outcome_and_only_from_its_own_answer(entries: list[Any]) -> None:
    ids = range(1, 6)
    answer = json.loads(json.dumps(entries))
    try:
        outcomes = read_batch(answer, ids, url="http://node")
    except TransportError:
        return
    assert len(outcomes) == len(ids)
    for request_id, outcome in zip(ids, outcomes, strict=True):
        own = [one for one in entries if isinstance(one, dict) and type(one["id"]) is int and one["id"] == request_id]
        if not isinstance(outcome, TransportError):
            assert [one["result"] for one in own] == [outcome]
