"""A database that hangs: what waits for it gives up, and says so."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from datetime import timedelta
from typing import Final

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.test_requests import CHAIN, HASH, SENDER, entry
from tests.patience import patience
from tests.silent_server import silent
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.flow import NotRecordedError
from walletmodal.db.engine import DatabaseTimeoutError, close_engine, open_engine, unit_of_work
from walletmodal.db.migrations import upgrade
from walletmodal.db.requests import RequestStore
from walletmodal.db.resume import ResumeStore

WORK_SECONDS: Final = 1.5
SECRET: Final = "0123456789abcdef0123456789abcdef"

Work = Callable[[RequestStore, ResumeStore, MovableClock], Awaitable[object]]
WORKS: Final[dict[str, Work]] = {
    "get": lambda requests, _resume, _clock: requests.get("one"),
    "change": lambda requests, _resume, clock: requests.change(entry(clock), status="sent", hash=HASH),
    "of_account": lambda requests, _resume, clock: requests.of_account(
        "me", SENDER, CHAIN, settled_after=clock.now() - timedelta(minutes=1), limit=10
    ),
    "hashes": lambda requests, _resume, _clock: requests.hashes("me", SENDER, CHAIN),
    "receivers": lambda requests, _resume, _clock: requests.receivers("me", SENDER, CHAIN),
    "load": lambda _requests, resume, _clock: resume.load(SECRET),
    "flush": lambda _requests, resume, _clock: flushed(resume),
}


async def flushed(resume: ResumeStore) -> None:
    resume.put(SECRET, {"a": 1})
    await resume.flush(SECRET)


@pytest.fixture(scope="module")
def migrated_url(request: pytest.FixtureRequest) -> str:
    """URL of a PostgreSQL database that has the tables."""
    url: str = request.getfixturevalue("postgres_server").create_database()
    upgrade(url)
    return url


@pytest_asyncio.fixture
async def engine(migrated_url: str) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(migrated_url, work_seconds=WORK_SECONDS)
    async with engine.begin() as connection:
        await connection.execute(text("DELETE FROM requests"))
    yield engine
    await engine.dispose()


@asynccontextmanager
async def locked(url: str) -> AsyncIterator[None]:
    """Another connection holds both tables."""
    other = open_engine(url, work_seconds=None)
    try:
        async with other.begin() as connection:
            await connection.execute(text("LOCK TABLE requests, resume IN ACCESS EXCLUSIVE MODE"))
            yield
    finally:
        await other.dispose()


async def test_a_held_lock_means_that_nothing_is_on_record(
    migrated_url: str, engine: AsyncEngine, clock: MovableClock
) -> None:
    store = RequestStore(engine, clock=clock)
    async with patience(), locked(migrated_url):
        with pytest.raises(NotRecordedError):
            await store.ask(entry(clock))
    assert await store.get("one") is None
    await store.ask(entry(clock, "two"))
    assert await store.get("two") is not None


@pytest.mark.parametrize("name", WORKS)
async def test_nothing_waits_for_a_held_lock_without_an_end(
    migrated_url: str, engine: AsyncEngine, clock: MovableClock, name: str
) -> None:
    resume = ResumeStore(engine, clock=clock, flush_seconds=3600)
    async with patience(), locked(migrated_url):
        with pytest.raises((SQLAlchemyError, OSError)):
            await WORKS[name](RequestStore(engine, clock=clock), resume, clock)
    await resume.close()


async def test_a_server_that_says_nothing_means_that_nothing_is_on_record(clock: MovableClock) -> None:
    async with patience(), silent() as place:
        engine = open_engine(f"postgresql://somebody@{place}/nothing", work_seconds=WORK_SECONDS)
        with pytest.raises(NotRecordedError):
            await RequestStore(engine, clock=clock).ask(entry(clock))
        await engine.dispose()


async def test_those_who_wait_for_each_other_give_up_together(clock: MovableClock) -> None:
    """Each would otherwise wait for all before it, with its visitor's state in its hands."""
    async with patience(), silent() as place:
        engine = open_engine(f"postgresql://somebody@{place}/nothing", work_seconds=WORK_SECONDS)
        resume = ResumeStore(engine, clock=clock, flush_seconds=3600)
        started = asyncio.get_running_loop().time()
        names = [f"{number:032}" for number in range(20)]
        for name in names:
            resume.put(name, {"a": 1})
        told = await asyncio.gather(*(resume.flush(name) for name in names), return_exceptions=True)
        assert all(isinstance(one, OSError) for one in told)
        assert asyncio.get_running_loop().time() - started < len(names) * WORK_SECONDS
        await resume.close()
        await engine.dispose()


async def backend(engine: AsyncEngine) -> int:
    """The server's process that serves the pool's only connection."""
    async with unit_of_work(engine) as connection:
        found: int = (await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one()
    return found


@contextmanager
def stopped(process: int) -> Iterator[None]:
    """A process of the server does nothing: the network is well, and no answer comes."""
    os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGCONT)


async def test_a_server_that_falls_silent_is_given_up(engine: AsyncEngine, clock: MovableClock) -> None:
    store = RequestStore(engine, clock=clock)
    with stopped(await backend(engine)):
        async with patience():
            with pytest.raises(NotRecordedError) as caught:
                await store.ask(entry(clock))
        assert isinstance(caught.value.__cause__, DatabaseTimeoutError)
        assert await store.get("one") is None


async def work_that_stalls(engine: AsyncEngine, process: int) -> None:
    """The server falls silent between two statements."""
    async with unit_of_work(engine) as connection:
        await connection.execute(text("SELECT 1"))
        with stopped(process):
            await connection.execute(text("SELECT 1"))


async def test_a_server_that_falls_silent_in_the_middle_is_given_up(engine: AsyncEngine) -> None:
    process = await backend(engine)
    async with patience():
        with pytest.raises(DatabaseTimeoutError):
            await work_that_stalls(engine, process)


async def test_a_process_can_end_while_the_server_is_silent(engine: AsyncEngine) -> None:
    with stopped(await backend(engine)):
        async with patience():
            await close_engine(engine)


async def test_what_takes_long_by_its_nature_has_longer(engine: AsyncEngine) -> None:
    async with unit_of_work(engine, seconds=30) as connection:
        await connection.execute(text("SELECT pg_sleep(:seconds)"), {"seconds": WORK_SECONDS})


async def test_migrations_take_as_long_as_they_like(migrated_url: str) -> None:
    engine = open_engine(migrated_url, work_seconds=None)
    async with unit_of_work(engine) as connection:
        limits = [
            (await connection.execute(text(f"SHOW {name}_timeout"))).scalar_one() for name in ("lock", "statement")
        ]
    assert limits == ["0", "0"]
    await engine.dispose()
