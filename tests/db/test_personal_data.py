"""What is kept about an account: given out and erased, on SQLite and PostgreSQL; no table is forgotten."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
import pytest_asyncio
from sqlalchemy import select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.db.account_samples import MINE, OTHERS, asked, fill, put
from tests.db.sign_in_samples import ADDRESS, ORIGIN, OTHER_ADDRESS
from walletmodal.core.clock import MovableClock
from walletmodal.core.requests.audit import AuditEntry
from walletmodal.db.audit import AuditStore
from walletmodal.db.engine import unit_of_work
from walletmodal.db.personal_data import ERASURE_KEPT, NOBODYS, PERSONAL, PersonalDataStore
from walletmodal.db.requests import RequestStore
from walletmodal.db.resume import ResumeStore
from walletmodal.db.sponsorships import SponsorshipStore
from walletmodal.db.tables import TABLES, LoggedEvent


@pytest_asyncio.fixture
async def store(engine: AsyncEngine, clock: MovableClock) -> PersonalDataStore:
    """Of a database with the accounts of two visitors."""
    for account, resume_id in ((ADDRESS, MINE), (OTHER_ADDRESS, OTHERS)):
        await fill(engine, clock, account)
        await put(engine, clock, resume_id, account)
    return PersonalDataStore(engine, clock=clock, secret="a-secret-of-the-deployment")


async def mentions(engine: AsyncEngine, account: str) -> set[str]:
    """The tables of all that are there in which an address is found, in whatever spelling."""
    found = set()
    async with engine.connect() as connection:
        for kind in (*(kind.table for kind in PERSONAL), *NOBODYS):
            rows = [tuple(row) for row in await connection.execute(select(kind.__table__))]
            if account.removeprefix("0x").lower() in repr(rows).lower():
                found.add(kind.__tablename__)
    return found


def test_every_table_is_somebodys_or_nobodys() -> None:
    known = [kind.name for kind in PERSONAL] + [table.__tablename__ for table in NOBODYS]
    assert sorted(known) == sorted(TABLES)


async def test_every_table_of_somebody_is_filled_here(engine: AsyncEngine, store: PersonalDataStore) -> None:
    assert await mentions(engine, ADDRESS) == {kind.name for kind in PERSONAL}


async def test_what_is_erased_is_in_no_column_of_no_table(engine: AsyncEngine, store: PersonalDataStore) -> None:
    counted = await store.count(ADDRESS)
    assert await store.erase(ADDRESS) == counted
    assert await mentions(engine, ADDRESS) == set()
    assert await mentions(engine, OTHER_ADDRESS) == {kind.name for kind in PERSONAL}


async def test_audit_and_limits_stay_without_the_account(
    engine: AsyncEngine, store: PersonalDataStore, clock: MovableClock
) -> None:
    sponsorships = SponsorshipStore(engine, clock=clock)
    before = await sponsorships.totals()
    await store.erase(ADDRESS)
    assert await sponsorships.totals() == before
    decided = await AuditStore(engine, clock=clock).latest()
    assert [(one.outcome, one.method, one.origin) for one in decided] == [("denied", "eth_sign", ORIGIN)] * 2


async def test_a_session_that_goes_on_does_not_write_it_back(
    engine: AsyncEngine, store: PersonalDataStore, clock: MovableClock
) -> None:
    await store.erase(ADDRESS)
    await put(engine, clock, MINE, ADDRESS)
    assert await mentions(engine, ADDRESS) == set()
    resume = ResumeStore(engine, clock=clock)
    assert await resume.load(MINE) is None
    # However many records came after it.
    await ResumeStore(engine, clock=clock, most=0).purge_expired()
    await put(engine, clock, MINE, ADDRESS)
    assert await mentions(engine, ADDRESS) == set()
    clock.advance(ERASURE_KEPT.total_seconds())
    assert await resume.purge_expired() == 1


async def test_a_decision_that_was_not_written_yet_is_written_without_the_account(
    engine: AsyncEngine, store: PersonalDataStore, clock: MovableClock
) -> None:
    audit = AuditStore(engine, clock=clock, secret="a-secret-of-the-deployment")
    audit.note(AuditEntry(clock.now(), "refused", "eth_call", ORIGIN, "eip155:1", ADDRESS, summary=ADDRESS))
    await store.erase(ADDRESS)
    await audit.flush()
    assert await mentions(engine, ADDRESS) == set()
    clock.advance(61)
    audit.note(AuditEntry(clock.now(), "refused", "eth_call", ORIGIN, "eip155:1", ADDRESS))
    await audit.close()
    assert [one.account for one in await audit.latest()][:2] == [ADDRESS, ""]


async def test_what_others_need_yet_is_kept_and_told(
    engine: AsyncEngine, store: PersonalDataStore, clock: MovableClock
) -> None:
    record = RequestStore(engine, clock=clock)
    await record.ask(asked("open", OTHER_ADDRESS, {"to": ADDRESS, "value": "0x1"}, clock))
    done = await store.erase(ADDRESS)
    assert done["requests"] == {"removed": 1, "kept": 1}
    assert await mentions(engine, ADDRESS) == {"requests"}
    open_one = await record.get("open")
    assert open_one is not None
    await record.change(open_one, settled=True)
    assert (await store.erase(ADDRESS))["requests"]["removed"] == 1
    assert await mentions(engine, ADDRESS) == set()


async def test_what_others_have_typed_is_erased_and_not_given_out(
    engine: AsyncEngine, store: PersonalDataStore, clock: MovableClock
) -> None:
    await put(engine, clock, OTHERS, OTHER_ADDRESS, typed=ADDRESS)
    assert len((await store.export(ADDRESS))["resume"]) == 1
    await store.erase(ADDRESS)
    assert await mentions(engine, ADDRESS) == set()


async def test_an_export_has_all_of_it_and_no_hash_of_a_secret(store: PersonalDataStore) -> None:
    found = await store.export(ADDRESS)
    assert {name for name, rows in found.items() if rows} == {kind.name for kind in PERSONAL}
    assert found["sign_ins"][0]["issued_at"] == "2026-01-01T00:00:00.000Z"
    assert found["resume"][0]["record"]["accounts"]["eip155"]["address"] == ADDRESS
    assert OTHER_ADDRESS not in json.dumps(found)
    assert not {"holder", "owner", "browser", "line"} & {name for rows in found.values() for name in rows[0]}


async def test_a_damaged_row_is_given_out_as_it_stands(engine: AsyncEngine, store: PersonalDataStore) -> None:
    async with unit_of_work(engine) as connection:
        await connection.execute(update(LoggedEvent).values(data="{"))
    assert {row["data"] for row in (await store.export(ADDRESS))["events"]} == {"{"}


async def test_many_rows_are_erased_a_few_at_a_time(
    engine: AsyncEngine, store: PersonalDataStore, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("walletmodal.db.personal_data._WINDOW", 2)
    audit = AuditStore(engine, clock=clock)
    for number in range(7):
        audit.note(AuditEntry(clock.now(), "denied", "eth_sign", ORIGIN, "eip155:1", ADDRESS, str(number)))
    await audit.close()
    assert (await store.erase(ADDRESS))["decisions"]["anonymised"] == 8
    assert await mentions(engine, ADDRESS) == set()


async def test_what_was_erased_is_forgotten_after_a_day(store: PersonalDataStore, clock: MovableClock) -> None:
    await store.erase(ADDRESS)
    clock.advance((ERASURE_KEPT - timedelta(seconds=1)).total_seconds())
    assert await store.purge() == 0
    clock.advance(1)
    assert await store.purge() == 1
