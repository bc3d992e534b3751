"""Scripts of one server, asked of another that was built otherwise."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest_asyncio
from redis.asyncio import Redis
from starlette.responses import PlainTextResponse

from tests.services_fixtures import redis_server, redis_url
from walletmodal.web.shared_scripts import KEPT_SECONDS, PREFIX, SharedScripts, put_scripts

__all__ = ["redis_server", "redis_url"]


@pytest_asyncio.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    async with Redis.from_url(redis_url) as found:
        yield found


def folder(path: Path, **files: str) -> Path:
    path.mkdir()
    for name, content in files.items():
        (path / name.replace("_", ".")).write_text(content)
    return path


def asked(redis: Redis, own: Path) -> httpx.AsyncClient:
    shared = SharedScripts(PlainTextResponse("of this server"), redis=redis, folder=own)
    return httpx.AsyncClient(transport=httpx.ASGITransport(shared), base_url="http://modal")


async def test_a_script_of_another_release_comes_from_the_server_that_has_it(redis: Redis, tmp_path: Path) -> None:
    await put_scripts(redis, folder(tmp_path / "other", new_js="new", new_css="css", new_js_gz="packed"))
    async with asked(redis, folder(tmp_path / "own", old_js="old")) as client:
        script, style = await client.get("/assets/new.js"), await client.get("/assets/new.css")
        plain = await client.get("/assets/new.js", headers={"Accept-Encoding": "identity"})
    assert (script.text, script.headers["content-encoding"], plain.text) == ("new", "gzip", "new")
    assert [one.headers["content-type"].partition(";")[0] for one in (script, style)] == ["text/javascript", "text/css"]


async def test_what_this_server_has_or_nobody_has_is_its_own_answer(redis: Redis, tmp_path: Path) -> None:
    await put_scripts(redis, folder(tmp_path / "other", old_js="of another"))
    async with asked(redis, folder(tmp_path / "own", old_js="old")) as client:
        for path in ("/assets/old.js", "/assets/none.js", "/assets/../old.js", "/assets/old.html", "/"):
            assert (await client.get(path)).text == "of this server"


async def test_scripts_stay_as_long_as_a_server_has_them(redis: Redis, tmp_path: Path) -> None:
    own = folder(tmp_path / "own", old_js="old")
    await put_scripts(redis, own)
    await redis.expire(f"{PREFIX}old.js", 1)
    await put_scripts(redis, own)
    assert await redis.ttl(f"{PREFIX}old.js") > KEPT_SECONDS - 60
