"""Sessions whose pages go from one worker to another, which both know of by way of Redis.

Why: Reflex takes a page that opens a socket at another server for a second tab as long as its first socket is open. And a server that ends knows
of no other how fast pages get there.
Test: `test_a_session_that_was_released_is_taken_over_by_another_worker`, `tests/test_framework_redis.py`.
Dropped when: Reflex hands sessions over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from redis.exceptions import RedisError
from reflex.utils.token_manager import RedisTokenManager, SocketRecord, TokenManager

RELEASE_SECONDS: Final = 1.0
"""For which Redis is waited for when a session is released: its page goes all the same."""
ARRIVE_SECONDS: Final = 15
"""After which a page that was told to go counts as there: it may be closed."""
_MOVING: Final = "walletmodal:moving:"

_log: Final = logging.getLogger(__name__)


async def release_token(tokens: TokenManager, token: str) -> None:
    """Forget which socket a token has, while what is said on that socket still counts for the token."""
    socket = tokens.token_to_socket.get(token)
    if socket is None or socket.instance_id != tokens.instance_id:
        return
    # First: a record that is gone from Redis while it is here is written again. And nobody's meanwhile: who tells the page something would
    # read the one that is still there, and have the page told by its old socket.
    nobodys = tokens.token_to_socket[token] = SocketRecord(instance_id="", sid="")
    try:
        if isinstance(tokens, RedisTokenManager):
            async with asyncio.timeout(RELEASE_SECONDS):
                _, released = await asyncio.gather(
                    tokens.redis.set(_MOVING + token, b"1", ex=ARRIVE_SECONDS),
                    tokens.redis.delete(tokens._get_redis_key(token)),
                    return_exceptions=True,
                )
            if isinstance(released, BaseException):
                raise released
    except (RedisError, OSError) as error:
        _log.warning("a session could not be released: its page begins anew from its resume record: %r", error)
    finally:
        if tokens.token_to_socket.get(token) is nobodys:
            del tokens.token_to_socket[token]


async def note_arrival(tokens: TokenManager, token: str) -> None:
    """A page has all of its state."""
    if isinstance(tokens, RedisTokenManager):
        # It is forgotten by itself, too.
        with suppress(RedisError, OSError):
            async with asyncio.timeout(RELEASE_SECONDS):
                await tokens.redis.unlink(_MOVING + token)


async def still_moving(tokens: TokenManager, moved: Collection[str]) -> set[str]:
    """Those of the tokens that were released, and whose pages have no state elsewhere yet; all of them where nobody knows."""
    if not isinstance(tokens, RedisTokenManager):
        return set()
    try:
        async with asyncio.timeout(RELEASE_SECONDS):
            found = await asyncio.gather(*(tokens.redis.exists(_MOVING + token) for token in moved))
    except (RedisError, OSError):
        return {*moved}
    return {token for token, exists in zip(moved, found, strict=True) if exists}
