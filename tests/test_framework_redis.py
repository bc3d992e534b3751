"""What Reflex does that our states in Redis rely on, or take the place of."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import Redis
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken

from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

# What is abstract in its base class looks abstract to mypy.
_REDIS: Any = StateManagerRedis


async def test_each_state_that_a_handler_asks_for_is_read_by_itself(redis_url: str) -> None:
    client = Redis.from_url(redis_url)
    manager = _REDIS(redis=client)
    token = BaseStateToken(ident="visitor", cls=ShellState)
    async with manager.modify_state(token) as root:
        await client.config_resetstat()
        for state in (BridgeState, ToastState):
            await manager.get_state(token.with_cls(state), for_state_instance=root)
        told: Any = await client.info("commandstats")
    await manager.close()
    assert told["cmdstat_mget"]["calls"] == 2


def test_the_frameworks_schema_has_public_variables_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ShellState._to_schema()
    ShellState._to_schema.cache_clear()
    monkeypatch.delitem(ShellState.__fields__, "_stack")
    assert ShellState._to_schema() == before
