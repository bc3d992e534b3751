"""The resume store on SQLite and PostgreSQL."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import cast

import pytest
import pytest_asyncio
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import QueuePool

from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import RecordError
from walletmodal.db.engine import open_engine
from walletmodal.db.migrations import upgrade
from walletmodal.db.resume import MAX_RECORD_BYTES, ResumeStore, resume_key

SECRET = "0123456789abcdef0123456789abcdef"
OTHER = "fedcba9876543210fedcba9876543210"


@pytest_asyncio.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    upgrade(database_url)
    engine = open_engine(database_url)
    yield engine
    await engine.dispose()


@pytest_asyncio.fixture
async def store(engine: AsyncEngine, clock: MovableClock) -> AsyncIterator[ResumeStore]:
    store = ResumeStore(engine, clock=clock)
    yield store
    await store.close()


async def rows(engine: AsyncEngine) -> dict[str, str]:
    async with engine.connect() as connection:
        return {row.id: row.record for row in await connection.execute(text("SELECT id, record FROM resume"))}


async def until_written(store: ResumeStore) -> None:
    async with patience():
        while store.pending:
            await asyncio.sleep(0.005)


async def test_an_unknown_id_has_no_record(store: ResumeStore) -> None:
    assert await store.load(SECRET) is None


async def test_a_record_is_seen_before_it_is_written(store: ResumeStore) -> None:
    store.put(SECRET, {"a": 1})
    assert await store.load(SECRET) == {"a": 1}


async def test_a_record_is_written_by_itself(store: ResumeStore, engine: AsyncEngine) -> None:
    store.put(SECRET, {"a": "ü\u2028"})
    await until_written(store)
    assert await ResumeStore(engine, clock=MovableClock()).load(SECRET) == {"a": "ü\u2028"}


async def test_flush_makes_a_record_durable_at_once(engine: AsyncEngine, clock: MovableClock) -> None:
    store = ResumeStore(engine, clock=clock, flush_seconds=3600)
    store.put(SECRET, {"a": 1})
    store.put(OTHER, {"b": 1})
    await store.flush(SECRET)
    assert list(await rows(engine)) == [resume_key(SECRET)]
    await store.close()


async def test_the_last_of_many_records_wins_and_all_go_in_one_transaction(engine: AsyncEngine) -> None:
    store = ResumeStore(engine)
    for number in range(500):
        store.put(SECRET, {"n": number})
        store.put(f"{number:032d}", {"n": number})
    await store.close()
    written = await rows(engine)
    assert (len(written), written[resume_key(SECRET)]) == (501, '{"n":499}')


async def test_the_secret_itself_is_not_in_the_table(store: ResumeStore, engine: AsyncEngine) -> None:
    store.put(SECRET, {})
    await store.flush(SECRET)
    assert SECRET not in "".join(await rows(engine))


async def test_close_writes_what_is_pending(engine: AsyncEngine) -> None:
    store = ResumeStore(engine, flush_seconds=3600)
    store.put(SECRET, {"a": 1})
    await store.close()
    assert await rows(engine) == {resume_key(SECRET): '{"a":1}'}


async def test_what_is_to_be_written_at_once_waits_for_nothing(engine: AsyncEngine) -> None:
    store, elsewhere = ResumeStore(engine, flush_seconds=3600), ResumeStore(engine)
    store.put(SECRET, {"a": 1})
    await store.write_at_once()
    assert await elsewhere.load(SECRET) == {"a": 1}
    store.put(SECRET, {"a": 2})
    await until_written(store)
    assert await elsewhere.load(SECRET) == {"a": 2}


async def test_what_a_database_did_not_take_at_once_is_tried_again(engine: AsyncEngine) -> None:
    store = ResumeStore(engine, flush_seconds=3600)
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE resume RENAME TO away"))
    store.put(SECRET, {"a": 1})
    await store.write_at_once()
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE away RENAME TO resume"))
    await until_written(store)
    assert await rows(engine) == {resume_key(SECRET): '{"a":1}'}


async def test_an_expired_record_is_not_loaded(engine: AsyncEngine, clock: MovableClock) -> None:
    store = ResumeStore(engine, clock=clock, lifetime=timedelta(seconds=60))
    store.put(SECRET, {"a": 1})
    await store.flush(SECRET)
    clock.advance(61)
    assert await store.load(SECRET) is None


async def test_purge_deletes_only_what_has_expired(engine: AsyncEngine, clock: MovableClock) -> None:
    store = ResumeStore(engine, clock=clock, lifetime=timedelta(seconds=60))
    store.put(SECRET, {"a": 1})
    await store.flush(SECRET)
    clock.advance(30)
    store.put(OTHER, {"b": 1})
    await store.flush(OTHER)
    clock.advance(31)
    assert (await store.purge_expired(), list(await rows(engine))) == (1, [resume_key(OTHER)])


async def test_of_too_many_records_the_oldest_go(engine: AsyncEngine, clock: MovableClock) -> None:
    store = ResumeStore(engine, clock=clock, most=2)
    ids = [letter * 32 for letter in "abcd"]
    for resume_id in ids:
        store.put(resume_id, {"a": 1})
        await store.flush(resume_id)
        clock.advance(1)
    await store.purge_expired()
    assert set(await rows(engine)) == {resume_key(resume_id) for resume_id in ids[2:]}


async def test_no_more_records_wait_than_fit(engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("walletmodal.db.resume.MAX_PENDING", 1)
    store = ResumeStore(engine, flush_seconds=3600)
    store.put(SECRET, {"a": 1})
    store.put(SECRET, {"a": 2})
    with pytest.raises(RecordError):
        store.put(OTHER, {"a": 1})
    await store.close()


async def test_a_new_record_renews_the_expiry(engine: AsyncEngine, clock: MovableClock) -> None:
    store = ResumeStore(engine, clock=clock, lifetime=timedelta(seconds=60))
    for _ in range(3):
        store.put(SECRET, {"a": 1})
        await store.flush(SECRET)
        clock.advance(59)
    assert await store.load(SECRET) == {"a": 1}


async def test_a_failed_transaction_is_counted_logged_and_tried_again(
    store: ResumeStore, engine: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE resume RENAME TO away"))
    with caplog.at_level(logging.WARNING):
        store.put(SECRET, {"a": 1})
        async with patience():
            while not store.failures:
                await asyncio.sleep(0.005)
    assert "writing 1 resume records failed" in caplog.text
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE away RENAME TO resume"))
    await until_written(store)
    assert await rows(engine) == {resume_key(SECRET): '{"a":1}'}


async def test_flush_says_that_it_failed_and_keeps_the_record(engine: AsyncEngine, clock: MovableClock) -> None:
    store = ResumeStore(engine, clock=clock, flush_seconds=3600)
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE resume RENAME TO away"))
    store.put(SECRET, {"a": 1})
    with pytest.raises(SQLAlchemyError):
        await store.flush(SECRET)
    assert store.pending == 1
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE away RENAME TO resume"))
    await store.close()
    assert store.lost == 0


async def test_what_cannot_be_written_at_the_end_is_counted_as_lost(
    engine: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    store = ResumeStore(engine)
    async with engine.begin() as connection:
        await connection.execute(text("DROP TABLE resume"))
    store.put(SECRET, {"a": 1})
    await store.close()
    assert store.lost == 1
    assert "1 resume records were lost" in caplog.text


async def test_a_closed_store_takes_nothing(engine: AsyncEngine) -> None:
    store = ResumeStore(engine)
    await store.close()
    with pytest.raises(RuntimeError, match="closed"):
        store.put(SECRET, {})


async def test_two_stores_write_the_same_ids_without_waiting_for_each_other_forever(engine: AsyncEngine) -> None:
    stores = [ResumeStore(engine), ResumeStore(engine)]
    ids = [f"{number:032d}" for number in range(150)]
    for store, order in zip(stores, (ids, ids[::-1]), strict=True):
        for resume_id in order:
            store.put(resume_id, {"a": 1})
    async with patience():
        await asyncio.gather(*(store.close() for store in stores))
    assert [store.lost for store in stores] == [0, 0]


async def test_a_record_that_is_too_large_is_refused(store: ResumeStore) -> None:
    with pytest.raises(RecordError, match="too large"):
        store.put(SECRET, {"a": "x" * MAX_RECORD_BYTES})


@pytest.mark.parametrize("record", [{"a": object()}, {"a": float("nan")}], ids=["object", "nan"])
async def test_a_record_that_is_not_json_is_refused(store: ResumeStore, record: dict[str, object]) -> None:
    with pytest.raises(RecordError, match="not JSON"):
        store.put(SECRET, record)


@pytest.mark.parametrize("resume_id", ["", "short", "x" * 129, "0123456789abcde\n", "ü" * 20])
async def test_an_id_of_the_wrong_form_is_refused(store: ResumeStore, resume_id: str) -> None:
    with pytest.raises(RecordError, match="Invalid resume id"):
        await store.load(resume_id)


async def test_a_broken_record_counts_as_none(
    store: ResumeStore, engine: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    async with engine.begin() as connection:
        await connection.execute(
            text("INSERT INTO resume VALUES (:id, '{', 0, 9000000000000)"), {"id": resume_key(SECRET)}
        )
    assert await store.load(SECRET) is None
    assert "not JSON" in caplog.text


async def test_what_is_being_written_at_the_end_is_not_cut_off(engine: AsyncEngine) -> None:
    store = ResumeStore(engine, flush_seconds=0)
    for number in range(2_000):
        store.put(f"{number:032d}", {"a": "x" * 1_000})
    async with patience():
        while not cast("QueuePool", engine.pool).checkedout():
            await asyncio.sleep(0)
        await store.close()
    assert (store.failures, store.lost, len(await rows(engine))) == (0, 0, 2_000)
