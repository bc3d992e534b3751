"""Sessions in Redis: how long all of one is kept, and what happens where it is lost, ends or cannot be read."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisConnectionError
from reflex.istate.manager.token import BaseStateToken
from reflex.istate.proxy import StateProxy
from reflex.state import State
from reflex_base.utils.exceptions import LockExpiredError

from tests.driver import Driver, session
from tests.ports import free_ports
from tests.redis_visitor import TOKEN, Renewed, begun, other, shell, token
from walletmodal.features.account.state import Eip155State
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.lost_sessions import LostSessionError, UnreadableStateError
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.services.redis_clients import open_redis

__all__ = ["begun", "other"]

pytestmark = pytest.mark.parametrize("manager", ["redis"], indirect=True)

HOUR = 3600


async def keep(redis: Redis, seconds: int) -> None:
    """All states of the visitor's session are kept for so long from now on."""
    async for key in redis.scan_iter(f"{TOKEN}_*state*"):
        await redis.expire(key, seconds)


async def kept(redis: Redis) -> set[int]:
    """For how many seconds they are kept."""
    return {await redis.ttl(key) async for key in redis.scan_iter(f"{TOKEN}_*state*")}


async def test_an_event_keeps_all_of_its_session_for_another_hour(driver: Driver, manager: RedisStates) -> None:
    await driver.load(sessions={"eip155": session()})
    await keep(manager.redis, 60)
    # Ten minutes later.
    manager._renewed.clear()
    await driver.fire(ShellState.push("Networks"))
    assert min(await kept(manager.redis)) >= HOUR


async def test_an_event_at_another_worker_keeps_all_of_its_session_for_another_hour(
    manager: RedisStates, other: RedisStates
) -> None:
    async with manager.modify_state(token()) as root:
        (await shell(manager, root)).title = "Told"
    await keep(manager.redis, 60)
    async with other.modify_state(token(Eip155State)):
        pass
    assert min(await kept(manager.redis)) >= HOUR


async def test_the_root_is_kept_no_longer_than_any_other_state(driver: Driver, manager: RedisStates) -> None:
    await driver.load(sessions={"eip155": session()})
    await keep(manager.redis, HOUR + 60)
    await driver.fire(ShellState.push("AllWallets"))
    async with manager.modify_state(token(State)) as root:
        root.is_hydrated = not root.is_hydrated
    least = min(await kept(manager.redis))
    assert await manager.redis.ttl(token()._state_key(State)) <= least <= HOUR + 60


async def test_where_a_session_begins_what_is_left_of_one_before_goes(manager: RedisStates) -> None:
    left = token()._state_key(Eip155State)
    await manager.redis.set(left, b"of another life")
    await manager.redis.delete(token()._state_key(State))
    async with manager.modify_state(token(State)):
        pass
    assert not await manager.redis.exists(left)


async def test_where_a_session_cannot_begin_what_is_left_of_one_before_stays(manager: RedisStates) -> None:
    left = token()._state_key(Eip155State)
    await manager.redis.set(left, b"of another life")
    await manager.redis.delete(token()._state_key(State))
    with pytest.raises(ZeroDivisionError):
        async with manager.modify_state(token(State)):
            raise ZeroDivisionError
    assert await manager.redis.get(left) == b"of another life"


@pytest.mark.parametrize("event", [ShellState.push("Networks"), Eip155State.load_identity], ids=["plain", "background"])
async def test_where_redis_has_lost_a_session_its_page_opens_another_socket(
    driver: Driver, manager: RedisStates, event: Any
) -> None:
    manager.renew = renewed = Renewed()
    await driver.load()
    await manager.redis.flushall()
    with pytest.raises(LostSessionError):
        await driver.fire(event)
    assert (renewed, await manager.redis.keys(f"{driver.token}_*")) == ([driver.token], [])


async def test_where_redis_loses_a_session_in_the_middle_of_a_background_event_its_page_opens_another_socket(
    driver: Driver, manager: RedisStates, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager.renew = renewed = Renewed()
    await driver.load()
    entering = StateProxy.__aenter__

    async def lose_first(proxy: StateProxy) -> StateProxy:
        await manager.redis.flushall()
        return await entering(proxy)

    monkeypatch.setattr(StateProxy, "__aenter__", lose_first)
    with pytest.raises(LostSessionError):
        await driver.fire(Eip155State.load_identity)
    assert (set(renewed), await manager.redis.keys(f"{driver.token}_*")) == ({driver.token}, [])


async def test_a_session_whose_state_cannot_be_read_begins_anew(driver: Driver, manager: RedisStates) -> None:
    manager.renew = renewed = Renewed()
    await driver.load()
    await manager.redis.setrange(
        BaseStateToken(ident=driver.token, cls=State)._state_key(ShellState), 40, b"unreadable"
    )
    failed = await driver.forge(f"{ShellState.get_full_name()}.push", {"view": "Networks"})
    assert ([type(one) for one in failed], renewed) == ([UnreadableStateError], [driver.token])
    driver._arrived = False
    await driver.load()
    assert (await driver.state(ShellState)).initialized


async def test_where_redis_is_away_the_page_opens_another_socket(driver: Driver, manager: RedisStates) -> None:
    manager.renew = renewed = Renewed()
    await driver.load()
    there, manager.redis = manager.redis, open_redis(f"redis://127.0.0.1:{free_ports()}/0", patience=0.1)
    with pytest.raises(RedisConnectionError):
        await driver.fire(ShellState.push("Networks"))
    manager.redis = there
    assert renewed == [driver.token]


async def test_nothing_is_written_of_an_event_whose_session_ends_meanwhile(manager: RedisStates) -> None:
    async with manager.modify_state(token()):
        pass
    manager.renew = renewed = Renewed()

    async def too_late() -> None:
        async with manager.modify_state(token()) as root:
            (await shell(manager, root)).title = "Too late"
            await manager.redis.delete(token()._state_key(State))

    with pytest.raises(LockExpiredError):
        await too_late()
    assert renewed == [TOKEN]
    assert await manager.redis.keys(f"{TOKEN}_*state*") == []
    assert not await manager.redis.exists(manager._lock_key(token()))


async def test_a_state_of_another_version_begins_anew(manager: RedisStates) -> None:
    await manager.redis.set(token()._state_key(ShellState), b"no pickle")
    async with manager.modify_state(token()) as root:
        assert (await shell(manager, root)).title == ShellState.get_fields()["title"].default_value()
