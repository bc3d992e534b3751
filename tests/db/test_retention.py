"""How long everything is kept: each table has its line in the documentation, and each setting its effect."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlmodel import col

from tests.db.account_samples import MINE, OTHERS, fill, put
from tests.db.sign_in_samples import ADDRESS, OTHER_ADDRESS
from walletmodal.config import SETTING_NAMES, Settings
from walletmodal.core.clock import MovableClock
from walletmodal.db import expiry
from walletmodal.db.engine import unit_of_work
from walletmodal.db.expiry import delete_expired
from walletmodal.db.personal_data import PERSONAL, PersonalDataStore
from walletmodal.db.tables import TABLES, Decision, Erasure, LoggedEvent, Permission, Recurring, Resume
from walletmodal.deployment import Deployment
from walletmodal.secure.db.tables import Table as SiteTable
from walletmodal.secure.passkeys import tables as _passkeys
from walletmodal.secure.recovery.tables import Table as RecoveryTable
from walletmodal.secure.settings import Settings as SiteSettings
from walletmodal.secure.social import tables as _social
from walletmodal.secure.sweep import EXPIRING

__all__ = ["_passkeys", "_social"]

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
DATABASES = {
    "modal": TABLES,
    "secure site": tuple(SiteTable.metadata.tables),
    "recovery service": tuple(RecoveryTable.metadata.tables),
}
DAYS = ("audit_days", "request_days", "sign_in_days", "permission_days", "resume_days", "sponsored_days")
ROWS = ("audit_rows", "resume_rows")


def lines() -> list[list[str]]:
    """The cells of the table of the documentation."""
    section = PAGE.read_text("utf-8").partition("### Retention")[2].partition("###")[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in row] for row in rows]


@pytest.mark.parametrize("database", DATABASES)
def test_every_table_has_its_line(database: str) -> None:
    named = [name for line in lines() if line[0] == database for name in re.findall(r"`(\w+)`", line[1])]
    assert sorted(named) == sorted(DATABASES[database])


def test_every_line_says_what_for_and_how_long_and_names_a_setting_that_there_is() -> None:
    known = {*SETTING_NAMES, *(name.upper() for name in SiteSettings.model_fields)}
    assert all(line[2] and line[3] for line in lines())
    named = {name for line in lines() for name in re.findall(r"`(\w+)`", line[4])}
    assert {name.upper() for name in (*DAYS, *ROWS)} <= named <= known


async def rows(engine: AsyncEngine) -> set[str]:
    """The tables of accounts that are not empty."""
    async with unit_of_work(engine) as connection:
        counts = {kind.name: await connection.scalar(select(func.count()).select_from(kind.table)) for kind in PERSONAL}
    return {name for name, count in counts.items() if count}


async def purge(url: str, settings: dict[str, Any]) -> None:
    """What a deployment with these settings deletes."""
    deployment = Deployment(Settings(database_url=url, **settings))
    try:
        await deployment.purge(600.0)
    finally:
        await deployment.close()


@pytest.mark.parametrize(
    ("days", "kept"),
    [(30, set()), (0, {"sign_ins", "requests", "permissions", "decisions", "events", "sponsored_operations"})],
    ids=["a month", "for good"],
)
async def test_each_setting_decides_how_long(engine: AsyncEngine, migrated_url: str, days: int, kept: set[str]) -> None:
    clock = MovableClock(datetime.now(UTC) - timedelta(days=40))
    await fill(engine, clock, ADDRESS)
    await put(engine, clock, MINE, ADDRESS)
    async with unit_of_work(engine) as connection:
        await connection.execute(update(Permission).values(revoked_at=1, granted_at=1))
    assert await rows(engine) == {kind.name for kind in PERSONAL}
    await purge(migrated_url, dict.fromkeys(DAYS, days))
    assert await rows(engine) == kept


@pytest.mark.parametrize(("days", "left"), [(2, 0), (3, 1)])
async def test_a_setting_decides_how_long_it_is_known_who_was_erased(
    engine: AsyncEngine, migrated_url: str, days: int, left: int
) -> None:
    await PersonalDataStore(engine, clock=MovableClock(datetime.now(UTC) - timedelta(days=2))).erase(ADDRESS)
    await purge(migrated_url, {"erasure_days": days})
    async with unit_of_work(engine) as connection:
        assert await connection.scalar(select(func.count()).select_from(Erasure)) == left


@pytest.mark.parametrize(("most", "left"), [(1, 1), (0, 2)], ids=["the last one", "all"])
async def test_each_setting_decides_how_many(engine: AsyncEngine, migrated_url: str, most: int, left: int) -> None:
    """A large site has more of them within the days than a small one has room for."""
    clock = MovableClock(datetime.now(UTC))
    for account, place in ((ADDRESS, MINE), (OTHER_ADDRESS, OTHERS)):
        await fill(engine, clock, account)
        await put(engine, clock, place, account)
        clock.advance(1)
    async with unit_of_work(engine) as connection:
        # As many of each, whatever else tells the log of something.
        await connection.execute(delete(LoggedEvent).where(col(LoggedEvent.type) != "sign_in.created"))
    await purge(migrated_url, dict.fromkeys(ROWS, most))
    async with unit_of_work(engine) as connection:
        counts = [
            await connection.scalar(select(func.count()).select_from(one)) for one in (Decision, LoggedEvent, Resume)
        ]
    assert counts == [left] * 3


async def test_many_are_deleted_a_few_at_a_time(engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expiry, "AT_A_TIME", 2)
    async with unit_of_work(engine) as connection:
        await connection.execute(insert(Recurring), [{"name": str(number), "next_at": number} for number in range(9)])
    assert await delete_expired(engine, Recurring, col(Recurring.next_at) < 7) == 7
    async with unit_of_work(engine) as connection:
        assert await connection.scalar(select(func.count()).select_from(Recurring)) == 2


def test_what_expires_at_the_secure_site_is_swept() -> None:
    expiring: set[Any] = {table.__tablename__ for table in EXPIRING}
    assert expiring == {name for name, table in SiteTable.metadata.tables.items() if "expires_at" in table.c}
