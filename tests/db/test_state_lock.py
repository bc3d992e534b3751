"""A database that hangs costs a visitor time, and nothing that an event did."""

from __future__ import annotations

from typing import Any, Final

import pytest
import reflex as rx
from redis.asyncio import Redis
from reflex.istate.manager.redis import StateManagerRedis

from rxconfig import config
from tests.driver import Driver
from tests.patience import patience
from tests.services_fixtures import redis_server, redis_url
from tests.silent_server import silent
from walletmodal.core.clock import MovableClock
from walletmodal.db.engine import WORK_SECONDS, open_engine
from walletmodal.db.resume import ResumeStore

__all__ = ["redis_server", "redis_url"]

_MANAGER: Any = StateManagerRedis
WAITS: Final = 3
"""Of one event: a record to be read, one to be written before a wallet is asked, and one that follows it."""
QUICKER: Final = 8
"""All times of this test are shorter by this."""
SECRET: Final = "0123456789abcdef0123456789abcdef"


class HangingState(rx.State):
    done: int = 0

    @rx.event
    async def wait_and_go_on(self, url: str) -> None:
        engine = open_engine(url, work_seconds=WORK_SECONDS / QUICKER)
        store = ResumeStore(engine, clock=MovableClock())
        for _ in range(WAITS):
            with pytest.raises(OSError, match="not answered"):
                await store.load(SECRET)
        self.done += 1
        await engine.dispose()


async def test_what_an_event_did_beside_a_hanging_database_is_kept(redis_url: str) -> None:
    client = Redis.from_url(redis_url)
    lock_ms = config.redis_lock_expiration // QUICKER
    manager = _MANAGER(redis=client, lock_expiration=lock_ms, lock_warning_threshold=lock_ms - 1)
    visitor = Driver(manager)
    async with patience(), silent() as place, visitor.processor:
        await visitor.fire(HangingState.wait_and_go_on(f"postgresql://somebody@{place}/nothing"))
        assert (await visitor.state(HangingState)).done == 1
    await manager.close()
