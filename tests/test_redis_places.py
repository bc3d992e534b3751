"""Of a worker's events few at a time ask Redis for their states, and the others not for ever."""

from __future__ import annotations

import asyncio

import pytest
from redis.exceptions import TimeoutError as RedisTimeoutError
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from tests.patience import PATIENCE, eventually, patience
from walletmodal.reflex_internals import redis_places, redis_states
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.services.redis_clients import AT_ONCE

pytestmark = pytest.mark.parametrize("manager", ["redis"], indirect=True)

VISITORS = tuple(f"visitor-{number}" for number in range(100))


class Visits:
    """Events that hold the locks of their visitors until it is over."""

    def __init__(self, manager: RedisStates) -> None:
        self._manager = manager
        self.holding, self.over = list[str](), asyncio.Event()

    async def hold(self, visitor: str) -> None:
        """One of them."""
        async with self._manager.modify_state(BaseStateToken(ident=visitor, cls=State)):
            self.holding.append(visitor)
            await self.over.wait()


async def test_who_takes_locks_waits_for_others_and_who_gives_one_back_does_not(manager: RedisStates) -> None:
    visits = Visits(manager)
    async with patience(), asyncio.TaskGroup() as events:
        events.create_task(visits.hold("first"))
        await eventually(lambda: visits.holding)
        await manager.redis.client_pause(round(PATIENCE * 1000), all=False)
        waiting = [events.create_task(visits.hold(one)) for one in VISITORS]
        await eventually(lambda: manager.is_busy)
        visits.over.set()
        await manager.redis.client_unpause()
        await asyncio.gather(*waiting)
    told = await manager.redis.info("clients")
    assert (manager.is_busy, int(told["connected_clients"]) < AT_ONCE) == (False, True)


async def test_who_finds_no_place_in_time_is_told(manager: RedisStates, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_states, "CROWD", 0.05)
    visits = Visits(manager)
    visits.over.set()
    await manager.redis.client_pause(round(PATIENCE * 1000), all=False)
    events = [asyncio.create_task(visits.hold(one)) for one in VISITORS]
    await eventually(lambda: sum(one.done() for one in events) == len(VISITORS) - redis_places.AT_ONCE)
    await manager.redis.client_unpause()
    async with patience():
        failed = filter(None, await asyncio.gather(*events, return_exceptions=True))
    assert {type(one) for one in failed} == {RedisTimeoutError}
