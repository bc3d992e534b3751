"""Granted permissions, on SQLite and PostgreSQL."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.core.permissions.samples import DAY, NOW, SHOP, TEN_A_DAY, delegation
from walletmodal.core.chains.caip import parse_account_id
from walletmodal.core.clock import MovableClock
from walletmodal.core.permissions.execution_permissions import PermissionRequest
from walletmodal.core.permissions.record import PermissionRecord, record_of
from walletmodal.db.permissions import KEPT_AFTER, MAX_PER_ACCOUNT, PermissionStore

ORIGIN = "https://shop.example"
BEGIN = datetime.fromtimestamp(NOW, UTC)
BROWSER = "b" * 64


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock(BEGIN)


@pytest.fixture
def store(engine: AsyncEngine, clock: MovableClock) -> PermissionStore:
    return PermissionStore(engine, clock=clock)


def record(salt: int = 7, *, endless: bool = False, at: datetime = BEGIN) -> PermissionRecord:
    permission = replace(TEN_A_DAY, until=None) if endless else TEN_A_DAY
    return record_of(PermissionRequest(1, SHOP, "", permission), delegation(permission, salt=salt), ORIGIN, at)


ACCOUNT = record().account


async def test_a_permission_is_kept_as_it_was_granted(store: PermissionStore) -> None:
    await store.add(record(), BROWSER)
    (found,) = await store.of_account(ACCOUNT, ORIGIN, BROWSER)
    assert found == record()
    assert (found.delegation, found.permission) == (delegation(), TEN_A_DAY)


async def test_one_that_comes_twice_is_kept_once(store: PermissionStore) -> None:
    await store.add(record(), BROWSER)
    await store.add(record(), "c" * 64)
    assert await store.of_account(ACCOUNT, ORIGIN) == [record()]


async def test_the_latest_comes_first(store: PermissionStore) -> None:
    later = record(8, at=BEGIN + timedelta(minutes=1))
    for one in (record(), later):
        await store.add(one, BROWSER)
    assert await store.of_account(ACCOUNT, ORIGIN) == [later, record()]


async def test_other_pages_networks_and_browsers_are_told_nothing(store: PermissionStore) -> None:
    await store.add(record(), BROWSER)
    elsewhere = parse_account_id(f"eip155:137:{ACCOUNT.address}")
    assert await store.of_account(ACCOUNT, "https://other.example") == []
    assert await store.of_account(elsewhere, ORIGIN) == []
    assert await store.of_account(ACCOUNT, ORIGIN, "c" * 64) == []


async def test_one_is_taken_back_once(store: PermissionStore, clock: MovableClock) -> None:
    await store.add(record(), BROWSER)
    assert await store.mark_revoked(record().id)
    assert not await store.mark_revoked(record().id)
    assert [one.revoked_at for one in await store.of_account(ACCOUNT, ORIGIN)] == [clock.now()]


async def test_what_has_been_over_for_a_month_is_deleted(store: PermissionStore, clock: MovableClock) -> None:
    await store.add(record(), BROWSER)
    await store.add(record(8, endless=True), BROWSER)
    clock.advance(30 * DAY + KEPT_AFTER.total_seconds() - 1)
    assert await store.purge() == 0
    clock.advance(1)
    assert await store.purge() == 1
    assert [one.id for one in await store.of_account(ACCOUNT, ORIGIN)] == [record(8, endless=True).id]


async def test_an_account_has_so_many_and_no_more(store: PermissionStore) -> None:
    for salt in range(MAX_PER_ACCOUNT):
        assert await store.room(ACCOUNT, ORIGIN) == MAX_PER_ACCOUNT - salt
        await store.add(record(salt), BROWSER)
    assert await store.room(ACCOUNT, ORIGIN) == 0
    assert await store.room(ACCOUNT, "https://other.example") == MAX_PER_ACCOUNT
