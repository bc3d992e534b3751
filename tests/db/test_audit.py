"""The audit: written behind, bounded whatever is asked, kept for a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import get_args
from unittest.mock import AsyncMock, Mock

import pytest
import pytest_asyncio
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlmodel import col

from walletmodal.core.clock import MovableClock
from walletmodal.core.requests.audit import AuditEntry, Outcome
from walletmodal.db.audit import MAX_KINDS, MAX_PENDING, MAX_SINGLE, WINDOW, AuditStore
from walletmodal.db.engine import open_engine, unit_of_work
from walletmodal.db.events import EventLog
from walletmodal.db.tables import Decision


@pytest_asyncio.fixture
async def store(engine: AsyncEngine, clock: MovableClock) -> AsyncIterator[AuditStore]:
    found = AuditStore(engine, clock=clock)
    yield found
    await found.close()


def entry(clock: MovableClock, outcome: Outcome = "allowed", method: str = "personal_sign", **more: str) -> AuditEntry:
    return AuditEntry(at=clock.now(), outcome=outcome, method=method, **more)  # type: ignore[arg-type]  # texts only


@pytest.mark.parametrize("outcome", get_args(Outcome))
async def test_a_decision_is_found_as_it_was_noted(store: AuditStore, clock: MovableClock, outcome: Outcome) -> None:
    facts = {
        "origin": "https://a.example",
        "chain": "eip155:1",
        "account": "0xA",
        "reason": "because",
        "summary": "to 0xB value 1",
        "digest": "d" * 64,
        "request_id": "r1",
    }
    store.note(entry(clock, outcome, **facts))
    await store.flush()
    (found,) = await store.latest()
    assert (found.outcome, found.method, found.at, found.count) == (outcome, "personal_sign", clock.now(), 1)
    assert {name: getattr(found, name) for name in facts} == facts


async def test_what_is_written_again_because_its_commit_was_not_heard_of_is_one_row_and_one_event(
    engine: AsyncEngine, store: AuditStore, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    @asynccontextmanager
    async def cut_off(*_: object) -> AsyncIterator[AsyncConnection]:
        async with unit_of_work(engine) as connection:
            yield connection
        raise ConnectionResetError

    store.note(entry(clock, method="first"))
    with monkeypatch.context() as broken:
        broken.setattr("walletmodal.db.audit.unit_of_work", cut_off)
        with pytest.raises(ConnectionResetError):
            await store.flush()
    store.note(entry(clock, method="second"))
    await store.flush()
    assert [one.method for one in await store.after(0)] == ["first", "second"]
    assert [one.data["method"] for one in await EventLog(engine, clock=clock).after(0)] == ["first", "second"]


async def test_a_decision_that_another_server_has_written_is_one_row_and_one_event(
    engine: AsyncEngine, store: AuditStore, clock: MovableClock
) -> None:
    other = AuditStore(engine, clock=clock)
    for one in (other, store, store):
        one.note(entry(clock, method="same", key="of one request"))
    await other.flush()
    store.note(entry(clock, method="another", key="of another"))
    await store.flush()
    await other.close()
    assert [one.method for one in await store.after(0)] == ["same", "another"]
    assert [one.data["method"] for one in await EventLog(engine, clock=clock).after(0)] == ["same", "another"]


async def test_what_two_servers_write_at_once_is_one_row(
    engine: AsyncEngine, store: AuditStore, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = AuditStore(engine, clock=clock)
    monkeypatch.setattr("walletmodal.db.audit.which_are_written", AsyncMock(return_value=set()))
    for one in (other, store):
        one.note(entry(clock, method="same", key="of one request"))
    await other.flush()
    with pytest.raises(SQLAlchemyError):
        await store.flush()
    monkeypatch.undo()
    await store.flush()
    await other.close()
    assert [one.method for one in await store.after(0)] == ["same"]


async def test_a_text_that_no_database_takes_holds_up_no_other(store: AuditStore, clock: MovableClock) -> None:
    store.note(entry(clock, method="\ud800\0x", reason="\udfff"))
    store.note(entry(clock))
    await store.flush()
    assert [(one.method, one.reason) for one in await store.after(0)] == [("?x", "?"), ("personal_sign", "")]


async def test_the_latest_come_first_and_can_be_chosen(store: AuditStore, clock: MovableClock) -> None:
    for account, origin in (("0xA", "https://a.example"), ("0xB", "https://b.example"), ("0xA", "https://b.example")):
        store.note(entry(clock, account=account, origin=origin))
    await store.flush()
    found = [(one.account, one.origin) for one in await store.latest(address="0xA")]
    assert found == [("0xA", "https://b.example"), ("0xA", "https://a.example")]
    assert len(await store.latest(origin="https://b.example", limit=1)) == 1


async def test_who_follows_gets_each_once_and_in_order(store: AuditStore, clock: MovableClock) -> None:
    for method in ("a", "b", "c"):
        store.note(entry(clock, method=method))
        await store.flush()
    first = (await store.after(0, limit=1))[0]
    assert [one.method for one in await store.after(first.number)] == ["b", "c"]


async def test_refusals_alike_are_one_row_after_the_first(store: AuditStore, clock: MovableClock) -> None:
    for _ in range(1000):
        store.note(entry(clock, "not_allowed", method="eth_sign", summary="s"))
        clock.advance(0.001)
    await store.flush()
    assert [(one.count, one.summary) for one in await store.after(0)] == [(1, "s"), (999, "")]


async def test_the_row_of_several_says_until_when(store: AuditStore, clock: MovableClock) -> None:
    for _ in range(3):
        store.note(entry(clock, "limited"))
        clock.advance(1.0)
    await store.flush()
    last = (await store.latest())[0]
    assert last.until is not None
    assert last.until - last.at == timedelta(seconds=1)


async def test_every_minute_begins_anew(store: AuditStore, clock: MovableClock) -> None:
    for _ in range(2):
        store.note(entry(clock, "limited"))
        clock.advance(WINDOW.total_seconds())
    await store.flush()
    assert [one.count for one in await store.after(0)] == [1, 1]


async def test_a_flood_of_decisions_fills_no_more_than_its_room(store: AuditStore, clock: MovableClock) -> None:
    for _ in range(MAX_SINGLE + 5_000):
        store.note(entry(clock))
    await store.flush()
    query = select(func.count(), func.sum(col(Decision.count)))
    async with store._engine.begin() as connection:
        rows, decisions = (await connection.execute(query)).one()
    assert (rows, decisions) == (MAX_SINGLE + 2, MAX_SINGLE + 5_000)


APPROVED = pytest.mark.parametrize(("outcome", "sent"), [("confirmed", ""), ("signed", ""), ("allowed", "r1")])


@APPROVED
async def test_in_a_flood_of_others_what_was_approved_has_rows_of_its_own(
    store: AuditStore, clock: MovableClock, outcome: Outcome, sent: str
) -> None:
    for number in range(MAX_SINGLE + MAX_KINDS + 1):
        store.note(entry(clock, "aborted", method=f"made_up_{number}"))
    for number in range(MAX_SINGLE + 1):
        store.note(entry(clock, outcome, account="0xA", digest=f"{number:064}", key=f"one {number}", request_id=sent))
    await store.flush()
    found = await store.latest(address="0xA")
    assert [(one.digest, one.count) for one in found[:2]] == [(f"{MAX_SINGLE:064}", 1), (f"{MAX_SINGLE - 1:064}", 1)]


async def test_a_flood_of_kinds_fills_no_more_than_its_room(store: AuditStore, clock: MovableClock) -> None:
    for number in range(5_000):
        store.note(entry(clock, "not_allowed", method=f"made_up_{number}"))
    await store.flush()
    found = await store.latest()
    assert (len(found), sum(one.count for one in found)) == (MAX_KINDS + 1, 5_000)


async def test_texts_are_cut_to_what_the_table_takes(store: AuditStore, clock: MovableClock) -> None:
    long = "x\0" * 1000
    store.note(
        entry(clock, method=long, origin=long, chain=long, account=long, reason=long, summary=long, request_id=long)
    )
    await store.flush()
    assert len((await store.latest())[0].summary) <= 300


async def test_what_is_old_is_deleted(store: AuditStore, clock: MovableClock) -> None:
    store.note(entry(clock, method="old"))
    await store.flush()
    clock.advance(timedelta(days=90).total_seconds())
    store.note(entry(clock, method="new"))
    await store.flush()
    assert (await store.purge(), [one.method for one in await store.latest()]) == (1, ["new"])


async def test_what_is_too_much_is_deleted(engine: AsyncEngine, clock: MovableClock) -> None:
    store = AuditStore(engine, clock=clock, max_rows=3)
    for number in range(5):
        store.note(entry(clock, method=str(number)))
    await store.flush()
    assert (await store.purge(), [one.method for one in await store.latest()]) == (2, ["4", "3", "2"])
    await store.close()


@pytest.mark.parametrize("outcome", ["allowed", "confirmed", "signed", "declined", "rejected"])
async def test_what_wallet_or_visitor_has_done_is_written_before_anything_comes_of_it(
    store: AuditStore, clock: MovableClock, outcome: Outcome
) -> None:
    """A worker that is killed then has lost nothing."""
    await store.save(entry(clock, outcome))
    assert [one.outcome for one in await store.latest()] == [outcome]


async def test_what_is_noted_is_written_at_the_end(engine: AsyncEngine, clock: MovableClock) -> None:
    store = AuditStore(engine, clock=clock)
    store.note(entry(clock))
    store.note(entry(clock, "limited"))
    store.note(entry(clock, "limited"))
    await store.close()
    assert [one.count for one in await store.latest()] == [1, 1, 1]


async def test_a_database_that_is_away_costs_no_memory_and_is_tried_again(clock: MovableClock) -> None:
    gone = open_engine("sqlite:///:memory:")
    store = AuditStore(gone, clock=clock)
    for _ in range(5):
        for _ in range(MAX_SINGLE):
            store.note(entry(clock))
        clock.advance(WINDOW.total_seconds())
    with pytest.raises(SQLAlchemyError):
        await store.flush()
    assert (len(store._rows), store.lost) == (MAX_PENDING, 5 * MAX_SINGLE - MAX_PENDING)
    await store.close()
    await gone.dispose()
    assert store.lost == 5 * MAX_SINGLE


async def test_of_those_who_wait_for_a_database_that_is_away_one_tries(
    store: AuditStore, clock: MovableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = Mock(side_effect=ConnectionRefusedError)
    with monkeypatch.context() as context:
        context.setattr("walletmodal.db.audit.unit_of_work", away)
        await asyncio.gather(*(store.save(entry(clock, "signed", key=f"one {number}")) for number in range(3)))
    away.assert_called_once()
    await store.flush()
    assert len(await store.latest()) == 3


@APPROVED
async def test_in_a_flood_of_others_what_was_approved_waits_for_a_database_that_is_away(
    engine: AsyncEngine,
    store: AuditStore,
    clock: MovableClock,
    monkeypatch: pytest.MonkeyPatch,
    outcome: Outcome,
    sent: str,
) -> None:
    with monkeypatch.context() as away:
        away.setattr("walletmodal.db.audit.unit_of_work", Mock(side_effect=ConnectionRefusedError))
        for _ in range(5):
            for number in range(MAX_SINGLE):
                store.note(entry(clock, "aborted", method=f"made_up_{number}"))
            clock.advance(WINDOW.total_seconds())
        lost = store.lost
        for number in range(MAX_SINGLE):
            store.note(entry(clock, outcome, account="0xA", key=f"one {number}", request_id=sent))
    await store.flush()
    async with engine.begin() as connection:
        rows = (await connection.execute(select(func.count()).where(col(Decision.address) == "0xA"))).scalar()
    assert (rows, lost > 0, store.lost) == (MAX_SINGLE, True, lost)
