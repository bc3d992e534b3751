"""One transport after another: who is asked when, and what is asked of one only."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
import pytest_asyncio

from tests.patience import patience
from tests.services.rpc_double import URL, TransportDouble, rpc_error, status
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import (
    MalformedResponseError,
    RequestTimeoutError,
    ResponseTooLargeError,
    TransportError,
)
from walletmodal.services.rpc import FallbackTransport
from walletmodal.services.rpc.transport import JsonParams

SILENT = RequestTimeoutError(url=URL)


class Pinged(TransportDouble):
    """A node whose pings are counted apart and take `seconds`; when `dead` they fail after as long."""

    def __init__(self, name: str, clock: MovableClock, seconds: float = 0.0) -> None:
        super().__init__(name)
        self._clock, self.seconds, self.pings = clock, seconds, 0
        self.failure: TransportError | None = None
        self.silent = False

    async def request(self, method: str, params: JsonParams = ()) -> object:
        if method != "net_listening":
            return await super().request(method, params)
        self.pings += 1
        if self.silent:
            await asyncio.Event().wait()
        await self._clock.sleep(self.seconds)
        if self.failure is not None:
            raise self.failure
        return True


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


Build = Callable[..., FallbackTransport]


@pytest_asyncio.fixture
async def over(clock: MovableClock) -> AsyncIterator[Build]:
    made = list[FallbackTransport]()

    def build(*transports: TransportDouble, ping_timeout: float = 1.0) -> FallbackTransport:
        made.append(FallbackTransport(transports, clock=clock, ping_timeout=ping_timeout))
        return made[-1]

    yield build
    for one in made:
        await one.close()


async def test_the_first_is_asked_and_no_other(over: Build) -> None:
    first, second = TransportDouble("1"), TransportDouble("2")
    assert await over(first, second).request("eth_call") == "1"
    assert "eth_call" not in second.methods


@pytest.mark.parametrize(
    "error",
    [
        status(None),
        status(503),
        status(429),
        status(302),
        status(400),
        SILENT,
        MalformedResponseError(url=URL, details="not JSON"),
        ResponseTooLargeError(url=URL, limit=1),
        rpc_error(-32000, "header not found"),
        rpc_error(-32601),
        rpc_error(-32603),
    ],
    ids=repr,
)
async def test_when_one_fails_the_next_is_asked(over: Build, error: TransportError) -> None:
    assert await over(TransportDouble(error), TransportDouble("2")).request("eth_call", [1]) == "2"


async def test_when_all_fail_the_last_error_is_the_answer(over: Build) -> None:
    last = status(502)
    with pytest.raises(TransportError) as raised:
        await over(TransportDouble(status(503)), TransportDouble(last)).request("eth_call")
    assert raised.value is last


@pytest.mark.parametrize(
    "error",
    [
        rpc_error(-32003),
        rpc_error(4001),
        rpc_error(5000),
        rpc_error(3, "reverted"),
        rpc_error(-32000, "VM Exception: Execution reverted: no"),
    ],
    ids=lambda error: f"{error.code} {error.details}",
)
async def test_what_another_would_say_too_is_the_answer(over: Build, error: TransportError) -> None:
    second = TransportDouble("2")
    with pytest.raises(TransportError) as raised:
        await over(TransportDouble(error), second).request("eth_call")
    assert raised.value is error
    assert "eth_call" not in second.methods


@pytest.mark.parametrize(
    "error", [SILENT, status(None), status(502), status(500), rpc_error(-32000, "nonce too low")], ids=repr
)
async def test_a_transaction_that_may_have_been_sent_is_sent_by_no_other(over: Build, error: TransportError) -> None:
    second = TransportDouble("2")
    with pytest.raises(TransportError) as raised:
        await over(TransportDouble(error), second).request("eth_sendRawTransaction", ["0x"])
    assert raised.value is error
    assert "eth_sendRawTransaction" not in second.methods


async def test_a_transaction_goes_round_a_node_that_is_down(over: Build) -> None:
    down = status(None)
    down.__cause__ = httpx.ConnectError("refused")
    assert await over(TransportDouble(down), TransportDouble("2")).request("eth_sendRawTransaction", ["0x"]) == "2"


async def rounds(clock: MovableClock, count: int) -> None:
    """Lets so many rounds of pings pass: 1 s for the pings, then 4 s."""
    for _ in range(count):
        await clock.asleep()
        clock.advance(1)
        async with patience():
            while list(clock.sleepers) != [4]:
                await asyncio.sleep(0)
        clock.advance(4)


async def test_the_quicker_is_asked_first_once_both_were_pinged(over: Build, clock: MovableClock) -> None:
    way = over(Pinged("slow", clock, 0.9), Pinged("quick", clock, 0.0))
    assert await way.request("eth_call") == "slow"
    await rounds(clock, 1)
    assert await way.request("eth_call") == "quick"


async def test_the_steadier_is_asked_first_though_slower(over: Build, clock: MovableClock) -> None:
    quick, slow = Pinged("quick", clock), Pinged("slow", clock, 0.9)
    quick.failure = status(503)
    way = over(quick, slow)
    await way.request("eth_call")
    await rounds(clock, 1)
    assert await way.request("eth_call") == "slow"


async def test_nodes_are_pinged_every_four_seconds(over: Build, clock: MovableClock) -> None:
    first, second = Pinged("1", clock, 0.5), Pinged("2", clock, 0.5)
    way = over(first, second)
    await way.request("eth_call")
    await rounds(clock, 3)
    await clock.asleep()
    assert (first.pings, second.pings) == (4, 4)


async def test_nobody_is_pinged_before_and_long_after_use(over: Build, clock: MovableClock) -> None:
    first, second = Pinged("1", clock, 0.5), Pinged("2", clock, 0.5)
    way = over(first, second)
    assert first.pings == 0
    await way.request("eth_call")
    await rounds(clock, 8)
    for _ in range(20):
        await asyncio.sleep(0)
    assert (first.pings, clock.sleepers) == (8, ())
    await way.request("eth_call")
    await clock.asleep()
    assert first.pings == 9


async def test_one_transport_alone_is_never_pinged(over: Build, clock: MovableClock) -> None:
    only = Pinged("1", clock)
    await over(only).request("eth_call")
    for _ in range(10):
        await asyncio.sleep(0)
    assert only.pings == 0


async def test_a_node_without_the_pings_method_is_well(over: Build, clock: MovableClock) -> None:
    without, slow = Pinged("without", clock), Pinged("slow", clock, 0.9)
    without.failure = rpc_error(-32601)
    way = over(slow, without)
    await way.request("eth_call")
    await rounds(clock, 1)
    assert await way.request("eth_call") == "without"


async def test_a_ping_without_an_answer_fails_in_time(over: Build, clock: MovableClock) -> None:
    silent, well = Pinged("silent", clock), Pinged("well", clock)
    silent.silent = True
    way = over(silent, well, ping_timeout=0.02)
    await way.request("eth_call")
    async with patience():
        await clock.asleep()
    assert await way.request("eth_call") == "well"
