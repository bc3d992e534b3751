"""The record of transactions on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.clock import Clock, MovableClock
from walletmodal.core.constants import PENDING_TRANSACTIONS_LIMIT
from walletmodal.core.errors.flow import NotRecordedError, TooManyPendingError
from walletmodal.core.errors.rpc import DuplicateIdError
from walletmodal.core.transfers.transaction_request import TransactionRequest, propose
from walletmodal.db.events import EventLog
from walletmodal.db.request_rows import row_of
from walletmodal.db.requests import ASKED_LIFETIME, REQUEST_LIFETIME, SENT_LIFETIME, RequestStore, owner_key
from walletmodal.db.tables import Request

SENDER, OTHER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
HASH = "0x" + "ab" * 32
CHAIN = "eip155:1"
PROPOSAL = propose(parse_chain_id(CHAIN), SENDER, "eth_sendTransaction", [{"to": OTHER, "value": hex(2**255)}])


@pytest.fixture
def store(engine: AsyncEngine, clock: MovableClock) -> RequestStore:
    return RequestStore(engine, clock=clock)


def entry(clock: Clock, request_id: str = "one", **changes: Any) -> TransactionRequest:
    """An entry as it is when the wallet is asked."""
    made = TransactionRequest(request_id, "me", "https://host.example", "send", PROPOSAL, clock.now(), clock.now())
    return replace(made, **changes)


async def fill(engine: AsyncEngine, entries: list[TransactionRequest]) -> None:
    """Writes many at once."""
    async with engine.begin() as connection:
        await connection.execute(insert(Request), [row_of(one) for one in entries])


async def listed(store: RequestStore, clock: MovableClock, owner: str = "me", address: str = SENDER) -> list[str]:
    since = clock.now() - timedelta(minutes=10)
    return [one.id for one in await store.of_account(owner, address, CHAIN, settled_after=since, limit=10)]


async def test_what_is_written_is_read_as_it_was(store: RequestStore, clock: MovableClock) -> None:
    whole = entry(
        clock,
        status="confirmed",
        proven=True,
        hash=HASH,
        nonce=2**62,
        height=2**40,
        altered=("Receiver: a instead of b", "Amount: 1 instead of 2"),
        reason="because",
        answered_at=clock.now(),
    )
    await store.ask(whole)
    assert await store.get("one") == whole


async def test_what_is_asked_again_is_one_entry_with_its_latest_proposal(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine
) -> None:
    await fill(engine, [entry(clock, f"other-{n}") for n in range(PENDING_TRANSACTIONS_LIMIT - 1)])
    await store.ask(entry(clock))
    clock.advance(5)
    again = entry(clock, proposal=PROPOSAL.model_copy(update={"anchor": "7"}), height=5)
    await store.ask(again)
    assert await store.get("one") == again


@pytest.mark.parametrize("change", [{"status": "sent", "hash": HASH}, {"reason": "it was away"}])
async def test_what_the_wallet_has_answered_is_not_asked_again(
    store: RequestStore, clock: MovableClock, change: dict[str, Any]
) -> None:
    await store.ask(entry(clock))
    answered = await store.change(entry(clock), answered_at=clock.now(), **change)
    with pytest.raises(NotRecordedError):
        await store.ask(entry(clock))
    assert await store.get("one") == answered


async def test_what_nobody_has_written_is_nothing(store: RequestStore) -> None:
    assert await store.get("nobody") is None


async def test_what_becomes_known_is_written(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock))
    clock.advance(5)
    changed = await store.change(entry(clock, changed_at=clock.now() - timedelta(seconds=5)), status="sent", hash=HASH)
    assert changed is not None
    assert (changed.status, changed.hash, changed.changed_at) == ("sent", HASH, clock.now())


async def test_what_somebody_else_has_changed_meanwhile_stays(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock))
    known = await store.get("one")
    assert known is not None
    await store.change(known, status="sent", hash=HASH)
    assert await store.change(known, status="unknown") is None
    assert (await store.get("one")) == replace(
        known, status="sent", hash=HASH, changed_at=known.changed_at + timedelta(milliseconds=1)
    )


async def test_the_hundredth_pending_one_is_refused_also_when_tabs_ask_at_once(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine
) -> None:
    statuses: Any = ["asked", "sent"]
    await fill(
        engine, [entry(clock, f"first-{n}", status=statuses[n % 2]) for n in range(PENDING_TRANSACTIONS_LIMIT - 2)]
    )
    asked = [store.ask(entry(clock, f"second-{number}")) for number in range(5)]
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    assert sorted(type(one).__name__ for one in outcomes) == ["NoneType"] * 2 + [TooManyPendingError.__name__] * 3


@pytest.mark.parametrize(
    "other",
    [{"owner": "somebody"}, {"status": "confirmed"}, {"status": "declined"}, {"status": "unknown"}],
    ids=["another-browser", "confirmed", "declined", "unknown"],
)
async def test_what_is_done_or_somebody_else_s_takes_no_place(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine, other: dict[str, Any]
) -> None:
    await fill(engine, [entry(clock, f"other-{n}", **other) for n in range(PENDING_TRANSACTIONS_LIMIT)])
    await store.ask(entry(clock))
    assert await store.get("one") is not None


@pytest.mark.parametrize(("status", "life"), [("asked", ASKED_LIFETIME), ("sent", SENT_LIFETIME)])
async def test_what_nobody_has_looked_at_for_long_takes_no_place(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine, status: Any, life: timedelta
) -> None:
    await fill(engine, [entry(clock, f"other-{n}", status=status) for n in range(PENDING_TRANSACTIONS_LIMIT)])
    clock.advance(life.total_seconds())
    await store.ask(entry(clock))
    assert await store.get("one") is not None


async def test_the_newest_come_first(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, "first"))
    clock.advance(1)
    await store.ask(entry(clock, "second"))
    assert await listed(store, clock) == ["second", "first"]


async def test_another_browser_sees_only_what_the_chain_has_shown(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, "asked"))
    await store.ask(entry(clock, "invented", status="sent", hash=HASH))
    await store.ask(entry(clock, "shown", status="sent", hash=HASH, proven=True))
    assert (await listed(store, clock, "somebody"), await listed(store, clock, "")) == (["shown"], ["shown"])


async def test_another_browser_takes_no_place_in_the_list(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, "own"))
    for number in range(12):
        clock.advance(1)
        await store.ask(
            entry(clock, f"copy-{number}", owner="somebody", status="confirmed", hash=HASH, proven=True),
        )
    clock.advance(1)
    await store.ask(entry(clock, "newest"))
    found = await listed(store, clock)
    assert [one for one in found if not one.startswith("copy")] == ["newest", "own"]
    assert len(found) == 3, "one transaction is one row, however often it was copied"


async def test_what_another_browser_names_is_not_taken(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, "named", owner="somebody", status="sent", hash=HASH))
    assert await store.hashes("me", SENDER, CHAIN) == frozenset()
    await store.ask(entry(clock, "shown", owner="somebody", status="sent", hash=HASH, proven=True))
    assert await store.hashes("me", SENDER, CHAIN) == {HASH}


async def test_who_has_no_secret_has_nothing_of_their_own(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, owner=""))
    assert (await listed(store, clock, ""), owner_key("")) == ([], "")


async def test_what_is_done_stays_for_a_while(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, status="confirmed", settled=True))
    clock.advance(599)
    assert await listed(store, clock) == ["one"]
    clock.advance(1)
    assert await listed(store, clock) == []


async def test_what_was_declined_is_not_listed(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, status="declined", settled=True))
    assert await listed(store, clock) == []


async def test_accounts_and_networks_are_kept_apart(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock))
    await store.ask(entry(clock, "elsewhere", proposal=PROPOSAL.model_copy(update={"chain": "eip155:137"})))
    assert (await listed(store, clock), await listed(store, clock, address=OTHER)) == (["one"], [])


async def test_those_who_got_something_are_known(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, "sent", status="sent", hash=HASH))
    never = PROPOSAL.model_copy(update={"receiver": SENDER})
    await store.ask(entry(clock, "asked", proposal=never))
    await store.ask(entry(clock, "altered", status="confirmed", proposal=never, altered=("Receiver: a instead of b",)))
    assert await store.receivers("me", SENDER, CHAIN) == (OTHER,)
    assert await store.receivers("somebody", SENDER, CHAIN) == ()


@pytest.mark.parametrize(
    "changes",
    [
        {"kind": "host", "status": "sent", "hash": HASH},
        {"status": "confirmed", "proven": True, "hash": HASH, "altered": ("Receiver: a instead of b",)},
    ],
    ids=["a host page that names a hash", "a wallet that paid somebody else"],
)
async def test_nobody_is_made_known_by(store: RequestStore, clock: MovableClock, changes: dict[str, Any]) -> None:
    await store.ask(entry(clock, **changes))
    assert await store.receivers("me", SENDER, CHAIN) == ()


async def test_whom_a_host_page_s_transaction_has_paid_is_known(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, kind="host", status="confirmed", hash=HASH, proven=True))
    assert await store.receivers("me", SENDER, CHAIN) == (OTHER,)


async def test_what_is_old_is_deleted(store: RequestStore, clock: MovableClock) -> None:
    await store.ask(entry(clock, "old"))
    clock.advance(REQUEST_LIFETIME.total_seconds() - 1)
    await store.ask(entry(clock, "new"))
    clock.advance(1)
    assert (await store.purge(), await store.get("old"), await listed(store, clock)) == (1, None, ["new"])


async def test_an_entry_of_another_shape_is_left_out(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine, caplog: pytest.LogCaptureFixture
) -> None:
    await store.ask(entry(clock))
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE requests SET proposal = '{}'"))
    assert await listed(store, clock) == []
    assert "another shape" in caplog.text


async def test_a_database_that_takes_nothing_is_told(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine
) -> None:
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE requests RENAME TO kept"))
    with pytest.raises(NotRecordedError):
        await store.ask(entry(clock))
    async with engine.begin() as connection:
        await connection.execute(text("ALTER TABLE kept RENAME TO requests"))


async def test_two_calls_of_a_page_have_no_id_in_common_once_one_is_signed(
    store: RequestStore, clock: MovableClock
) -> None:
    mine = {"calls_id": "order-7", "origin": "https://app.example"}
    await store.ask(entry(clock, "one", **mine))
    await store.ask(entry(clock, "two", **mine))
    signed = await store.get("one")
    assert signed is not None
    await store.change(signed, bundle=HASH, entry_point="0xep", status="sent")
    await store.ask(entry(clock, "three", **{**mine, "origin": "https://other.example"}))
    with pytest.raises(DuplicateIdError):
        await store.ask(entry(clock, "four", owner="another browser", **mine))
    other = await store.get("two")
    assert other is not None
    with pytest.raises(DuplicateIdError):
        await store.change(other, bundle=HASH, entry_point="0xep", status="sent")


async def test_operators_see_what_has_changed_last(store: RequestStore, clock: MovableClock) -> None:
    for request_id in ("one", "two", "three"):
        await store.ask(entry(clock, request_id))
        clock.advance(1)
    first = await store.get("one")
    assert first
    await store.change(first, status="declined", settled=True)
    assert [one.id for one in await store.latest(limit=2)] == ["one", "three"]
    clock.advance(1)
    await store.ask(entry(clock, "four"))
    third = await store.get("three")
    assert third
    assert [one.id for one in await store.changed_since(third.changed_at)] == ["three", "one", "four"]


async def taken(store: RequestStore, clock: MovableClock, **lost: Any) -> str:
    """One request has found a transaction when the wallet names it for another one; the first one's hash afterwards."""
    await store.ask(entry(clock, "lost", **lost))
    clock.advance(1)
    await store.ask(entry(clock, "named"))
    found = await store.get("lost")
    assert found is not None
    assert await store.change(found, found=True, status="confirmed", hash=HASH) is not None
    known = await store.get("named")
    assert known is not None
    await store.change(known, status="sent", hash=HASH, answered_at=clock.now())
    after = await store.get("lost")
    assert after is not None
    return after.hash


async def test_a_transaction_goes_to_the_request_for_which_the_wallet_names_it(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine
) -> None:
    assert await taken(store, clock) == ""
    events = [event.type for event in await EventLog(engine, clock=clock).after(0)]
    assert events[-3:] == ["transaction.confirmed", "transaction.reorganised", "transaction.sent"]


async def test_another_browsers_word_takes_no_transaction_away(store: RequestStore, clock: MovableClock) -> None:
    assert await taken(store, clock, owner="somebody else") == HASH


@pytest.mark.parametrize(
    ("owner", "proven", "is_taken"), [("me", False, True), ("other", True, True), ("other", False, False)]
)
async def test_what_is_found_is_nothing_that_another_request_has(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine, owner: str, *, proven: bool, is_taken: bool
) -> None:
    await fill(engine, [entry(clock, "other", owner=owner, proven=proven, status="sent", hash=HASH)])
    await store.ask(entry(clock))
    found = await store.change(entry(clock), found=True, status="confirmed", hash=HASH)
    assert (found is None) == is_taken


async def test_of_two_requests_that_find_a_transaction_at_once_one_has_it(
    store: RequestStore, clock: MovableClock
) -> None:
    asked = [entry(clock, name) for name in ("one", "two")]
    for one in asked:
        await store.ask(one)
    found = await asyncio.gather(*(store.change(one, found=True, status="confirmed", hash=HASH) for one in asked))
    assert [one is None for one in found].count(True) == 1


async def test_a_change_that_came_too_late_takes_nothing_from_another_request(
    store: RequestStore, clock: MovableClock, engine: AsyncEngine
) -> None:
    await fill(engine, [entry(clock, "lost", status="confirmed", hash=HASH)])
    await store.ask(entry(clock))
    await store.change(entry(clock), height=5)
    assert await store.change(entry(clock), status="sent", hash=HASH, answered_at=clock.now()) is None
    lost = await store.get("lost")
    assert lost is not None
    assert lost.hash == HASH
