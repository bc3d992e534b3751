"""The end of an account: nothing of the person is left, and nobody else can bring it about."""

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.patience import eventually, patience
from tests.secure.device import Device
from tests.secure.test_email_update import change
from tests.secure.test_passwords import Password, proven
from tests.secure.world import ADA, Wallet, World
from walletmodal.secure.custody.deletion import OF_USER
from walletmodal.secure.db.tables import Table
from walletmodal.secure.login.notice_mails import NOTICES

DELETE = "/v1/account/delete"
HELD = (
    "wallets",
    "halves",
    "passkeys",
    "recovery_passwords",
    "social_identities",
    "sessions",
    "attempts",
    "users",
    "proofs",
    "refusals",
)


async def owner(world: World) -> Wallet:
    """A wallet with a recovery password."""
    wallet = await world.wallet()
    world.clock.advance(31)
    await wallet.device.call("/v1/password/set", Password().body(wallet, await proven(world, wallet.device)))
    return wallet


async def deleted(world: World, device: Device, to: str = ADA) -> Any:
    world.clock.advance(31)
    return await device.call(DELETE, {"proof": await proven(world, device, "delete", to)})


async def left(world: World) -> dict[str, int]:
    counts = {table: (await world.sql(f"SELECT count(*) FROM {table}"))[0][0] for table in HELD}
    return {table: count for table, count in counts.items() if count}


def recovery(folder: Path, statement: str) -> list[Any]:
    """Asks the recovery service's database behind its back; in a thread, since the service writes on the event loop."""
    with closing(sqlite3.connect(folder / "recovery.db")) as database:
        found = database.execute(statement).fetchall()
        database.commit()
        return found


async def gone(world: World, look: Callable[[], Awaitable[object]]) -> None:
    """Lets the sweep come round until nothing is found any more: one that was under way when the clock moved waits from then on."""
    async with patience():
        while await look():
            world.clock.advance(61)
            await asyncio.sleep(0.01)


async def test_nothing_of_the_person_is_left(world: World) -> None:
    wallet = await owner(world)
    assert await deleted(world, wallet.device) == {}
    assert await left(world) == {}


async def test_the_recovery_service_forgets_its_half(escrowed: World, tmp_path: Path) -> None:
    wallet = await owner(escrowed)
    assert await asyncio.to_thread(recovery, tmp_path, "SELECT user FROM boxes") == [(wallet.user_id,)]
    await deleted(escrowed, wallet.device)
    assert await asyncio.to_thread(recovery, tmp_path, "SELECT user FROM boxes") == []


async def test_every_device_is_logged_out(world: World) -> None:
    wallet = await owner(world)
    other = await world.login()
    await deleted(world, wallet.device)
    for device in (wallet.device, other):
        assert (await device.refused("/v1/me")).code == "session"


async def test_others_keep_what_they_have(world: World) -> None:
    wallet, eve = await owner(world), await world.wallet("eve@example.com")
    await deleted(world, wallet.device)
    assert await eve.joined() == eve.root


async def test_a_new_login_gets_a_new_wallet(world: World) -> None:
    wallet = await owner(world)
    await deleted(world, wallet.device)
    world.clock.advance(31)
    fresh = await world.wallet()
    assert (fresh.user_id != wallet.user_id, fresh.evm != wallet.evm) == (True, True)


async def test_the_audit_stays_without_the_person(world: World) -> None:
    wallet = await owner(world)
    before = [kind for (kind,) in await world.sql("SELECT kind FROM audit ORDER BY id")]
    await deleted(world, wallet.device)
    rows = await world.sql("SELECT kind, user, device FROM audit ORDER BY id")
    assert [kind for kind, _, _ in rows] == [*before, "account_deleted"]
    assert len({user for _, user, _ in rows}) == 1
    assert wallet.user_id not in {user for _, user, _ in rows}
    assert {device for _, _, device in rows} == {""}


async def test_the_owner_is_told(world: World) -> None:
    wallet = await owner(world)
    await deleted(world, wallet.device)
    subject = f"{NOTICES['account_deleted'][0]}: Example"
    await eventually(lambda: any(mail.subject == subject for mail in world.mailbox.of(ADA)))
    told = next(mail for mail in world.mailbox.of(ADA) if mail.subject == subject)
    assert "log in, remove devices" not in told.text


async def test_it_needs_a_fresh_proof_of_that(world: World) -> None:
    wallet = await owner(world)
    world.clock.advance(31)
    for proof in ("", await proven(world, wallet.device, "password")):
        assert (await wallet.device.refused(DELETE, {"proof": proof})).code == "proof"
    assert await wallet.joined() == wallet.root


async def test_the_mail_with_the_code_says_what_it_does(world: World) -> None:
    wallet = await owner(world)
    world.clock.advance(31)
    await wallet.device.call("/v1/proof/start", {"purpose": "delete"})
    told = [mail.text for mail in world.mailbox.of(ADA)]
    assert any("This code deletes your wallet and your account for good." in text for text in told)


async def test_whoever_has_the_mailbox_alone_cannot_delete_the_wallet(world: World) -> None:
    wallet = await owner(world)
    thief = await world.login()
    world.clock.advance(31)
    proof = await proven(world, thief, "delete")
    assert (await thief.refused(DELETE, {"proof": proof})).code == "device_unknown"
    assert await wallet.joined() == wallet.root


async def test_a_frozen_account_is_not_deleted(world: World) -> None:
    wallet = await world.wallet()
    world.clock.advance(31)
    proof = await proven(world, wallet.device, "delete")
    await world.client.post(world.mailbox.last(ADA).link("/not-me"))
    assert (await wallet.device.refused(DELETE, {"proof": proof})).code == "frozen"


async def test_while_a_change_of_address_can_be_undone_nothing_is_deleted(world: World) -> None:
    wallet = await owner(world)
    new = "ada@example.net"
    await change(world, wallet.device, new)
    world.clock.advance(31)
    proof = await proven(world, wallet.device, "delete", new)
    assert (await wallet.device.refused(DELETE, {"proof": proof})).code == "held"


async def test_a_recovery_service_that_is_away_is_asked_again(escrowed: World, tmp_path: Path) -> None:
    wallet = await owner(escrowed)
    await asyncio.to_thread(recovery, tmp_path, "ALTER TABLE boxes RENAME TO boxes_away")
    assert await deleted(escrowed, wallet.device) == {}
    assert await left(escrowed) == {}
    await asyncio.to_thread(recovery, tmp_path, "ALTER TABLE boxes_away RENAME TO boxes")
    await gone(escrowed, lambda: asyncio.to_thread(recovery, tmp_path, "SELECT user FROM boxes"))


async def test_what_a_call_under_way_writes_is_erased_as_well(world: World) -> None:
    wallet = await owner(world)
    (half,) = await world.sql("SELECT * FROM halves")
    await deleted(world, wallet.device)
    await world.sql(f"INSERT INTO halves VALUES ({','.join('?' * len(half))})", half)
    await gone(world, lambda: left(world))


async def test_what_a_call_under_way_writes_into_the_audit_has_no_person(world: World) -> None:
    wallet = await owner(world)
    await deleted(world, wallet.device)
    row = ("logout", 1, wallet.user_id, "0123456789abcdef")
    await world.sql("INSERT INTO audit (kind, at, user, device) VALUES (?, ?, ?, ?)", row)
    known = "SELECT 1 FROM audit WHERE user = ? OR device <> ''"
    await gone(world, lambda: world.sql(known, (wallet.user_id,)))


def test_every_table_that_has_rows_of_users_is_erased() -> None:
    kept = {"audit", "deletions"}
    named = {name for name, table in Table.metadata.tables.items() if "user" in table.c}
    assert {str(table.__tablename__) for table in OF_USER} == named - kept


async def test_who_was_deleted_is_forgotten_after_a_day(escrowed: World) -> None:
    wallet = await owner(escrowed)
    await deleted(escrowed, wallet.device)
    escrowed.clock.advance(86_400)
    async with patience():
        # A sweep that was under way when the clock moved has looked at some of it with the former time.
        while await escrowed.sql("SELECT user FROM deletions UNION ALL SELECT key FROM addresses"):
            escrowed.clock.advance(61)
            await asyncio.sleep(0.01)
