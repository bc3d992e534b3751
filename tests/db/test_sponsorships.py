"""What the operator has paid for, on SQLite and PostgreSQL: capped for each visitor and for all, whatever a visitor does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.operations import SponsorshipError
from walletmodal.core.smart_accounts.sponsorship import LINE_SHARE, WINDOW, Beneficiary, Spent, SponsorLimits
from walletmodal.db.engine import open_engine
from walletmodal.db.sponsorships import SponsorshipStore

GWEI = 10**9
DAY = 86_400
LIMITS = SponsorLimits(visitor=100 * GWEI, everybody=10_000 * GWEI)
ME = Beneficiary("eip155:1", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "browser", "203.0.113.7")
SOMEBODY = Beneficiary("eip155:1", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "other", "198.51.100.9")


@pytest.fixture
def store(engine: AsyncEngine, clock: MovableClock) -> SponsorshipStore:
    return SponsorshipStore(engine, secret="of the deployment", clock=clock)


async def promised(store: SponsorshipStore, whose: Beneficiary, gwei: int, nonce: int = 0) -> bool:
    try:
        await store.promise(nonce, whose, gwei * GWEI, LIMITS)
    except SponsorshipError:
        return False
    return True


async def test_what_is_promised_counts_for_the_visitor_and_for_all(store: SponsorshipStore) -> None:
    await promised(store, ME, 40)
    await promised(store, SOMEBODY, 7)
    assert await store.spent(ME) == Spent(visitor=40 * GWEI, everybody=47 * GWEI)


async def test_a_visitor_has_so_much_in_a_day_and_no_more(store: SponsorshipStore) -> None:
    assert [await promised(store, ME, 40, nonce) for nonce in range(4)] == [True, True, False, False]
    assert await promised(store, ME, 20, nonce=9)


async def test_part_of_a_gwei_counts_as_a_whole_one(store: SponsorshipStore) -> None:
    await store.promise(0, ME, 1, LIMITS)
    assert (await store.spent(ME)).visitor == GWEI


@pytest.mark.parametrize(
    "disguise",
    [
        {"account": "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "line": "198.51.100.9"},
        {"browser": "another", "line": "198.51.100.9"},
    ],
)
async def test_another_account_or_another_browser_gives_a_visitor_no_second_share(
    store: SponsorshipStore, disguise: dict[str, str]
) -> None:
    await promised(store, ME, 100)
    assert not await promised(store, replace(ME, **disguise), 1, nonce=1)


async def test_one_visitor_cannot_drain_what_is_for_all(store: SponsorshipStore) -> None:
    disguises = [replace(ME, account=f"0x{number:040x}", browser=str(number)) for number in range(LINE_SHARE + 5)]
    granted = [await promised(store, whose, 100) for whose in disguises]
    assert granted == [True] * LINE_SHARE + [False] * 5
    assert await promised(store, SOMEBODY, 100)


async def test_all_together_have_so_much_and_no_more(store: SponsorshipStore) -> None:
    limits = SponsorLimits(visitor=100 * GWEI, everybody=150 * GWEI)
    await store.promise(0, ME, 100 * GWEI, limits)
    with pytest.raises(SponsorshipError):
        await store.promise(0, SOMEBODY, 51 * GWEI, limits)


async def test_promises_at_the_same_time_count_one_after_the_other(store: SponsorshipStore) -> None:
    granted = await asyncio.gather(*(promised(store, ME, 40, nonce) for nonce in range(8)))
    assert sum(granted) == 2


async def test_visitors_of_two_workers_get_no_more_than_there_is_for_all(
    store: SponsorshipStore, migrated_url: str, clock: MovableClock
) -> None:
    limits = SponsorLimits(visitor=100 * GWEI, everybody=250 * GWEI)
    engine = open_engine(migrated_url)
    workers = [store, SponsorshipStore(engine, secret="of the deployment", clock=clock)]
    visitors = [Beneficiary(ME.chain, f"0x{number:040x}", str(number), str(number)) for number in range(8)]
    promises = [workers[at % 2].promise(0, whose, 100 * GWEI, limits) for at, whose in enumerate(visitors)]
    found = await asyncio.gather(*promises, return_exceptions=True)
    await engine.dispose()
    assert [type(one) for one in found if one is not None] == [SponsorshipError] * 6
    assert (await store.spent(ME)).everybody == 200 * GWEI


async def test_two_tabs_that_have_one_operation_promised_at_the_same_time_count_once(store: SponsorshipStore) -> None:
    assert await asyncio.gather(*(promised(store, ME, gwei) for gwei in (60, 90, 80, 70))) == [True] * 4
    assert (await store.spent(ME)).visitor == 90 * GWEI


async def test_a_promise_that_is_refused_leaves_the_earlier_one(store: SponsorshipStore) -> None:
    await promised(store, ME, 60)
    assert not await promised(store, ME, 101)
    assert (await store.spent(ME)).visitor == 60 * GWEI


async def test_a_preview_that_is_made_anew_counts_once_at_its_dearest(store: SponsorshipStore) -> None:
    assert [await promised(store, ME, gwei) for gwei in (60, 90, 50)] == [True, True, True]
    assert (await store.spent(ME)).visitor == 90 * GWEI


async def test_what_it_has_cost_counts_once_it_is_known(store: SponsorshipStore) -> None:
    await store.promise(0, ME, 90 * GWEI, LIMITS)
    await store.settle(ME.chain, ME.account, 0, 10 * GWEI)
    assert (await store.spent(ME)).visitor == 10 * GWEI


async def test_nothing_costs_more_than_was_promised(store: SponsorshipStore) -> None:
    await store.promise(0, ME, 90 * GWEI, LIMITS)
    await store.settle(ME.chain, ME.account, 0, 900 * GWEI)
    assert (await store.spent(ME)).visitor == 90 * GWEI


@pytest.mark.parametrize("last", [30, 4])
async def test_of_what_it_has_cost_in_two_blocks_the_last_counts(store: SponsorshipStore, last: int) -> None:
    await store.promise(0, ME, 90 * GWEI, LIMITS)
    await store.settle(ME.chain, ME.account, 0, 10 * GWEI)
    await store.settle(ME.chain, ME.account, 0, last * GWEI)
    assert (await store.spent(ME)).visitor == last * GWEI


async def test_what_a_reorganisation_has_taken_back_is_promised_again_at_its_dearest(store: SponsorshipStore) -> None:
    await store.promise(0, ME, 90 * GWEI, LIMITS)
    await store.settle(ME.chain, ME.account, 0, 10 * GWEI)
    assert await promised(store, ME, 5)
    assert (await store.spent(ME)).visitor == 10 * GWEI


async def test_after_a_day_it_counts_no_longer(store: SponsorshipStore, clock: MovableClock) -> None:
    await promised(store, ME, 100)
    clock.advance(WINDOW.total_seconds() - 1)
    assert not await promised(store, ME, 1, nonce=1)
    clock.advance(2)
    assert await promised(store, ME, 100, nonce=1)


async def test_networks_are_counted_apart(store: SponsorshipStore) -> None:
    await promised(store, ME, 100)
    assert await promised(store, replace(ME, chain="eip155:137"), 100)


async def test_the_table_has_no_address_of_the_internet(store: SponsorshipStore, engine: AsyncEngine) -> None:
    await promised(store, ME, 1)
    async with engine.connect() as connection:
        rows = (await connection.execute(text("SELECT * FROM sponsored_operations"))).all()
    assert ME.line not in str(rows)


async def test_what_counts_no_longer_is_deleted(store: SponsorshipStore, clock: MovableClock) -> None:
    await promised(store, ME, 1)
    assert await store.purge() == 0
    clock.advance(2 * DAY)
    assert await store.purge() == 1


async def test_what_is_kept_longer_does_not_say_from_where(engine: AsyncEngine, clock: MovableClock) -> None:
    store = SponsorshipStore(engine, clock=clock, kept_after=timedelta(days=30))

    async def kept() -> Sequence[Any]:
        await store.purge()
        async with engine.connect() as connection:
            rows = await connection.execute(text("SELECT account, gwei, browser, line FROM sponsored_operations"))
            return [(account, gwei, bool(browser), bool(line)) for account, gwei, browser, line in rows]

    await promised(store, ME, 1)
    ((account, gwei, *traces),) = await kept()
    assert (account, traces) == (ME.account, [True, True])
    clock.advance(2 * DAY)
    assert await kept() == [(ME.account, gwei, False, False)]
    clock.advance(29 * DAY)
    assert await kept() == []


async def test_a_database_that_is_away_pays_for_nothing(engine: AsyncEngine) -> None:
    away = SponsorshipStore(open_engine("postgresql://nobody@127.0.0.1:1/none"))
    with pytest.raises(SponsorshipError):
        await away.promise(0, ME, 1, LIMITS)
