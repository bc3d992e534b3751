"""The secure site on a restored backup: wallets open, and what was used up, ended or stopped since stays so."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest_asyncio

from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.test_serving import TOKEN, Told, told
from tests.secure.world import ADA, EVE, Wallet, World, running, settings_for
from tests.services_fixtures import PostgresServer, program
from tests.services_fixtures import postgres_server as postgres_server
from walletmodal.db.engine import open_engine
from walletmodal.secure.db.upgrade import upgrade
from walletmodal.secure.recovery.__main__ import main as recovery_main
from walletmodal.secure.recovery.keys import new_private_key
from walletmodal.secure.restored import end_restored

__all__ = ["told"]

DAY_MS = 86_400_000


@dataclass
class Backup:
    """A copy of a site's database, in which a visitor had a code that was not entered yet."""

    file: Path
    wallet: Wallet
    device: Device
    begun: dict[str, str]
    code: str

    async def restore(self, world: World) -> tuple[int, int]:
        """Puts the copy in the place of the database, as the operator is told to; how much has ended."""
        file = Path(world.settings.secure_database_url.removeprefix("sqlite:///"))

        def copy() -> None:
            with closing(sqlite3.connect(self.file)) as source, closing(sqlite3.connect(file)) as target:
                source.backup(target)

        # It waits for transactions of the site, which end on the event loop.
        await asyncio.to_thread(copy)
        engine = open_engine(world.settings.secure_database_url)
        try:
            return await end_restored(engine, world.clock, wait_ms=7 * DAY_MS)
        finally:
            await engine.dispose()


@pytest_asyncio.fixture
async def backup(world: World, tmp_path: Path) -> Backup:
    wallet = await world.wallet()
    device, begun = await world.begin(EVE)
    await world.sql(f"VACUUM INTO '{tmp_path / 'copy.db'}'")
    return Backup(tmp_path / "copy.db", wallet, device, begun, world.mailbox.newest_code(EVE))


async def test_wallets_open_after_a_new_login(world: World, backup: Backup, mailbox: Mailbox) -> None:
    await backup.restore(world)
    async with running(world.settings, mailbox, clock=world.clock) as again:
        device = backup.wallet.device
        device.client = again.client
        assert (await device.refused("/v1/me")).code == "session"
        world.clock.advance(31)
        await again.login(ADA, device)
        assert await backup.wallet.joined() == backup.wallet.root


async def test_wallets_open_from_a_dump_of_postgresql(
    postgres_server: PostgresServer, tmp_path: Path, mailbox: Mailbox
) -> None:
    before, after = postgres_server.create_database(), postgres_server.create_database()
    settings, dump = settings_for(before, mailbox.url), str(tmp_path / "site.dump")
    upgrade(before)
    async with running(settings, mailbox) as world:
        wallet = await world.wallet()
        _postgres("pg_dump", "--format=custom", f"--file={dump}", before)
    _postgres("pg_restore", "--exit-on-error", f"--dbname={after}", dump)
    engine = open_engine(after)
    try:
        await end_restored(engine, world.clock, wait_ms=7 * DAY_MS)
    finally:
        await engine.dispose()
    restored = settings.model_copy(update={"secure_database_url": after})
    async with running(restored, mailbox, clock=world.clock) as again:
        wallet.device.client = again.client
        assert (await wallet.device.refused("/v1/me")).code == "session"
        world.clock.advance(31)
        await again.login(ADA, wallet.device)
        assert await wallet.joined() == wallet.root


def _postgres(name: str, *arguments: str) -> None:
    subprocess.run([program(name, "usr/lib/postgresql/*/bin"), *arguments], check=True)


async def test_a_code_that_was_used_since_logs_nobody_in(world: World, backup: Backup, mailbox: Mailbox) -> None:
    entered = {"attempt": backup.begun["attempt"], "otp": backup.code}
    await backup.device.call("/v1/login/otp", entered)
    await backup.restore(world)
    async with running(world.settings, mailbox, clock=world.clock) as again:
        backup.device.client = again.client
        assert (await backup.device.refused("/v1/login/otp", entered)).code == "invalid_code"


async def test_a_call_of_before_counts_no_second_time(world: World, backup: Backup, mailbox: Mailbox) -> None:
    device = backup.wallet.device
    made = device.headers("/v1/me", b"{}")
    assert (await world.client.post("/v1/me", content=b"{}", headers=made)).status_code == 200
    world.clock.advance(1)
    await backup.restore(world)
    async with running(world.settings, mailbox, clock=world.clock) as again:
        refused = await again.client.post("/v1/me", content=b"{}", headers=made)
        assert refused.json()["error"]["code"] == "clock"


async def test_a_deletion_that_may_have_been_stopped_waits_anew(world: World, backup: Backup) -> None:
    with closing(sqlite3.connect(backup.file)) as copy:
        row = (backup.wallet.user_id, "t", b"", 1, True, 2)
        copy.execute("INSERT INTO deletion_requests VALUES (?, ?, ?, ?, ?, ?)", row)
        copy.commit()
    assert (await backup.restore(world))[1] == 1
    now = round(world.clock.now().timestamp() * 1000)
    assert await world.sql("SELECT due_at, reminded FROM deletion_requests") == [(now + 7 * DAY_MS, 0)]


async def test_what_lies_in_escrow_for_a_code_that_may_have_come_since_stays(world: World, backup: Backup) -> None:
    rows = [(backup.begun["attempt"], 1, ""), ("given", 1, "its digest"), ("of a deleted wallet", 1, "")]
    with closing(sqlite3.connect(backup.file)) as copy:
        copy.executemany("INSERT INTO loose_boxes (id, due_at, given) VALUES (?, ?, ?)", rows)
        copy.commit()
    await backup.restore(world)
    assert await world.sql("SELECT id FROM loose_boxes") == [("of a deleted wallet",)]


def test_it_is_a_command_of_both_services(told: Told) -> None:
    assert told("restored")[0] == 0
    status, said = told("restored", main=recovery_main, RECOVERY_KEY=new_private_key(), RECOVERY_TOKEN=TOKEN)
    assert (status, "0 codes have ended" in said) == (0, True)


def test_a_service_that_was_restored_alone_is_told_addresses_by_a_command(told: Told) -> None:
    assert told("migrate")[0] == 0
    status, said = told("addresses")
    assert (status, "the addresses of 0 wallets" in said) == (0, True)
