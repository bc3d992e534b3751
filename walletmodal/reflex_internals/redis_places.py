"""Places of the events that ask Redis for their states: few at a time at each of its servers, so that those who wait for one that hangs hold up nobody else.

Why: of a crowd that comes back at once Reflex has each ask for its state, until Redis and the worker's memory are full of those who wait.
Test: `test_each_state_that_a_handler_asks_for_is_read_by_itself`, `tests/test_redis_places.py`.
Dropped when: `redis_states` is.
"""

from __future__ import annotations

import asyncio
from typing import Final

from redis.asyncio import Redis

from walletmodal.services.redis_cluster import Address, ClusterClient

AT_ONCE: Final = 16
"""Locks that are taken at once: fewer than a client's commands (`redis_clients.AT_ONCE`), so that one is given back without waiting for others."""


class Places:
    """Those of a worker.

    Args:
        redis: where the states are.
    """

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._rooms: dict[Address | None, asyncio.Semaphore] = {}

    @property
    def are_taken(self) -> bool:
        """Whether as many ask a server as may at once."""
        return any(room.locked() for room in self._rooms.values())

    def room(self, key: bytes) -> asyncio.Semaphore:
        """For those who ask for what lies beside a key."""
        primary = self._redis.primary_of(key) if isinstance(self._redis, ClusterClient) else None
        return self._rooms.setdefault(primary, asyncio.Semaphore(AT_ONCE))
