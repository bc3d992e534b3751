"""A crowd that comes back at once is let in page by page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
import pytest_asyncio
from redis.asyncio import Redis
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State
from reflex_base.event import Event
from reflex_base.event.processor import EventProcessor

from tests.patience import eventually
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals import loads, low_priority
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.reflex_internals.loads import AT_ONCE, load_in_turn
from walletmodal.reflex_internals.redis_states import read_together

# Overloads of their base class, conditional on the Python version, look like abstract methods to mypy.
_REDIS: Any = StateManagerRedis
_MEMORY: Any = StateManagerMemory
ROUNDS = 500
"""More than anything here takes that does not wait."""


class Events(EventProcessor):
    """Events that go on until they are let go. `begun`: tokens of those."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = dict[str, asyncio.Future[None]]()

    async def _execute_event(self, *, entry: Any, registered_handler: Any) -> None:
        assert registered_handler is not None
        self.begun[entry.ctx.token] = going_on = asyncio.get_running_loop().create_future()
        await going_on


class Worker:
    """Loads of pages at a worker.

    `busy`: whether others wait for their states. `known`: tokens of the pages whose sessions are there. `gone`: of those that are no longer there. `back`: of those that have missed nothing. `loaded`: of those that have all of their state.
    """

    def __init__(self) -> None:
        self.events, self.busy = Events(), False
        self.known, self.back, self.gone, self.loaded = set[str](), set[str](), set[str](), list[str]()
        self.tasks: list[asyncio.Task[None]] = []
        load_in_turn(self.events, self)

    def is_busy(self) -> bool:
        return self.busy

    async def session_version(self, token: str) -> bytes | None:
        return b"" if token in self.known else None

    async def tell_back(self, entry: Any, version: bytes | None) -> bool:
        return version is not None and entry.ctx.token in self.back

    def is_here(self, token: str, sid: str) -> bool:
        return sid == f"socket of {token}" and token not in self.gone

    async def note_arrival(self, token: str) -> None:
        self.loaded.append(token)

    async def come(self, *pages: str, event: str = HYDRATE, address: str = "") -> None:
        for page in pages:
            about = SimpleNamespace(token=page, router_data={"sid": f"socket of {page}", "ip": address})
            entry: Any = SimpleNamespace(ctx=about, event=SimpleNamespace(name=event))
            executing = self.events._execute_event(entry=entry, registered_handler=SimpleNamespace())
            self.tasks.append(asyncio.create_task(executing))
        await self.settled()

    async def end(self, *pages: str, error: Exception | None = None) -> None:
        for page in pages:
            going_on = self.events.begun[page]
            if error is None:
                going_on.set_result(None)
            else:
                going_on.set_exception(error)
        await self.settled()

    async def settled(self) -> None:
        for _ in range(ROUNDS):
            await asyncio.sleep(0)

    @property
    def begun(self) -> list[str]:
        return list(self.events.begun)


@pytest_asyncio.fixture
async def worker(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Worker]:
    """One whose event loop is free enough, however busy this machine is."""
    monkeypatch.setattr(low_priority, "ROUND_SECONDS", 60)
    monkeypatch.setattr(loads, "ROOM_SECONDS", 60)
    monkeypatch.setattr(loads, "LONGEST_SECONDS", 60)
    found = Worker()
    yield found
    for task in found.tasks:
        task.cancel()
    await asyncio.gather(*found.tasks, return_exceptions=True)


def crowd(name: str, count: int = AT_ONCE) -> list[str]:
    return [f"{name} {number}" for number in range(count)]


async def test_the_loads_of_a_crowd_begin_few_at_a_time(worker: Worker) -> None:
    first, later = crowd("first"), crowd("later", 3)
    await worker.come(*first, *later)
    assert worker.begun == first
    await worker.end(first[2], first[0])
    assert worker.begun == [*first, *later[:2]]


async def test_what_a_page_does_once_it_is_there_waits_for_no_crowd(worker: Worker) -> None:
    await worker.come(*crowd("loading", 2 * AT_ONCE))
    await worker.come("there", event="state.on_click")
    assert worker.begun[-1] == "there"


async def test_what_a_page_does_in_the_background_waits_for_its_own_load(worker: Worker) -> None:
    """It would find no session, and the page would be sent away from its turn."""
    first = crowd("first")
    await worker.come(*first, "page")
    await worker.come("page", event="state.on_tick")
    assert worker.begun == first
    await worker.end(first[0])
    load = worker.events.begun.pop("page")
    await worker.settled()
    assert "page" not in worker.begun
    load.set_result(None)
    await worker.settled()
    assert worker.begun[-1] == "page"


async def test_loads_that_hang_hold_up_the_others_for_a_while(worker: Worker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loads, "LONGEST_SECONDS", 0.01)
    hanging = crowd("hanging")
    await worker.come(*hanging)
    monkeypatch.setattr(loads, "LONGEST_SECONDS", 60)
    await worker.come(*crowd("next", 2 * AT_ONCE))
    await eventually(lambda: len(worker.begun) == 2 * AT_ONCE, "those that came next")
    # Their places are not free twice.
    await worker.end(*hanging)
    assert len(worker.begun) == 2 * AT_ONCE


async def test_a_page_whose_load_fails_makes_room(worker: Worker) -> None:
    failing = crowd("failing")
    await worker.come(*failing, "next")
    await worker.end(failing[0], error=OSError("Redis is away"))
    assert worker.begun[-1] == "next"


async def test_a_page_whose_session_is_there_waits_for_no_crowd(worker: Worker) -> None:
    worker.known.add("known")
    worker.busy = True
    await worker.come("first", *crowd("loading", 2 * AT_ONCE), "known")
    assert worker.begun == ["first", "known"]


async def test_a_page_that_comes_alone_loads_at_once(worker: Worker) -> None:
    worker.busy = True
    await worker.come("alone")
    assert worker.begun == ["alone"]


async def test_the_next_of_several_begins_where_no_event_waits_for_its_states(worker: Worker) -> None:
    worker.busy = True
    await worker.come("first", "next")
    assert worker.begun == ["first"]
    worker.busy = False
    await eventually(lambda: worker.begun == ["first", "next"], "a load where there is room")


async def test_a_worker_that_never_has_room_lets_pages_in_one_after_the_other(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loads, "ROOM_SECONDS", 0.1)
    worker.busy = True
    clock = asyncio.get_running_loop().time
    came = clock()
    for page in ("first", "second", "third"):
        await worker.come(page, address=f"of the {page}")
    await eventually(lambda: worker.begun == ["first", "second", "third"], "loads at a busy worker")
    assert clock() - came >= 2 * 0.1


async def test_a_page_that_leaves_while_it_waits_for_room_takes_no_place(worker: Worker) -> None:
    worker.busy = True
    await worker.come("first", "leaving")
    worker.tasks[1].cancel()
    await worker.settled()
    worker.busy = False
    await worker.come(*crowd("next", AT_ONCE - 1))
    await eventually(lambda: worker.begun == ["first", *crowd("next", AT_ONCE - 1)], "as many as there are places")


async def test_a_page_that_has_missed_nothing_is_there_without_a_load(worker: Worker) -> None:
    worker.known, worker.back = {"back", "behind"}, {"back", "new"}
    await worker.come("back", "behind", "new")
    assert (worker.begun, worker.loaded) == (["behind", "new"], ["back"])


async def test_pages_of_one_address_do_not_keep_those_of_others_waiting(worker: Worker) -> None:
    many = crowd("many", 3 * AT_ONCE)
    await worker.come(*many, address="203.0.113.1")
    await worker.come("other", address="203.0.113.2")
    # One of the many was before it at the door.
    await worker.end(*many[:2])
    assert worker.begun == [*many[: AT_ONCE + 1], "other"]


@pytest.mark.parametrize("left", [None, b"another release's", b"-"])
async def test_a_session_is_there_where_this_release_has_it_in_redis(left: bytes | None, redis_url: str) -> None:
    client = Redis.from_url(redis_url)
    manager: Any = read_together(_REDIS(redis=client))
    token = BaseStateToken(ident="visitor", cls=ShellState)
    async with manager.modify_state(token, event=Event(name=HYDRATE)):
        pass
    if left is not None:
        await client.set(BaseStateToken(ident="visitor", cls=State)._state_key(State), left)
    assert (await loads.session_version(manager, "visitor") is None) == (left is not None)
    assert await loads.session_version(manager, "nobody") is None
    await manager.close()


async def test_a_session_is_there_where_the_worker_has_it_in_memory() -> None:
    manager = _MEMORY()
    assert await loads.session_version(manager, "visitor") is None
    async with manager.modify_state(BaseStateToken(ident="visitor", cls=ShellState)):
        pass
    assert await loads.session_version(manager, "visitor") is not None


async def test_a_redis_that_does_not_answer_says_of_no_session_that_it_is_there(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager: Any = read_together(_REDIS(redis=Redis.from_url(redis_url)))

    async def hang(*_keys: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(manager.redis, "mget", hang)
    monkeypatch.setattr(loads, "_LOOK_SECONDS", 0.01)
    assert await loads.session_version(manager, "visitor") is None
    await manager.close()


async def test_a_page_that_has_gone_on_elsewhere_is_not_loaded(worker: Worker) -> None:
    first = crowd("first")
    await worker.come(*first, "going", "next")
    worker.gone.add("going")
    await worker.end(first[0])
    assert worker.begun[-1] == "next"
    assert "going" not in worker.begun


async def test_a_page_that_goes_on_elsewhere_while_it_loads_has_not_arrived(worker: Worker) -> None:
    await worker.come("going")
    worker.gone.add("going")
    await worker.end("going")
    assert worker.loaded == []


async def test_a_page_that_leaves_while_it_waits_takes_no_place(worker: Worker) -> None:
    first = crowd("first")
    await worker.come(*first, "leaving", "next")
    worker.tasks[AT_ONCE].cancel()
    await worker.end(first[0])
    assert worker.begun[-1] == "next"


async def test_a_page_is_there_once_it_has_the_whole_state(worker: Worker) -> None:
    await worker.come("well", "failing", "going on")
    await worker.come("click", event="state.on_click")
    await worker.end("failing", error=OSError("Redis is away"))
    await worker.end("well", "click")
    assert worker.loaded == ["well"]
