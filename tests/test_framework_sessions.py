"""Sessions are forgotten as the framework keeps them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from tests.driver import Driver, nobody
from tests.patience import eventually
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.returning_pages import version_key
from walletmodal.reflex_internals.session_end import forget_session, forget_sessions_with

ROOT = f"_{State.get_full_name()}"
"""At the end of a key, or before the names of other states."""
REDIS = pytest.mark.parametrize("manager", ["redis"], indirect=True)


async def test_a_forgotten_session_begins_anew_and_leaves_nothing(driver: Driver, manager: Any) -> None:
    await driver.fire(State.hydrate)
    async with driver.changing(ShellState) as state:
        state.title = "Ada Lovelace"
    await forget_session(manager, driver.token, is_wanted=nobody, is_known=nobody)
    if isinstance(manager, StateManagerRedis):
        # What remembers that an event has finished says nothing of the session, and goes by itself within a minute.
        kept = [key for key in await manager.redis.keys(f"{driver.token}*") if b"_lock:" not in key]
        assert (kept, await manager.redis.exists(version_key(f"{driver.token}_lock".encode()))) == ([], 0)
    else:
        assert (manager.states, manager._token_expires_at, manager._states_locks) == ({}, {}, {})
    assert (await driver.state(ShellState)).title == ShellState.get_fields()["title"].default_value()


@REDIS
async def test_sessions_in_redis_are_forgotten_by_a_text_of_theirs(driver: Driver, manager: StateManagerRedis) -> None:
    other = Driver(manager, token="other")
    await driver.fire(State.hydrate)
    async with driver.changing(ShellState) as state:
        state.title = "Ada Lovelace"
    async with other.processor:
        await other.fire(State.hydrate)
    async with other.changing(ShellState) as state:
        state.title = "Charles Babbage"
    assert await forget_sessions_with(manager.redis, "LOVELACE") == 1
    assert await manager.redis.keys(f"{driver.token}*") == []
    assert (await other.state(ShellState)).title == "Charles Babbage"


@REDIS
@pytest.mark.parametrize("token", ["token_manager_socket_record", f"token_manager_socket_record{ROOT}x"])
async def test_a_session_is_forgotten_alone_whatever_a_browser_calls_it(manager: StateManagerRedis, token: str) -> None:
    record = "token_manager_socket_record_of-another-visitor"
    await manager.redis.set(record, b"theirs")
    hostile = Driver(manager, token=token)
    async with hostile.processor:
        await hostile.fire(State.hydrate)
    async with hostile.changing(ShellState) as state:
        state.title = "Ada Lovelace"
    assert await forget_sessions_with(manager.redis, "LOVELACE") == 1
    assert await manager.redis.keys("token_manager*") == [record.encode()]


@REDIS
async def test_an_event_that_begins_while_its_session_is_forgotten_writes_nothing(
    driver: Driver, manager: StateManagerRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    await driver.fire(State.hydrate)
    async with driver.changing(ShellState) as state:
        state.title = "Ada Lovelace"
    unlink = manager.redis.unlink

    async def begin_and_unlink(*keys: Any) -> Any:
        await manager.redis.set(f"{driver.token}_lock", b"of an event that has begun meanwhile")
        return await unlink(*keys)

    monkeypatch.setattr(manager.redis, "unlink", begin_and_unlink)
    await forget_sessions_with(manager.redis, "LOVELACE")
    assert await manager.redis.keys(f"{driver.token}*") == []


@REDIS
async def test_an_event_that_still_runs_writes_nothing_after_its_session_was_forgotten(
    driver: Driver, manager: StateManagerRedis
) -> None:
    await driver.fire(State.hydrate)
    lock = manager._lock_key(BaseStateToken(ident=driver.token, cls=State))
    async with driver.changing(ShellState) as state:
        forgetting = asyncio.create_task(forget_session(manager, driver.token, is_wanted=nobody, is_known=nobody))
        await eventually(lambda: forgetting.done() or bool(manager._n_lock_waiters(lock)), "the end of the event")
        state.title = "Ada Lovelace"
    await forgetting
    assert [key for key in await manager.redis.keys(f"{driver.token}*") if b"_lock:" not in key] == []


@REDIS
async def test_a_session_whose_page_comes_back_while_an_event_still_runs_is_kept(
    driver: Driver, manager: StateManagerRedis
) -> None:
    await driver.fire(State.hydrate)
    back = False

    async def is_wanted(_token: str) -> bool:
        return back

    lock = manager._lock_key(BaseStateToken(ident=driver.token, cls=State))
    async with driver.changing(ShellState) as state:
        forgetting = asyncio.create_task(forget_session(manager, driver.token, is_wanted=is_wanted, is_known=nobody))
        await eventually(lambda: forgetting.done() or bool(manager._n_lock_waiters(lock)), "the end of the event")
        state.title, back = "Ada Lovelace", True
    await forgetting
    assert (await driver.state(ShellState)).title == "Ada Lovelace"


@REDIS
async def test_a_session_that_somebody_else_may_be_changing_by_now_is_not_removed(
    driver: Driver, manager: StateManagerRedis
) -> None:
    await driver.fire(State.hydrate)
    async with driver.changing(ShellState) as state:
        state.title = "Ada Lovelace"

    async def outlive_the_lock(token: str) -> bool:
        await manager.redis.set(f"{token}_lock", b"of an event that has begun meanwhile")
        return False

    await forget_session(manager, driver.token, is_wanted=outlive_the_lock, is_known=nobody)
    assert (await driver.state(ShellState)).title == "Ada Lovelace"
