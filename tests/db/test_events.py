"""The log of events on SQLite and PostgreSQL: written with what it tells of, read without gaps, delivered at least once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from tests.db.sign_in_samples import NOW as SIGNED_AT
from tests.db.sign_in_samples import ORIGIN, proven
from tests.db.test_requests import HASH, entry
from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInRefusedError
from walletmodal.core.requests.audit import AuditEntry
from walletmodal.core.webhooks.event import Event
from walletmodal.db.audit import AuditStore
from walletmodal.db.deliveries import HELD_FOR, WAITS_FOR, DeliveryStore
from walletmodal.db.engine import unit_of_work
from walletmodal.db.events import EVENT_LIFETIME, EventLog, write_events
from walletmodal.db.requests import RequestStore
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.tables import LoggedEvent


@pytest.fixture
def log(engine: AsyncEngine, clock: MovableClock) -> EventLog:
    return EventLog(engine, clock=clock)


@pytest.fixture
def deliveries(engine: AsyncEngine, clock: MovableClock) -> DeliveryStore:
    return DeliveryStore(engine, clock=clock)


async def happen(engine: AsyncEngine, clock: MovableClock, count: int = 1, *, told: bool = True) -> list[Event]:
    events = [Event(clock.now(), "sign_in.created", "0xA", {"account": "eip155:1:0xA"}, told) for _ in range(count)]
    async with unit_of_work(engine) as connection:
        await write_events(connection, events, clock.now())
    return events


async def types(log: EventLog) -> list[str]:
    return [event.type for event in await log.after(0)]


async def test_a_sign_in_is_told_with_its_record(engine: AsyncEngine, log: EventLog) -> None:
    store = SignInStore(engine, clock=MovableClock(SIGNED_AT))
    session = await store.add(proven("nonce0001"), "browser")
    again = await store.add(proven("nonce0002"), "browser")
    assert await store.sign_out("browser", ORIGIN) == 1
    assert await store.sign_out("browser", ORIGIN) == 0
    told = [(event.type, event.data["session"], event.data["account"]) for event in await log.after(0)]
    account = str(session.account)
    assert told == [
        ("sign_in.created", session.id, account),
        ("sign_in.ended", session.id, account),
        ("sign_in.created", again.id, account),
        ("sign_in.ended", again.id, account),
    ]


async def test_what_is_not_put_on_record_is_not_told(engine: AsyncEngine, log: EventLog) -> None:
    store = SignInStore(engine, clock=MovableClock(SIGNED_AT))
    await store.add(proven("nonce0001"), "browser")
    with pytest.raises(SignInRefusedError):
        await store.add(proven("nonce0001"), "another")
    assert await types(log) == ["sign_in.created"]


async def test_a_transaction_is_told_at_each_step_once(engine: AsyncEngine, log: EventLog, clock: MovableClock) -> None:
    store = RequestStore(engine, clock=clock)
    asked = entry(clock)
    await store.ask(asked)
    sent = await store.change(asked, status="sent", hash=HASH)
    assert sent is not None
    assert await store.change(asked, status="dropped") is None
    assert await store.change(sent, missed_at=clock.now()) is not None
    events = await log.after(0)
    assert [(event.type, event.data["hash"]) for event in events] == [
        ("transaction.asked", ""),
        ("transaction.sent", HASH),
    ]
    assert events[-1].at == sent.changed_at


async def test_decisions_are_told_as_they_are_put_down(engine: AsyncEngine, log: EventLog, clock: MovableClock) -> None:
    audit = AuditStore(engine, clock=clock)
    audit.note(AuditEntry(clock.now(), "allowed", "personal_sign", summary="a\0b" + "c" * 400))
    audit.note(AuditEntry(clock.now(), "limited", "personal_sign"))
    await audit.close()
    first, second = await log.after(0)
    assert (first.type, second.type) == ("request.accepted", "request.rejected")
    assert first.data["summary"] == "ab" + "c" * 297


async def test_who_reads_on_is_told_each_once_and_in_order(
    engine: AsyncEngine, log: EventLog, clock: MovableClock
) -> None:
    events = await happen(engine, clock, 3)
    first = await log.after(0, limit=2)
    rest = await log.after(first[-1].number)
    assert [event.id for event in [*first, *rest]] == [event.id for event in events]
    assert await log.after(rest[-1].number) == []


async def test_an_event_that_is_committed_after_a_later_one_is_not_skipped(
    engine: AsyncEngine, log: EventLog, clock: MovableClock
) -> None:
    """On SQLite a later one waits for the earlier one's commit; on PostgreSQL it waits neither for that nor for who reads."""
    names = ("slow", "fast", "later")
    slow, fast, later = (Event(clock.now(), "sign_in.created", "", {"account": name}) for name in names)
    written, may_commit = asyncio.Event(), asyncio.Event()

    async def write_slowly() -> None:
        async with unit_of_work(engine) as connection:
            await write_events(connection, [slow], clock.now())
            written.set()
            await may_commit.wait()

    async def write(event: Event) -> None:
        async with unit_of_work(engine) as connection:
            await write_events(connection, [event], clock.now())

    async with patience():
        slowly = asyncio.create_task(write_slowly())
        await written.wait()
        others = [asyncio.create_task(write(fast))]
        if engine.dialect.name == "postgresql":
            await others[0]
        reading = asyncio.create_task(log.after(0))
        await asyncio.wait({reading}, timeout=0.05)
        others.append(asyncio.create_task(write(later)))
        if engine.dialect.name == "postgresql":
            await others[1]
            assert not reading.done()
        may_commit.set()
        await asyncio.gather(slowly, *others)
        seen = await reading
        seen += await log.after(seen[-1].number if seen else 0)
    assert seen[0].id == slow.id
    assert {event.id for event in seen} == {slow.id, fast.id, later.id}


async def test_only_what_happened_since_a_moment(engine: AsyncEngine, log: EventLog, clock: MovableClock) -> None:
    await happen(engine, clock)
    clock.advance(60)
    (later,) = await happen(engine, clock)
    assert [event.id for event in await log.after(0, since=clock.now())] == [later.id]


async def test_events_are_kept_for_a_time_and_their_numbers_are_not_given_again(
    engine: AsyncEngine, log: EventLog, clock: MovableClock
) -> None:
    await happen(engine, clock, 2)
    (_, last) = await log.after(0)
    clock.advance(EVENT_LIFETIME.total_seconds())
    assert (await log.purge(), await log.last()) == (2, last.number)
    await happen(engine, clock)
    assert [event.number > last.number for event in await log.after(0)] == [True]


async def test_of_too_many_events_the_last_are_kept_and_that_is_said(
    engine: AsyncEngine, clock: MovableClock, caplog: pytest.LogCaptureFixture
) -> None:
    log = EventLog(engine, clock=clock, max_events=2)
    await happen(engine, clock, 2)
    clock.advance(EVENT_LIFETIME.total_seconds())
    events = await happen(engine, clock, 5)
    assert await log.purge() == 5
    # Those whose time was over are no loss.
    assert [record.getMessage() for record in caplog.records] == [
        "3 rows of events were deleted before their time: AUDIT_ROWS says how many are kept"
    ]
    assert [event.id for event in await log.after(0)] == [event.id for event in events[-2:]]


@pytest.mark.parametrize("written", [{"data": "{"}, {"data": "[]"}, {"at": 2**62}])
async def test_an_event_that_cannot_be_read_holds_up_no_other(
    engine: AsyncEngine, log: EventLog, deliveries: DeliveryStore, clock: MovableClock, written: dict[str, object]
) -> None:
    broken, whole = await happen(engine, clock, 2)
    async with unit_of_work(engine) as connection:
        await connection.execute(update(LoggedEvent).where(col(LoggedEvent.id) == broken.id).values(written))
    assert [one.event.id for one in await deliveries.take(9)] == [whole.id]
    assert [(one.event.id, one.error) for one in await deliveries.list_failed()] == [
        (broken.id, "the event cannot be read")
    ]
    assert [(event.id, event.data) for event in await log.after(0)][:1] == [(broken.id, {"unreadable": True})]


async def test_an_event_is_taken_by_one_and_is_free_again_when_that_one_dies(
    engine: AsyncEngine, deliveries: DeliveryStore, clock: MovableClock
) -> None:
    await happen(engine, clock, 3)
    taken = await asyncio.gather(*(deliveries.take(2) for _ in range(3)))
    ids = [one.event.id for some in taken for one in some]
    assert len(ids) == len(set(ids)) == 3
    assert await deliveries.take(9) == []
    clock.advance(HELD_FOR.total_seconds())
    assert [one.tries for one in await deliveries.take(9)] == [2, 2, 2]


async def test_what_is_delivered_is_not_taken_again(
    engine: AsyncEngine, deliveries: DeliveryStore, clock: MovableClock
) -> None:
    await happen(engine, clock)
    await happen(engine, clock, told=False)
    (taken,) = await deliveries.take(9)
    await deliveries.delivered(taken.event)
    clock.advance(HELD_FOR.total_seconds())
    assert await deliveries.take(9) == []
    counts = await deliveries.count()
    assert (counts.waiting, counts.failed, counts.oldest) == (0, 0, None)


async def test_what_has_failed_waits_until_its_time(
    engine: AsyncEngine, deliveries: DeliveryStore, clock: MovableClock
) -> None:
    (event,) = await happen(engine, clock)
    (taken,) = await deliveries.take(1)
    await deliveries.failed(taken.event, "no\0pe", clock.now() + timedelta(seconds=5))
    assert (await deliveries.count()).oldest == event.at
    assert await deliveries.take(1) == []
    clock.advance(5)
    assert [(one.tries, one.error) for one in await deliveries.take(1)] == [(2, "nope")]


async def test_what_was_given_up_is_listed_counted_and_tried_again_when_somebody_says_so(
    engine: AsyncEngine, deliveries: DeliveryStore, clock: MovableClock
) -> None:
    await happen(engine, clock, 2)
    for one in await deliveries.take(2):
        await deliveries.failed(one.event, "status 500", None)
    assert [one.error for one in await deliveries.list_failed()] == ["status 500"] * 2
    assert ((await deliveries.count()).waiting, (await deliveries.count()).failed) == (0, 2)
    assert await deliveries.retry() == 2
    assert [(one.tries, one.error) for one in await deliveries.take(2)] == [(1, ""), (1, "")]


async def test_a_delivered_event_is_delivered_again_by_its_id(
    engine: AsyncEngine, deliveries: DeliveryStore, clock: MovableClock
) -> None:
    first, _ = await happen(engine, clock, 2)
    for one in await deliveries.take(2):
        await deliveries.delivered(one.event)
    assert await deliveries.retry([first.id, "msg_unknown"]) == 1
    assert [replace(one.event, number=0) for one in await deliveries.take(2)] == [first]


async def test_what_nobody_has_taken_for_long_has_failed_or_was_for_nobody(
    engine: AsyncEngine, deliveries: DeliveryStore, clock: MovableClock
) -> None:
    await happen(engine, clock)
    clock.advance(WAITS_FOR.total_seconds())
    await happen(engine, clock)
    assert ((await deliveries.count()).waiting, (await deliveries.count()).failed) == (1, 1)
    assert await deliveries.skip_old() == 1
    assert len(await deliveries.take(9)) == 1
