"""A visitor whose session is in Redis, and the workers that share it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest_asyncio
from redis.asyncio import Redis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State
from reflex.utils.token_manager import SocketRecord

from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.redis_states import RedisStates

# Overloads of its base class, conditional on the Python version, look like abstract methods to mypy.
REDIS_STATES: Any = RedisStates
TOKEN = "visitor"
SOCKET = SocketRecord(instance_id="worker", sid="socket")
"""That its page has here."""


class Renewed(list[str]):
    """The tokens whose pages were to open another socket."""

    async def __call__(self, told: str) -> None:
        self.append(told)


def token(state: Any = ShellState) -> BaseStateToken:
    return BaseStateToken(ident=TOKEN, cls=state)


@pytest_asyncio.fixture(autouse=True)
async def begun(manager: RedisStates) -> None:
    """The visitor has a session."""
    async with manager.modify_state(token(State)):
        pass


@pytest_asyncio.fixture
async def other(redis_url: str, manager: RedisStates) -> AsyncIterator[RedisStates]:
    """Another worker's."""
    found = REDIS_STATES(redis=Redis.from_url(redis_url))
    yield found
    await found.close()


async def shell(manager: RedisStates, root: Any) -> ShellState:
    found: ShellState = await manager.get_state(token(), top_level=False, for_state_instance=root)
    return found
