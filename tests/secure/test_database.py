"""The tables and their migrations, on SQLite and PostgreSQL; the whole journey on PostgreSQL; what is left behind."""

import asyncio
import os
import sqlite3
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import inspect, text
from sqlalchemy.ext.asyncio import AsyncEngine

from tests.patience import PATIENCE, eventually
from tests.secure.mailbox import Mailbox
from tests.secure.test_deletion import deleted
from tests.secure.test_devices import own_id
from tests.secure.test_recovery import finished, started
from tests.secure.test_wallet_with_login import entered
from tests.secure.world import ADA, EVE, Wallet, World, running, running_with_escrow, settings_for, xor
from tests.services_fixtures import PostgresServer
from walletmodal.core.clock import MovableClock
from walletmodal.db import sqlite_driver
from walletmodal.db.engine import open_engine, unit_of_work
from walletmodal.secure.db.tables import Recurring
from walletmodal.secure.db.upgrade import MIGRATIONS, alembic_config, upgrade
from walletmodal.secure.doctor import key
from walletmodal.secure.encoding import encode
from walletmodal.secure.periodic import every_minute
from walletmodal.secure.recovery import app as recovery_app
from walletmodal.secure.sweep import sweep

BOTH_HAVE_IT = """INSERT INTO halves SELECT (jsonb_populate_record(halves, jsonb_build_object('device', sessions.device))).*
    FROM halves JOIN sessions ON sessions.device <> halves.device"""
HOUR = 3600
FOLDERS = {"site": MIGRATIONS, "recovery": recovery_app.MIGRATIONS}


@pytest.mark.parametrize("name", FOLDERS)
def test_the_tables_are_what_the_models_say(database_url: str, name: str) -> None:
    for _ in range(2):
        upgrade(database_url, folder=FOLDERS[name])
    with ThreadPoolExecutor(1) as executor:
        executor.submit(command.check, alembic_config(database_url, FOLDERS[name])).result()


@pytest.mark.parametrize("name", FOLDERS)
async def test_a_downgrade_takes_the_tables_back(database_url: str, name: str) -> None:
    upgrade(database_url, folder=FOLDERS[name])
    with ThreadPoolExecutor(1) as executor:
        executor.submit(command.downgrade, alembic_config(database_url, FOLDERS[name]), "base").result()
    engine = open_engine(database_url)
    async with engine.connect() as connection:
        names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    await engine.dispose()
    assert names == ["alembic_version"]


async def test_the_whole_journey_on_postgresql(
    postgres_server: PostgresServer, tmp_path: Path, mailbox: Mailbox
) -> None:
    url, recovery_url = postgres_server.create_database(), postgres_server.create_database()
    upgrade(url)
    upgrade(recovery_url, folder=recovery_app.MIGRATIONS)
    async with running_with_escrow(url, tmp_path, mailbox, recovery_url) as world:
        wallet = await world.wallet()
        assert await wallet.joined() == wallet.root
        second = Wallet(wallet.device, wallet.user_id)
        assert (await wallet.device.refused("/v1/wallet", second.body())).code == "wallet_exists"
        other = await world.login()
        root, answer = await finished(other, await started(world, other), wallet)
        fresh = os.urandom(16)
        await other.call("/v1/wallet/device", {"deviceHalf": encode(xor(root, fresh)), "grant": answer["grant"]})
        assert len((await other.call("/v1/devices"))["devices"]) == 2
        assert [one.state for one in await key(world.settings)] == ["ok"]
        attacker, begun = await world.begin()
        otp = f"{(int(mailbox.last(ADA).code) + 1) % 10**6:06d}"
        for _ in range(5):
            await attacker.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp})
        world.clock.advance(31)
        assert (await world.begin())[1]["action"] == "VERIFY_DEVICE"
        await world.client.post(mailbox.last(ADA).link("/not-me"))
        assert (await other.refused("/v1/wallet/half", {"use": "sign"})).code == "frozen"

        newcomer = await entered(world, EVE)
        assert (newcomer.user["escrow"], await newcomer.joined()) == (True, newcomer.root)
        await started(world, await world.login(EVE), EVE)
        await deleted(world, newcomer.device, EVE)
        assert not await left_in_escrow(url)


async def left_in_escrow(url: str) -> bool:
    """Whether the recovery service is still to forget something."""
    engine = open_engine(url)
    try:
        async with unit_of_work(engine) as connection:
            return bool(await connection.scalar(text("SELECT count(*) FROM loose_boxes")))
    finally:
        await engine.dispose()


async def test_it_was_not_me_and_the_right_code_at_once_do_not_wait_for_each_other(
    postgres_server: PostgresServer, mailbox: Mailbox
) -> None:
    url = postgres_server.create_database()
    upgrade(url)
    async with running(settings_for(url, mailbox.url), mailbox) as world:
        device, begun = await world.begin()
        mail = mailbox.last(ADA)
        engine = open_engine(url)
        try:
            async with unit_of_work(engine) as connection:
                await connection.execute(text("SELECT id FROM attempts FOR UPDATE"))
                entered = asyncio.ensure_future(
                    device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": mail.code})
                )
                await until_waiting(engine, 1)
                refused = asyncio.ensure_future(world.client.post(mail.link("/not-me")))
                await until_waiting(engine, 2)
            device.session = (await entered)["session"]
            assert (await refused).status_code == 200
        finally:
            await engine.dispose()
        assert (await device.refused("/v1/me")).code == "session"


async def test_of_two_devices_that_remove_themselves_at_once_the_last_stays(
    postgres_server: PostgresServer, mailbox: Mailbox
) -> None:
    url = postgres_server.create_database()
    upgrade(url)
    async with running(settings_for(url, mailbox.url), mailbox) as world:
        devices = [(await world.wallet()).device, await world.login()]
        engine = open_engine(url)
        try:
            async with unit_of_work(engine) as connection:
                await connection.execute(text(BOTH_HAVE_IT))
            ids = [await own_id(device) for device in devices]
            async with unit_of_work(engine) as connection:
                await connection.execute(text("SELECT token FROM sessions FOR UPDATE"))
                removing = [
                    asyncio.ensure_future(device.raw("/v1/devices/revoke", {"id": own}))
                    for device, own in zip(devices, ids, strict=True)
                ]
                await until_waiting(engine, 2)
            assert sorted([(await answer).status_code for answer in removing]) == [200, 409]
        finally:
            await engine.dispose()


async def until_waiting(engine: AsyncEngine, count: int) -> None:
    """Waits until so many transactions of the database wait for a lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    async with asyncio.timeout(PATIENCE), engine.connect() as connection:
        while await connection.scalar(text(query)) != count:
            # What it tells of others stays as it is within a transaction.
            await connection.rollback()


async def test_a_power_failure_takes_no_wallet_back_that_was_answered_for(
    escrowed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite leaves commits to the operating system otherwise: the browser would have a half whose other one is gone."""
    found: set[tuple[str, int]] = set()
    carry_out = sqlite_driver.Cursor._run

    def look(cursor: sqlite_driver.Cursor, connection: sqlite3.Connection, *statement: Any) -> None:
        # In the connection's own thread: SQLAlchemy's events may not wait.
        carry_out(cursor, connection, *statement)
        file = connection.execute("PRAGMA database_list").fetchone()[2]
        found.add((Path(file).name, connection.execute("PRAGMA synchronous").fetchone()[0]))

    with monkeypatch.context() as patched:
        patched.setattr(sqlite_driver.Cursor, "_run", look)
        await escrowed.wallet()
    assert found == {("secure.db", 2), ("recovery.db", 2)}


async def counts(world: World) -> dict[str, int]:
    """How many rows each table has."""
    engine = open_engine(world.settings.secure_database_url)
    try:
        async with unit_of_work(engine) as connection:
            names = ("attempts", "sessions", "refusals", "grants", "addresses", "notices", "audit", "users")
            return {name: await connection.scalar(text(f"SELECT count(*) FROM {name}")) or 0 for name in names}
    finally:
        await engine.dispose()


async def swept(world: World) -> dict[str, int]:
    engine = open_engine(world.settings.secure_database_url)
    try:
        await sweep(engine, world.clock, expired_ms=HOUR * 1000, audit_days=90)
    finally:
        await engine.dispose()
    return await counts(world)


async def test_what_has_expired_is_deleted(world: World) -> None:
    await world.wallet()
    await world.begin()
    assert (await counts(world))["attempts"] == 1
    world.clock.advance(20 * 60 + HOUR - 1)
    assert (await swept(world))["attempts"] == 1
    world.clock.advance(1)
    left = await swept(world)
    assert (left["attempts"], left["addresses"], left["refusals"], left["sessions"]) == (0, 2, 2, 1)
    world.clock.advance(3 * 86_400)
    left = await swept(world)
    assert (left["addresses"], left["refusals"], left["sessions"]) == (0, 0, 1)
    world.clock.advance(30 * 86_400)
    assert (await swept(world))["sessions"] == 0
    world.clock.advance(90 * 86_400)
    left = await swept(world)
    assert (left["audit"], left["users"]) == (0, 1)


async def _until(world: World, question: str, expected: int) -> None:
    """Ask the database until it has the answer."""
    async with asyncio.timeout(PATIENCE):
        while await world.sql(question) != [(expected,)]:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("setting", "done", "table", "seconds", "left"),
    [
        ({"secure_expired_hours": 1}, World.begin, "attempts", 20 * 60 + HOUR, 0),
        ({"secure_expired_hours": 2}, World.begin, "attempts", 20 * 60 + HOUR, 1),
        ({"secure_audit_days": 30}, World.login, "audit", 40 * 86_400, 0),
        ({"secure_audit_days": 0}, World.login, "audit", 40 * 86_400, 1),
    ],
    ids=["codes for an hour", "codes for two", "audit for a month", "audit for good"],
)
async def test_the_site_deletes_by_itself_what_is_older_than_is_set(
    secure_url: str,
    mailbox: Mailbox,
    setting: dict[str, int],
    done: Callable[[World], Awaitable[object]],
    table: str,
    seconds: float,
    left: int,
) -> None:
    async with running(settings_for(secure_url, mailbox.url, **setting), mailbox) as world:
        await done(world)
        await world.clock.asleep(2)
        world.clock.advance(seconds)
        # Asleep again, what is done every minute has been done.
        await world.clock.asleep(2)
        assert await world.sql(f"SELECT count(*) FROM {table}") == [(left,)]


async def test_of_several_workers_one_does_what_is_done_every_minute(secure_url: str) -> None:
    clock, stopping, done = MovableClock(), asyncio.Event(), list[datetime]()

    async def work() -> None:
        done.append(clock.now())

    engine = open_engine(secure_url)
    workers = [asyncio.create_task(every_minute(stopping, engine, Recurring, clock, work)) for _ in range(3)]
    try:
        for count in (1, 2, 3):
            await clock.asleep(3)
            assert len(done) == count
            clock.advance(60)
    finally:
        stopping.set()
        await asyncio.gather(*workers)
        await engine.dispose()


async def test_the_audit_tells_what_happened_and_nothing_that_opens_anything(world: World) -> None:
    wallet = await world.wallet()
    await wallet.device.call("/v1/logout")
    rows = await world.sql("SELECT kind, user, device FROM audit ORDER BY id")
    assert [row[0] for row in rows] == ["login", "wallet_created", "logout"]
    assert {row[1] for row in rows} == {wallet.user_id}
    assert {len(row[2]) for row in rows} == {16}


async def test_a_notice_that_the_relay_does_not_take_is_sent_later(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await escrowed.login()
    root, answer = await finished(other, await started(escrowed, other), wallet)
    escrowed.mailbox.answer = "451 later"
    await other.call("/v1/wallet/device", {"deviceHalf": encode(root), "grant": answer["grant"]})
    await _until(escrowed, "SELECT max(tries) FROM notices", 1)
    escrowed.mailbox.answer = "250 ok"
    # The notices, and what runs every minute here and in the recovery service: without the last, the notices may be on their way still.
    await escrowed.clock.asleep(3)
    escrowed.clock.advance(61)
    await eventually(lambda: "new device" in escrowed.mailbox.last(ADA).subject)
