"""Cached, joined lookups: on both caches by the same tests."""

import asyncio

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.services.caches import Advance
from tests.services.caches import advance as advance
from tests.services.caches import cache as cache
from tests.services.caches import cache_and_advance as cache_and_advance
from tests.services.node import Behaviour
from tests.services.outside import CALLER, Outside, counted, gives, held, refuses, way
from walletmodal.core.errors import ShapeError
from walletmodal.core.errors.services import ServiceError
from walletmodal.services.cache import Cache, MemoryCache
from walletmodal.services.http import Received
from walletmodal.services.lookups import Lookups, lookup_key


def number(raw: object) -> int:
    """What the answers of these tests are parsed with."""
    if not isinstance(raw, dict) or not isinstance(raw.get("n"), int):
        raise ShapeError("n: must be a number")
    return int(raw["n"])


class Asker:
    """Asks a service on loopback that answers each request with its own number."""

    def __init__(self, client: httpx.AsyncClient, outside: Outside, cache: Cache) -> None:
        outside.answers["/n"] = counted(lambda n: gives({"n": n}))
        self.outside, self.lookups, self._http = outside, Lookups(cache), way(client, outside)

    async def fetch(self) -> Received:
        return await self._http.get(CALLER, "/n")

    async def get(self, key: str = "key", *, fresh: bool = False) -> int:
        return await self.lookups.get(key, 30, self.fetch, number, fresh=fresh)


async def test_an_answer_is_kept_for_its_time(client: httpx.AsyncClient, cache: Cache, advance: Advance) -> None:
    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        assert await asker.get() == 0
        await advance(25)
        assert await asker.get() == 0
        await advance(5)
        assert await asker.get() == 1


async def test_a_fresh_answer_takes_the_place_of_the_kept_one(client: httpx.AsyncClient, cache: Cache) -> None:
    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        assert [await asker.get(), await asker.get(fresh=True), await asker.get()] == [0, 1, 1]


async def test_equal_lookups_at_once_are_one(client: httpx.AsyncClient, cache: Cache) -> None:
    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        assert await asyncio.gather(*(asker.get() for _ in range(50))) == [0] * 50
        assert len(outside.asked) == 1


async def test_what_fails_for_one_visitor_does_not_fail_for_those_who_joined(
    client: httpx.AsyncClient, cache: Cache
) -> None:
    """A service may refuse an account, and a visitor may have asked too much."""
    began, refused = asyncio.Event(), asyncio.Event()

    async def refuse() -> Received:
        began.set()
        await refused.wait()
        raise ServiceError("blockchain", status=403)

    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        first = asyncio.create_task(asker.lookups.get("key", 30, refuse, number))
        await began.wait()
        others = [asyncio.create_task(asker.get()) for _ in range(20)]
        done, _ = await asyncio.wait(others, timeout=0.05)
        assert not done, "they wait for the first one's answer"
        refused.set()
        with pytest.raises(ServiceError):
            await first
        assert await asyncio.gather(*others) == [0] * 20
        assert len(outside.asked) == 1


async def test_keys_are_kept_apart(client: httpx.AsyncClient, cache: Cache) -> None:
    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        assert [await asker.get("a"), await asker.get("b"), await asker.get("a")] == [0, 1, 0]


@pytest.mark.parametrize("bad", [refuses(503), gives({"n": "x"}), gives([])], ids=["status", "field", "shape"])
async def test_an_error_is_never_kept(client: httpx.AsyncClient, cache: Cache, bad: Behaviour) -> None:
    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        outside.answers["/n"] = bad
        with pytest.raises(ServiceError):
            await asker.get()
        outside.answers["/n"] = gives({"n": 7})
        assert await asker.get() == 7


async def test_a_failed_refresh_leaves_what_was_kept(client: httpx.AsyncClient, cache: Cache) -> None:
    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        await asker.get()
        outside.answers["/n"] = refuses(503)
        with pytest.raises(ServiceError):
            await asker.get(fresh=True)
        assert await asker.get() == 0


async def test_what_began_before_a_fresh_answer_does_not_replace_it(client: httpx.AsyncClient, cache: Cache) -> None:
    gate = asyncio.Event()
    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        outside.answers["/n"] = held(gate, gives({"n": 1}))
        old = asyncio.create_task(asker.get())
        await outside.arrived()
        outside.answers["/n"] = gives({"n": 2})
        assert await asker.get(fresh=True) == 2
        gate.set()
        assert (await old, await asker.get()) == (1, 2)


async def test_what_was_forgotten_is_asked_for_again(client: httpx.AsyncClient, cache: Cache) -> None:
    async with Outside().running() as outside:
        asker = Asker(client, outside, cache)
        assert await asker.get() == 0
        await asker.lookups.forget("key")
        assert await asker.get() == 1


async def test_workers_share_a_cache(client: httpx.AsyncClient, cache: Cache) -> None:
    async with Outside().running() as outside:
        assert await Asker(client, outside, cache).get() == 0
        assert await Asker(client, outside, cache).get() == 0
        assert len(outside.asked) == 1


async def test_what_another_version_wrote_is_asked_for_again(client: httpx.AsyncClient, cache: Cache) -> None:
    async with Outside().running() as outside:
        for text in ("not JSON", '{"n": "x"}', "\ufffd"):
            await cache.set("key", text, 30)
            asker = Asker(client, outside, cache)
            assert isinstance(await asker.get(), int)
            await cache.delete("key")
        assert len(outside.asked) == 3


async def test_a_kept_answer_is_read_once(client: httpx.AsyncClient) -> None:
    read: list[object] = []

    def parse(raw: object) -> int:
        read.append(raw)
        return number(raw)

    async with Outside().running() as outside:
        asker = Asker(client, outside, MemoryCache())
        for _ in range(10):
            await asker.lookups.get("key", 30, asker.fetch, parse)
    assert len(read) == 1


async def test_what_is_kept_as_read_is_bounded(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("walletmodal.services.lookups.MAX_READ", 3)
    monkeypatch.setattr("walletmodal.services.lookups.MAX_READ_CHARACTERS", 30)
    async with Outside().running() as outside:
        asker = Asker(client, outside, MemoryCache())
        for n in range(10):
            await asker.get(str(n))
        assert list(asker.lookups._read) == ["7", "8", "9"]


@given(st.lists(st.text() | st.integers() | st.none()), st.lists(st.text() | st.integers() | st.none()))
def test_a_key_is_short_and_says_all_its_parts(one: list[object], other: list[object]) -> None:
    first, second = lookup_key("identity", *one), lookup_key("identity", *other)
    assert (first == second) == (one == other)
    assert len(first) < 60
    assert first.isascii()
