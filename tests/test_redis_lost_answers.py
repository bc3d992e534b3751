"""An event counts, once, whose answer of Redis was lost on the way."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.lossy_relay import LossyRelay, lossy_relay
from tests.patience import PATIENCE, patience
from tests.redis_visitor import REDIS_STATES, begun, other, shell, token
from tests.services_fixtures import RedisServer
from walletmodal.reflex_internals.redis_states import RedisStates
from walletmodal.services.redis_clients import open_redis

__all__ = ["begun", "other"]

pytestmark = pytest.mark.parametrize("manager", ["redis"], indirect=True)


@pytest_asyncio.fixture
async def lossy(redis_server: RedisServer) -> AsyncIterator[LossyRelay]:
    async with lossy_relay(redis_server.port) as relay:
        yield relay


@pytest_asyncio.fixture
async def far(lossy: LossyRelay, manager: RedisStates) -> AsyncIterator[RedisStates]:
    """A worker's whose way to Redis loses answers."""
    found = REDIS_STATES(redis=open_redis(f"redis://127.0.0.1:{lossy.port}/0", patience=PATIENCE))
    yield found
    await found.close()


@pytest.mark.parametrize("step", ["'MGET'", "'DEL'"], ids=["taking", "finishing"])
async def test_an_event_counts_whose_answer_was_lost(far: RedisStates, lossy: LossyRelay, step: str) -> None:
    lossy.lose_answer_to(step.encode())
    async with patience(), far.modify_state(token()) as root:
        (await shell(far, root)).title = "Written once"
    async with far.modify_state(token()) as root:
        assert ((await shell(far, root)).title, lossy.lost) == ("Written once", 1)


async def test_a_lock_that_was_waited_for_counts_whose_answer_was_lost(
    far: RedisStates, lossy: LossyRelay, manager: RedisStates
) -> None:
    lock = manager._lock_key(token())
    await manager.redis.set(lock, b"another", px=100)
    lossy.lose_answer_to(b"\r\nSET\r\n")
    async with patience(), far.modify_state(token()):
        assert lossy.lost == 1


async def test_what_somebody_else_did_meanwhile_leaves_a_finished_event_finished(
    far: RedisStates, lossy: LossyRelay, other: RedisStates
) -> None:
    async def retitle_after() -> None:
        async with other.modify_state(token()) as root:
            (await shell(other, root)).title += ", twice"

    async with patience(), asyncio.TaskGroup() as both, far.modify_state(token()) as root:
        both.create_task(retitle_after())
        lossy.lose_answer_to(b"'DEL'")
        (await shell(far, root)).title = "Written"
    async with other.modify_state(token()) as root:
        assert (await shell(other, root)).title == "Written, twice"
