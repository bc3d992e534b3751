"""A worker that ends has its pages go to other servers in waves, and loses nothing that they say meanwhile."""

from __future__ import annotations

import asyncio
import math
import signal
from collections.abc import Collection
from contextlib import suppress

import pytest

from tests.patience import patience
from tests.web.event_socket_world import FAST, LOADED, OPEN, Making, Page, World, event
from walletmodal.reflex_internals.session_moves import ARRIVE_SECONDS
from walletmodal.web.drain import LEAVE_SECONDS, WAVE_SECONDS, Drain, Pace, end_while_starting
from walletmodal.web.sessions import SocketLimits

MOVE = {"type": "websocket.send", "text": "49"}
MANY = SocketLimits(per_address=100, total=100, opened=FAST)


async def _settled() -> None:
    for _ in range(200):
        await asyncio.sleep(0)


class Socket:
    """One that is open until its page leaves."""

    def __init__(self, drain: Drain, *, token: str = "token", leaves: bool = True) -> None:
        self._drain, self._leaves, self.moved = drain, leaves, 0
        self.token = token
        drain.add(self)

    async def move(self) -> None:
        """Counted."""
        self.moved += 1
        if self._leaves:
            self._drain.remove(self)


async def _drained(world: World) -> asyncio.Task[None]:
    task = asyncio.create_task(world.drain.move_all())
    await _settled()
    return task


async def _end(world: World, draining: asyncio.Task[None]) -> float:
    """Moves the clock until the drain is over; how long it took."""
    began = world.clock.monotonic()
    async with patience():
        while not draining.done():
            await world.pass_time(WAVE_SECONDS)
    await draining
    return world.clock.monotonic() - began


async def test_a_page_is_told_to_go_once_its_session_may_be_taken_over(world: World) -> None:
    page = await world.open(LOADED)
    draining = await _drained(world)
    assert (world.released, page.got[-1]) == (["token"], MOVE)
    await page.leave()
    await _end(world, draining)


async def test_what_a_page_says_until_it_goes_is_still_done(world: World) -> None:
    page = await world.open(LOADED)
    draining = await _drained(world)
    page.say(event(), event())
    await page.settled()
    await page.leave()
    assert world.framework.heard == [LOADED, event(), event()]
    await _end(world, draining)


async def test_a_page_that_was_told_to_go_is_told_no_more(world: World) -> None:
    page = await world.open(LOADED)
    draining = await _drained(world)
    world.framework.answers = "42/_event,[]"
    page.say(event())
    await page.settled()
    assert page.got[-1] == MOVE
    await page.leave()
    await _end(world, draining)


async def test_a_page_is_told_to_go_once(world: World) -> None:
    page = await world.open(LOADED)
    (socket,) = world.drain._open
    await socket.move()
    await socket.move()
    assert (world.released, page.got.count(MOVE)) == (["token"], 1)


async def test_a_page_that_is_closed_while_its_session_is_released_is_told_nothing(world: World) -> None:
    page = await world.open(LOADED)
    world.while_releasing = page.leave
    await _end(world, await _drained(world))
    assert (world.released, MOVE in page.got) == (["token"], False)


async def test_a_page_whose_connection_has_just_ended_cannot_be_told_to_go(world: World) -> None:
    page = await world.open(LOADED)
    (socket,) = world.drain._open
    page.cut_off = True
    await socket.move()
    assert (world.released, MOVE in page.got) == (["token"], False)


async def test_a_page_whose_session_cannot_be_released_goes_all_the_same(world: World) -> None:
    async def fail() -> None:
        raise ZeroDivisionError

    page = await world.open(LOADED)
    world.while_releasing = fail
    draining = await _drained(world)
    assert page.got[-1] == MOVE
    assert await _end(world, draining) <= LEAVE_SECONDS + 1


async def test_a_session_does_not_begin_on_a_socket_whose_page_was_told_to_go(world: World) -> None:
    page = await world.open()
    draining = await _drained(world)
    page.say(LOADED)
    await page.ended()
    assert world.framework.heard == []
    await _end(world, draining)


async def test_a_socket_whose_page_does_not_go_is_ended(world: World) -> None:
    page = await world.open(LOADED)
    draining = await _drained(world)
    await world.pass_time(LEAVE_SECONDS - 1)
    assert not page.task.done()
    assert await _end(world, draining) <= 2
    assert page.refused


async def test_a_worker_that_ends_takes_no_more_sockets(world: World) -> None:
    world.drain.begun = True
    page = await world.open(LOADED)
    assert ([said["type"] for said in page.got], world.framework.scopes) == (["websocket.close"], [])


async def test_pages_go_at_the_pace_that_is_set(making: Making) -> None:
    world = making(MANY)
    pages: list[Page] = [await world.open(OPEN, token=f"token-{number}") for number in range(30)]
    draining = await _drained(world)
    gone = [0]
    for _ in range(20):
        moved = sum(MOVE in page.got for page in pages)
        gone.append(moved)
        await world.pass_time(WAVE_SECONDS)
    assert gone == [0, *range(1, 21)]
    draining.cancel()
    with suppress(asyncio.CancelledError):
        await draining


@pytest.mark.parametrize("per_second", [1, 8, 25])
async def test_so_many_go_in_a_second(world: World, per_second: int) -> None:
    drain = Drain(Pace(per_second=per_second, seconds=60), world.clock)
    sockets = [Socket(drain) for _ in range(3 * per_second)]
    took = await _end(world, asyncio.create_task(drain.move_all()))
    assert math.isclose(took, 3, abs_tol=0.3)
    assert {socket.moved for socket in sockets} == {1}


async def test_a_page_that_cannot_be_told_to_go_keeps_no_other(world: World) -> None:
    class Broken(Socket):
        async def move(self) -> None:
            await super().move()
            raise ZeroDivisionError

    drain = Drain(Pace(per_second=10, seconds=60), world.clock)
    sockets = [Broken(drain), *(Socket(drain) for _ in range(10))]
    await _end(world, asyncio.create_task(drain.move_all()))
    assert {socket.moved for socket in sockets} == {1}


async def test_more_go_at_once_where_the_time_is_short(world: World) -> None:
    drain = Drain(Pace(per_second=1, seconds=10), world.clock)
    sockets = [Socket(drain) for _ in range(1_000)]
    took = await _end(world, asyncio.create_task(drain.move_all()))
    assert math.isclose(took, 10, abs_tol=0.5)
    assert {socket.moved for socket in sockets} == {1}


class Elsewhere:
    """The other servers. `there`: how many pages have got there, those first that went first."""

    def __init__(self, world: World, pages: int, pace: Pace) -> None:
        self._there = set[str]()
        self.drain = Drain(pace, world.clock, still_moving=self._still_moving)
        self._sockets = [Socket(self.drain, token=str(number)) for number in range(pages)]
        self.draining = asyncio.create_task(self.drain.move_all())

    async def _still_moving(self, moved: Collection[str]) -> set[str]:
        return {*moved} - self._there

    def arrive(self, count: int) -> None:
        self._there |= {str(number) for number in range(count)}

    @property
    def moved(self) -> int:
        return sum(one.moved for one in self._sockets)


@pytest.mark.parametrize("most", [8, 20])
async def test_pages_go_no_faster_than_other_servers_take_them(world: World, most: int) -> None:
    others = Elsewhere(world, 1_000, Pace(per_second=most, seconds=1_000))
    for there in (0, 5, 20):
        others.arrive(there)
        for _ in range(20):
            await world.pass_time(WAVE_SECONDS)
        # By itself one goes each second, or the last would not be gone in time.
        assert there + most <= others.moved <= there + most + 6
    others.drain.hurried = True
    await _end(world, others.draining)


async def test_all_pages_go_in_time_though_no_other_server_takes_them(world: World) -> None:
    others = Elsewhere(world, 500, Pace(per_second=100, seconds=60))
    took = await _end(world, others.draining)
    assert (others.moved, math.isclose(took, 60, abs_tol=0.5)) == (500, True)


async def test_a_page_that_is_closed_on_its_way_is_waited_for_no_longer_than_it_may_take(world: World) -> None:
    others = Elsewhere(world, 1_000, Pace(per_second=20, seconds=10_000))
    for _ in range(20):
        await world.pass_time(WAVE_SECONDS)
    assert 20 <= others.moved <= 21
    await world.pass_time(ARRIVE_SECONDS)
    await world.pass_time(WAVE_SECONDS)
    assert 40 <= others.moved <= 42
    others.drain.hurried = True
    await _end(world, others.draining)


async def test_pages_that_arrive_at_once_go_at_the_pace_that_is_set(world: World) -> None:
    others = Elsewhere(world, 300, Pace(per_second=100, seconds=60))
    others.arrive(300)
    assert math.isclose(await _end(world, others.draining), 3, abs_tol=0.3)


async def test_pages_go_at_the_pace_that_is_set_though_the_worker_is_slow(world: World) -> None:
    class Slow(Socket):
        async def move(self) -> None:
            await world.clock.sleep(1)
            await super().move()

    drain = Drain(Pace(per_second=10, seconds=60), world.clock)
    sockets = [Slow(drain) for _ in range(100)]
    assert math.isclose(await _end(world, asyncio.create_task(drain.move_all())), 10, abs_tol=2)
    assert {socket.moved for socket in sockets} == {1}


async def test_pages_that_do_not_go_hold_no_worker_up(world: World) -> None:
    drain = Drain(Pace(per_second=100, seconds=1), world.clock)
    stuck = Socket(drain, leaves=False)
    took = await _end(world, asyncio.create_task(drain.move_all()))
    assert (took <= 1 + LEAVE_SECONDS + 1, stuck.moved) == (True, 1)


async def test_what_must_be_done_before_pages_go_is_done_before_the_first(world: World) -> None:
    order = list[str]()

    async def prepare() -> None:
        await asyncio.sleep(0)
        order.append(f"prepared, {socket.moved} moved")

    drain = Drain(Pace(per_second=100, seconds=1), world.clock, prepare=prepare)
    socket = Socket(drain)
    await _end(world, asyncio.create_task(drain.move_all()))
    assert (order, socket.moved) == (["prepared, 0 moved"], 1)


async def test_pages_go_though_nobody_can_say_how_they_fare(world: World, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(*_asked: object) -> set[str]:
        raise KeyError("of a library")

    async def prepare() -> None:
        await fail()

    drain = Drain(Pace(per_second=5, seconds=10), world.clock, prepare=prepare, still_moving=fail)
    sockets = [Socket(drain, token=str(number)) for number in range(40)]
    await _end(world, asyncio.create_task(drain.move_all()))
    assert {socket.moved for socket in sockets} == {1}
    assert caplog.records[0].exc_info


async def test_nobody_is_moved_where_no_other_server_could_go_on(world: World) -> None:
    drain = Drain(None, world.clock)
    socket = Socket(drain)
    await drain.move_all()
    assert (drain.begun, socket.moved) == (True, 0)


async def test_pages_that_need_not_go_any_more_stay(world: World) -> None:
    drain = Drain(Pace(per_second=10, seconds=60), world.clock)
    sockets = [Socket(drain, leaves=False) for _ in range(100)]
    draining = asyncio.create_task(drain.move_all())
    await _settled()
    drain.hurried = True
    await _end(world, draining)
    assert [socket.moved for socket in sockets] == [1] + [0] * 99


@pytest.mark.parametrize("hurried", [False, True])
async def test_a_worker_drains_by_signals_and_then_asks_its_server_to_end(hurried: bool) -> None:
    drain = Drain(Pace(per_second=100, seconds=1))
    socket, ended = Socket(drain), asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGINT, ended.set)
    try:
        async with drain.on_signals(), patience():
            signal.raise_signal(signal.SIGUSR1)
            while not drain.announced:
                await asyncio.sleep(0)
            if hurried:
                signal.raise_signal(signal.SIGUSR2)
            signal.raise_signal(signal.SIGTERM)
            await ended.wait()
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2):
            loop.remove_signal_handler(number)
    assert socket.moved == (0 if hurried else 1)


async def test_a_worker_that_is_still_starting_ends_at_once() -> None:
    """By the signal itself: what granian does on it never comes to an end before it listens."""
    loop, before = asyncio.get_running_loop(), signal.getsignal(signal.SIGTERM)
    loop.add_signal_handler(signal.SIGTERM, lambda: None)
    try:
        async with end_while_starting():
            assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    finally:
        signal.signal(signal.SIGTERM, before)
