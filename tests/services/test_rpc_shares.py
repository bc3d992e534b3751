"""One caller has a share of what a node is asked at once, and waits for no other's calls."""

import asyncio
from collections.abc import Sequence

from tests.services.rpc_double import ask, settled
from walletmodal.services.rpc import BatchingTransport
from walletmodal.services.rpc.batching import AT_ONCE, AT_ONCE_OF_ONE
from walletmodal.services.rpc.envelope import EncodedCall


class HeldNode:
    """Answers once it is released; `running` are the requests that wait for that, by their sizes."""

    shown_url = "http://node"

    def __init__(self) -> None:
        self.running: list[int] = []
        self.released = asyncio.Event()

    async def request(self, method: str, params: object = ()) -> object:
        raise AssertionError(method, params)

    async def request_many(self, calls: Sequence[EncodedCall]) -> list[object]:
        self.running.append(len(calls))
        await self.released.wait()
        return [None] * len(calls)


async def _sent() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


async def test_one_caller_has_half_of_the_requests_at_once_and_leaves_the_others_to_others() -> None:
    node, caller = HeldNode(), "many"
    way = BatchingTransport(node, caller=lambda: caller)
    asking = list[asyncio.Task[object]]()

    async def ask_often() -> None:
        for place in range(40):
            asking.extend(ask(way, 1, place))
            await _sent()

    await ask_often()
    assert len(node.running) == AT_ONCE_OF_ONE
    caller = "another"
    asking += ask(way, 1)
    await _sent()
    assert len(node.running) == AT_ONCE_OF_ONE + 1
    await ask_often()
    caller = "a third"
    await ask_often()
    assert len(node.running) == AT_ONCE
    node.released.set()
    assert await settled(asking) == [None] * 121
    assert len(node.running) == 121


async def test_what_the_deployment_itself_asks_may_take_all_requests_at_once() -> None:
    node = HeldNode()
    way = BatchingTransport(node)
    asking = list[asyncio.Task[object]]()
    for place in range(40):
        asking += ask(way, 1, place)
        await _sent()
    assert len(node.running) == AT_ONCE
    node.released.set()
    await settled(asking)


async def test_callers_of_one_tick_wait_for_their_own_calls_alone() -> None:
    node, caller = HeldNode(), "one"
    way = BatchingTransport(node, caller=lambda: caller)
    asking = ask(way, 3)
    await asyncio.sleep(0)
    caller = "another"
    asking += ask(way, 2)
    await _sent()
    assert node.running == [3, 2]
    node.released.set()
    await settled(asking)
