"""States in Redis: how often an event asks for them, what it writes, and who may write."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import pytest
from redis.asyncio import Redis
from reflex.state import BaseState, State
from reflex_base.event import Event
from reflex_base.utils.exceptions import LockExpiredError

from tests.driver import Driver, session
from tests.features.owned import coin, looking, served
from tests.patience import patience
from tests.redis_visitor import SOCKET, TOKEN, Renewed, begun, other, shell, token
from walletmodal.deployment import Deployment
from walletmodal.features.account.state import Eip155State
from walletmodal.features.account.tokens import TokensState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.held_back import holds_back
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.reflex_internals.usual_states import UNASKED

__all__ = ["begun", "other"]

pytestmark = pytest.mark.parametrize("manager", ["redis"], indirect=True)

CONNECTED_BYTES = 16_000
"""What a connected visitor with an open account may take in Redis."""


async def commands(redis: Redis, *names: str) -> int:
    """How often Redis has carried these out."""
    told: Any = await redis.info("commandstats")
    return sum(told.get(f"cmdstat_{name}", {"calls": 0})["calls"] for name in names)


async def retitle(driver: Driver, title: str) -> int:
    """Changes one variable; how many states were written for it."""
    before = await commands(driver.redis, "set")
    async with driver.changing(ShellState) as shell:
        shell.title = title
    # One is the lock.
    return await commands(driver.redis, "set") - before - 1


async def test_an_event_asks_redis_twice(driver: Driver, manager: RedisStates) -> None:
    await driver.load(sessions={"eip155": session()})
    await driver.fire(ShellState.push("Networks"))
    before = await commands(manager.redis, "eval", "getdel")
    await driver.fire(ShellState.push("WhatIsANetwork"))
    assert await commands(manager.redis, "eval", "getdel") - before == 2


async def test_a_look_at_the_same_account_asks_redis_thrice_and_writes_nothing(
    driver: Driver, deployed: Deployment, manager: RedisStates
) -> None:
    served(deployed, coin(value=5))
    await looking(driver)
    before = await commands(manager.redis, "mget", "eval", "getdel"), await commands(manager.redis, "set")
    await driver.fire(TokensState.refresh_all)
    after = await commands(manager.redis, "mget", "eval", "getdel"), await commands(manager.redis, "set")
    # The lock is taken by a script, which reads in its turn; the one write is the lock.
    assert (after[0] - before[0], after[1] - before[1]) == (4, 1)


async def test_of_all_that_is_read_only_what_has_changed_is_written(driver: Driver) -> None:
    await driver.load(sessions={"eip155": session()})
    # The state, and the session's version.
    assert await retitle(driver, "Told") == 2


async def test_what_is_set_to_what_it_was_is_not_written(driver: Driver) -> None:
    await driver.load()
    await retitle(driver, "Told")
    assert await retitle(driver, "Told") == 0


async def test_a_state_that_no_event_asks_for_any_more_is_no_longer_read_with_theirs(manager: RedisStates) -> None:
    async def read_for(*states: type[BaseState]) -> int:
        """How many keys an event has Redis look up that asks for these states."""
        before = await manager.redis.info("stats")
        async with manager.modify_state(token(ShellState)) as root:
            for state in states:
                await manager.get_state(token(state), for_state_instance=root)
        after = await manager.redis.info("stats")
        return sum(after[name] - before[name] for name in ("keyspace_hits", "keyspace_misses"))

    alone = await read_for()
    await read_for(Eip155State)
    together = await read_for()
    for _ in range(UNASKED):
        await read_for()
    assert (together > alone, await read_for()) == (True, alone)


async def test_what_is_kept_of_a_connected_visitor_is_small(driver: Driver, manager: RedisStates) -> None:
    await driver.load(sessions={"eip155": session()})
    await driver.fire(ShellState.push("Account"))
    sizes = [await manager.redis.strlen(key) async for key in manager.redis.scan_iter(f"{TOKEN}_*state*")]
    assert 0 < sum(sizes) <= CONNECTED_BYTES


async def test_a_background_event_begins_without_the_lock(driver: Driver, manager: RedisStates) -> None:
    await driver.load(sessions={"eip155": session()})
    event = Event.from_event_type(Eip155State.load_identity)[0]
    begun = manager.modify_state(token(Eip155State), event=event)
    async with manager.modify_state(token()), patience(), begun as root:
        assert (await shell(manager, root)).initialized


async def test_what_a_background_event_changes_before_it_locks_does_not_undo_what_others_do(
    driver: Driver, manager: RedisStates
) -> None:
    await driver.load()
    event = Event.from_event_type(Eip155State.load_identity)[0]
    async with manager.modify_state(token(Eip155State), event=event) as root:
        (await shell(manager, root)).title = "Older"
        await retitle(driver, "Newer")
    assert (await driver.state(ShellState)).title == "Newer"


async def test_nothing_is_written_of_an_event_whose_lock_somebody_else_has(manager: RedisStates) -> None:
    manager.renew = renewed = Renewed()

    async def too_late() -> None:
        async with manager.modify_state(token()) as root:
            (await shell(manager, root)).title = "Too late"
            await manager.redis.set(manager._lock_key(token()), b"another", px=5_000)

    with pytest.raises(LockExpiredError):
        await too_late()
    assert renewed == [TOKEN]
    assert await manager.redis.get(manager._lock_key(token())) == b"another"
    assert not await manager.redis.exists(token()._state_key(ShellState))


@pytest.mark.parametrize("here", [True, False], ids=["here", "elsewhere"])
@pytest.mark.parametrize("event", [ShellState.push("Networks"), Eip155State.load_identity], ids=["plain", "background"])
async def test_a_page_is_told_nothing_that_was_not_written(
    driver: Driver, manager: RedisStates, monkeypatch: pytest.MonkeyPatch, event: Any, here: bool
) -> None:
    manager.told.socket_of = lambda _token: SOCKET if here else None
    await driver.load(sessions={"eip155": session()})
    async with driver.changing(Eip155State) as account:
        account.profile_name = "Older"
    driver.deltas.clear()
    finish = manager._finish

    async def too_late(held: Any, **how: Any) -> bool:
        await manager.redis.delete(manager._lock_key(held.token))
        return await finish(held, **how)

    with monkeypatch.context() as failing:
        failing.setattr(manager, "_finish", too_late)
        with pytest.raises(LockExpiredError):
            await driver.fire(event)
    assert driver.deltas == []


@pytest.mark.parametrize("here", [True, False], ids=["here", "elsewhere"])
async def test_a_page_at_another_worker_is_told_before_that_one_may_go_on(manager: RedisStates, here: bool) -> None:
    manager.told.socket_of = lambda _token: SOCKET if here else None
    seen = list[tuple[bool, bool]]()
    lock, state = manager._lock_key(token()), token()._state_key(ShellState)

    async def look() -> None:
        seen.append((b"Written" in (await manager.redis.get(state) or b""), bool(await manager.redis.exists(lock))))

    async with manager.modify_state(token()) as root:
        (await shell(manager, root)).title = "Written"
        assert holds_back(look)
    await look()
    assert seen == [(True, not here), (True, False)]


@pytest.mark.parametrize(("event", "moved"), [(ShellState.push("Networks"), [TOKEN]), (State.hydrate, [])])
async def test_a_page_that_could_not_be_told_asks_anew_and_what_was_brought_about_begins(
    manager: RedisStates, event: Any, moved: list[str]
) -> None:
    manager.renew, begun = (renewed := Renewed()), list[str]()

    async def fail() -> None:
        raise ZeroDivisionError

    async def begin() -> None:
        begun.append("next")

    async def tell() -> None:
        (said,) = Event.from_event_type(event)
        async with manager.modify_state(token(), event=said):
            assert holds_back(fail)
            assert holds_back(begin)

    with pytest.raises(ZeroDivisionError):
        await tell()
    assert (begun, renewed) == (["next"], moved)


async def test_what_a_page_is_told_comes_in_the_order_of_what_was_done(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    driver.deltas.clear()
    views = ("Networks", "WhatIsAWallet", "AllWallets")
    await asyncio.gather(*(driver.fire(ShellState.push(view)) for view in views))
    named = ShellState.get_full_name()
    told = [values["view_rx_state_"] for delta in driver.deltas for name, values in delta.items() if name == named]
    assert (told, (await driver.state(ShellState)).view) == (list(views), views[-1])


async def test_an_event_that_fails_writes_nothing_and_gives_the_lock_back(manager: RedisStates) -> None:
    async def fail() -> None:
        async with manager.modify_state(token()) as root:
            (await shell(manager, root)).title = "Half done"
            raise ZeroDivisionError

    before = await manager.redis.keys(f"{TOKEN}*")
    with pytest.raises(ZeroDivisionError):
        await fail()
    assert await manager.redis.keys(f"{TOKEN}*") == before


async def test_an_event_on_another_worker_waits_and_sees_what_was_written(
    manager: RedisStates, other: RedisStates
) -> None:
    async def read() -> str:
        async with other.modify_state(token()) as root:
            return (await shell(other, root)).title

    async with manager.modify_state(token()) as root:
        waiting = asyncio.create_task(read())
        lock = manager._lock_key(token())
        async with patience():
            while not other._n_lock_waiters(lock):
                await asyncio.sleep(0)
        (await shell(manager, root)).title = "Written first"
    async with patience():
        assert await waiting == "Written first"


async def test_an_event_waits_for_another_of_its_worker_without_asking_redis(manager: RedisStates) -> None:
    async def read() -> str:
        async with manager.modify_state(token()) as root:
            return (await shell(manager, root)).title

    async with manager.modify_state(token()) as root:
        await manager.redis.config_resetstat()
        waiting = asyncio.create_task(read())
        (await shell(manager, root)).title = "Written first"
    async with patience():
        assert await waiting == "Written first"
    # Two locks are given back, each with a look at the session's version, and one is taken.
    assert (await commands(manager.redis, "eval"), await commands(manager.redis, "get")) == (3, 5)


async def test_an_event_that_hangs_holds_up_others_of_its_worker_no_longer_than_its_lock(manager: RedisStates) -> None:
    turns = manager._turns
    async with patience(), turns.turn(b"visitor", 1), turns.turn(b"visitor", 0.001):
        pass


@pytest.mark.parametrize(
    "event", [Event.from_event_type(ShellState.push("Networks"))[0], None], ids=["event", "in the background"]
)
async def test_what_an_event_has_used_is_freed_without_garbage_collection(
    manager: RedisStates, event: Event | None
) -> None:
    """Which looks through all that a worker has of thousands of pages."""
    gc.disable()
    try:
        async with manager.modify_state(token(), event=event) as root:
            used = [weakref.ref(root), weakref.ref(await shell(manager, root))]
        del root
        assert [one() for one in used] == [None, None]
    finally:
        gc.enable()


async def test_the_whole_tree_is_read_at_once(manager: RedisStates) -> None:
    await manager.redis.config_resetstat()
    async with manager.modify_state(token(State)) as root:
        assert {type(state) for state in root.substates.values()} == State.get_substates()
    assert await commands(manager.redis, "mget") == 1
