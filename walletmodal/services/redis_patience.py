"""Waiting for a primary: commands that are tried again, and subscriptions that go on.

redis-py's own retries know only the server that a command was first sent to, and for each attempt of a command there is one for its connection.
Here a connection is tried once, and the command as a whole again, on whatever server is the primary by then. So what a command does must be
the same when it is done twice: its answer may have been lost.
Who waits for others that ask waits no longer than they do.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final

from redis.asyncio import ConnectionPool
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    ClusterDownError,
    MaxConnectionsError,
    MovedError,
    ReadOnlyError,
    ResponseError,
    TryAgainError,
)
from redis.exceptions import (
    ConnectionError as RedisConnectionError,
)
from redis.exceptions import (
    TimeoutError as RedisTimeoutError,
)

PATIENT: Final = 15.0
"""Seconds for what a visitor waits for: longer than Sentinels take, and less than a lock holds (20 s, `reflex_config.py`)."""
CROWD: Final = 60.0
"""Seconds for a worker's events that wait for one another: longer than a crowd takes that comes back at once, for Redis may be away for ever."""
_FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 0.5
SILENCE: Final = 5
"""Seconds after which a server that tells of nothing is asked whether it is there."""
_CLOSED: Final = "the handler is closed"


def listening() -> dict[str, Any]:
    """What connections of subscriptions have beside those of commands: they are made anew by themselves."""
    return {
        "retry": Retry(ConstantBackoff(LONGEST_PAUSE), round(PATIENT / LONGEST_PAUSE)),
        "health_check_interval": SILENCE,
    }


class Subscriptions(PubSub):
    """Subscriptions on a primary that may freeze: what is silent is asked whether it is there."""

    async def _execute(self, conn: Any, command: Callable[..., Awaitable[Any]], *args: Any, **options: Any) -> Any:
        async def attempt(*asked: Any, **how: Any) -> Any:
            with lost():
                return await command(*asked, **how)

        return await super()._execute(conn, attempt, *args, **options)  # type: ignore[no-untyped-call]  # of redis-py

    async def check_health(self) -> None:
        """As redis-py does it."""
        with lost():
            await super().check_health()  # type: ignore[no-untyped-call]  # of redis-py

    async def listen(self) -> AsyncIterator[Any]:
        """As redis-py does it."""
        silent = 0
        while self.subscribed:
            message = await self.get_message(timeout=SILENCE)
            connection: Any = self.connection
            now = asyncio.get_running_loop().time()
            # Its next check is as long after what was heard last.
            silent = silent + 1 if now > connection.next_health_check else 0
            if message is not None:
                yield message
            elif silent > 1:
                silent = 0
                # Over TLS a server that hangs, which takes no leave, would be waited for.
                await connection.disconnect(nowait=True)
                await connection.connect()


async def close_idle(pool: ConnectionPool) -> None:
    """Close the connections that wait for use. Over TLS a server that hangs, which takes no leave, would be waited for."""
    for one in list(pool._available_connections):  # noqa: SLF001 - redis-py's own way waits
        await one.disconnect(nowait=True)


@contextmanager
def lost() -> Iterator[None]:
    """Has a connection that dies as something is written fail as any other that is lost: uvloop has another word for it.

    Raises:
        RedisConnectionError: it has died.
    """
    try:
        yield
    except RuntimeError as error:
        if _CLOSED not in str(error):
            raise
        raise RedisConnectionError("the connection was closed as something was written") from error


@asynccontextmanager
async def place(room: asyncio.Semaphore, seconds: float) -> AsyncIterator[None]:
    """A place among those that ask at once.

    Args:
        room: for how many.
        seconds: after which it is no use any more.

    Raises:
        RedisTimeoutError: there was none in time.
    """
    try:
        # A timer takes longer than all else here.
        async with asyncio.timeout(seconds if room.locked() else None):
            await room.acquire()
    except TimeoutError as error:
        raise RedisTimeoutError("too many others ask it") from error
    try:
        yield
    finally:
        room.release()


async def patiently(do: Callable[[], Awaitable[Any]], seconds: float, failed: Callable[[], Awaitable[None]]) -> Any:
    """What something comes to that is tried again.

    Args:
        do: one attempt.
        seconds: after which no other begins.
        failed: called before each other one.
    """
    clock = asyncio.get_running_loop().time
    ends, pause = clock() + seconds, _FIRST_PAUSE
    while True:
        try:
            return await do()
        except Exception as error:
            # Not all at once, where thousands wait.
            wait = random.uniform(0, pause)  # noqa: S311 - nothing depends on that nobody knows it
            if not _passes(error) or clock() + wait >= ends:
                raise
            if not isinstance(error, MaxConnectionsError):
                await failed()
        await asyncio.sleep(wait)
        pause = min(2 * pause, LONGEST_PAUSE)


def _passes(error: Exception) -> bool:
    """Whether it may be over soon: a server is away or starts, is no primary any more, or misses its replicas; a key has moved, or is moving."""
    if isinstance(error, AuthenticationError | AuthorizationError):
        return False
    if isinstance(error, ResponseError) and str(error).startswith(("NOREPLICAS", "MASTERDOWN")):
        return True
    return isinstance(
        error,
        RedisConnectionError | RedisTimeoutError | ReadOnlyError | ClusterDownError | MovedError | TryAgainError,
    )
