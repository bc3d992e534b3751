"""Scripts and styles of the releases beside this one: a page of one server asks another for what only the first was built with.

Their names have hashes of their content, so whoever has one has the right one. Each server puts its own into Redis, `walletmodal:script:<name>`,
and keeps them there; they are gone a day after the last server that has them.
"""

import asyncio
import gzip
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Final, cast

from redis.asyncio import Redis
from redis.exceptions import RedisError
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

PREFIX: Final = "walletmodal:script:"
KEPT_SECONDS: Final = 24 * 3600
EVERY_SECONDS: Final = 3600.0

_PATH: Final = re.compile(r"/assets/([A-Za-z0-9_.-]{1,200}\.(js|css))")
_TYPES: Final = {"js": "text/javascript; charset=utf-8", "css": "text/css; charset=utf-8"}

logger = logging.getLogger(__name__)


class SharedScripts:
    """ASGI middleware that answers for scripts which this server was not built with, where another has put them into Redis.

    Args:
        app: what is behind, which has this server's own.
        redis: where they are.
        folder: of this server's own.
    """

    def __init__(self, app: ASGIApp, *, redis: Redis, folder: Path) -> None:
        self._app, self._redis, self._folder = app, redis, folder

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or pass on."""
        asked = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" and scope["method"] == "GET" else None
        found = None if asked is None or (self._folder / asked[1]).exists() else await self._packed(asked[1])
        if asked is None or found is None:
            await self._app(scope, receive, send)
            return
        headers = {"Vary": "Accept-Encoding"}
        if any(name == b"accept-encoding" and b"gzip" in value for name, value in scope["headers"]):
            headers["Content-Encoding"] = "gzip"
        else:
            found = gzip.decompress(found)
        await Response(found, headers=headers, media_type=_TYPES[asked[2]])(scope, receive, send)

    async def _packed(self, name: str) -> bytes | None:
        try:
            return cast("bytes | None", await self._redis.get(PREFIX + name))
        except RedisError:
            return None


async def put_scripts(redis: Redis, folder: Path) -> None:
    """Puts a server's scripts into Redis for a day from now, those that are not there yet.

    Raises:
        redis.exceptions.RedisError: Redis does not take them.
        OSError: they cannot be read.
    """
    for file in await asyncio.to_thread(_files, folder):
        # One at a time: nobody waits for it, and a large write would hold up the states.
        if _PATH.fullmatch(f"/assets/{file.name}") and not await redis.expire(PREFIX + file.name, KEPT_SECONDS):
            await redis.set(PREFIX + file.name, await asyncio.to_thread(_packed, file), ex=KEPT_SECONDS)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*"))


def _packed(file: Path) -> bytes:
    return gzip.compress(file.read_bytes(), mtime=0)


def keep_scripts(
    redis: Callable[[], Redis | None], folder: Callable[[], Path]
) -> Callable[[], AbstractAsyncContextManager[None]]:
    """A lifespan task that puts them there, and again every hour. `redis`: None where servers share none."""

    @asynccontextmanager
    async def keeping() -> AsyncIterator[None]:
        client = redis()
        task = None if client is None else asyncio.create_task(_keep(client, folder()), name="shared-scripts")
        try:
            yield
        finally:
            if client is not None and task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                await client.aclose()

    return keeping


async def _keep(redis: Redis, folder: Path) -> None:
    while True:
        try:
            await put_scripts(redis, folder)
        except (RedisError, OSError):
            logger.warning("the scripts of this server are not in Redis", exc_info=True)
        await asyncio.sleep(EVERY_SECONDS)
