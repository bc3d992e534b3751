"""Deletion by whoever has lost every device: it waits, the owner is told, and a link or any use of the wallet stops it."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from tests.patience import eventually, patience
from tests.secure.authenticator import add, begun, opened
from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.test_deletion import left, recovery
from tests.secure.test_email_update import change
from tests.secure.test_passwords import proven
from tests.secure.test_recovery import finished, started
from tests.secure.world import ADA, EVE, Wallet, World, running, settings_for, xor
from walletmodal.core.clock import MovableClock
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.secure.custody.deletion import Deletions
from walletmodal.secure.custody.deletion_requests import DeletionRequests
from walletmodal.secure.custody.loose_boxes import LooseBoxes
from walletmodal.secure.encoding import encode
from walletmodal.secure.login.mails import Sender
from walletmodal.secure.mailer import open_mailer
from walletmodal.secure.notices import Notices
from walletmodal.secure.pepper import open_pepper
from walletmodal.secure.users import Users

REQUEST = "/v1/account/delete/request"
DAY, WEEK = 86_400, 7 * 86_400
ASKED, NEAR, STOPPED = (
    "Your wallet will be deleted",
    "Your wallet will be deleted tomorrow",
    "Your wallet is not deleted",
)
DELETED = "Your wallet and your account were deleted"


def told(world: World, subject: str, to: str = ADA) -> list[Any]:
    return [mail for mail in world.mailbox.of(to) if mail.subject == f"{subject}: Example"]


async def mailed(world: World, subject: str, to: str = ADA) -> Any:
    """The mail of that subject, once it is there."""
    await eventually(lambda: bool(told(world, subject, to)))
    return told(world, subject, to)[-1]


async def lost(world: World) -> tuple[Wallet, Device]:
    """A wallet, and another device that is logged in and has no part of it."""
    wallet = await world.wallet()
    device = await world.login()
    world.clock.advance(31)
    return wallet, device


async def requested(world: World, device: Device, to: str = ADA) -> int:
    """Asks for the deletion with a second code; when it is due."""
    answer = await device.call(REQUEST, {"proof": await proven(world, device, "delete", to)})
    return int(answer["deletesAt"])


async def due(device: Device) -> int | None:
    found: int | None = (await device.call("/v1/recovery/ways"))["deletesAt"]
    return found


async def swept_until(world: World, look: Any) -> None:
    """Lets the sweep come round until something is so."""
    async with patience():
        while not await look():
            world.clock.advance(61)
            await asyncio.sleep(0.01)


async def is_told(world: World, subject: str) -> bool:
    return bool(told(world, subject))


async def is_gone(world: World) -> bool:
    return not await world.sql("SELECT id FROM users")


async def kinds(world: World) -> list[str]:
    return [kind for (kind,) in await world.sql("SELECT kind FROM audit ORDER BY id")]


async def test_it_waits_a_week_and_then_nothing_is_left(world: World) -> None:
    wallet, device = await lost(world)
    at = await requested(world, device)
    assert await due(device) == at
    world.clock.advance(WEEK - DAY)
    await swept_until(world, lambda: is_told(world, NEAR))
    assert await world.sql("SELECT id FROM users") == [(wallet.user_id,)]
    world.clock.advance(DAY)
    await swept_until(world, lambda: is_gone(world))
    assert await left(world) == {}
    assert (await kinds(world))[-1] == "account_deleted"
    await mailed(world, DELETED)


async def test_the_recovery_service_forgets_its_half_as_well(escrowed: World, tmp_path: Path) -> None:
    _, device = await lost(escrowed)
    await requested(escrowed, device)
    escrowed.clock.advance(WEEK)
    await swept_until(escrowed, lambda: is_gone(escrowed))
    await swept_until(escrowed, lambda: asyncio.to_thread(lambda: not recovery(tmp_path, "SELECT user FROM boxes")))


async def test_the_owner_is_told_until_when_it_can_be_stopped(world: World) -> None:
    _, device = await lost(world)
    await requested(world, device)
    text = (await mailed(world, ASKED)).text
    assert "Keep my wallet" in text
    assert "Deletion: " in text
    assert "UTC" in text


@pytest.mark.parametrize("subject", [ASKED, NEAR])
async def test_the_link_of_either_mail_keeps_the_wallet(world: World, subject: str) -> None:
    wallet, device = await lost(world)
    await requested(world, device)
    if subject == NEAR:
        world.clock.advance(WEEK - DAY)
        await swept_until(world, lambda: is_told(world, NEAR))
    link = (await mailed(world, subject)).link("/keep")
    assert "Keep your wallet?" in (await world.client.get(link)).text
    assert await world.sql("SELECT user FROM deletion_requests") == [(wallet.user_id,)]
    assert "Your wallet is kept" in (await world.client.post(link)).text
    assert await world.sql("SELECT user FROM deletion_requests") == []
    assert (await world.client.get(link)).status_code == 404
    assert (await world.client.post(link)).status_code == 404
    assert "deletion_stopped" in await kinds(world)
    await mailed(world, STOPPED)


async def test_a_device_that_uses_the_wallet_stops_it(world: World) -> None:
    wallet, device = await lost(world)
    await requested(world, device)
    assert await wallet.joined() == wallet.root
    assert await world.sql("SELECT user FROM deletion_requests") == []
    await mailed(world, STOPPED)


async def test_a_device_that_shows_the_keys_stops_it(world: World) -> None:
    wallet, device = await lost(world)
    await requested(world, device)
    world.clock.advance(31)
    await wallet.device.call("/v1/wallet/export", {"proof": await proven(world, wallet.device, "export")})
    assert await due(device) is None
    await mailed(world, STOPPED)


async def test_a_device_to_which_the_wallet_is_brought_stops_it(escrowed: World) -> None:
    wallet, device = await lost(escrowed)
    await requested(escrowed, device)
    root, answer = await finished(device, await started(escrowed, device), wallet)
    await device.call("/v1/wallet/device", {"deviceHalf": encode(xor(root, os.urandom(16))), "grant": answer["grant"]})
    assert await due(device) is None


async def test_whoever_freezes_the_account_stops_it(world: World) -> None:
    _, device = await lost(world)
    await requested(world, device)
    await world.client.post(world.mailbox.last(ADA).link("/not-me"))
    assert await world.sql("SELECT user FROM deletion_requests") == []


async def test_it_needs_a_second_code_for_that_alone(world: World) -> None:
    _, device = await lost(world)
    for proof in ("", await proven(world, device, "export")):
        assert (await device.refused(REQUEST, {"proof": proof})).code == "proof"


async def test_a_passkey_is_a_proof_as_well(world: World) -> None:
    wallet = await world.wallet()
    passkey = await add(wallet)
    device = await world.login()
    used = passkey.used(await begun(device, "/v1/passkeys/prove"))
    proof = (await device.call("/v1/passkeys/proved", {**used, "purpose": "delete"}))["proof"]
    assert (await device.call(REQUEST, {"proof": proof}))["deletesAt"] > 0
    assert await opened(device, passkey)


async def test_a_device_with_the_wallet_need_not_ask(world: World) -> None:
    wallet = await world.wallet()
    world.clock.advance(31)
    proof = await proven(world, wallet.device, "delete")
    assert (await wallet.device.refused(REQUEST, {"proof": proof})).code == "device_known"


async def test_a_second_request_puts_nothing_off(world: World) -> None:
    _, device = await lost(world)
    first = await requested(world, device)
    world.clock.advance(DAY)
    assert await requested(world, device) == first


async def test_nobody_asks_while_the_account_is_frozen(world: World) -> None:
    _, device = await lost(world)
    proof = await proven(world, device, "delete")
    await world.client.post(world.mailbox.last(ADA).link("/not-me"))
    assert (await device.refused(REQUEST, {"proof": proof})).code == "frozen"


async def test_nobody_asks_while_the_former_address_may_come_back(world: World) -> None:
    wallet, device = await lost(world)
    await change(world, wallet.device, "ada@example.net")
    world.clock.advance(61)
    proof = await proven(world, device, "delete", "ada@example.net")
    assert (await device.refused(REQUEST, {"proof": proof})).code == "held"


async def test_while_a_change_of_the_address_can_be_undone_nothing_is_deleted(world: World) -> None:
    wallet, device = await lost(world)
    await requested(world, device)
    await world.wallet(EVE)
    stranger = await world.login(EVE)
    world.clock.advance(31)
    await requested(world, stranger, EVE)
    world.clock.advance(WEEK - 7200)
    await change(world, wallet.device, "ada@example.net")
    world.clock.advance(7200)

    async def only_ada() -> bool:
        return await world.sql("SELECT id FROM users") == [(wallet.user_id,)]

    # Hers was due first.
    await swept_until(world, only_ada)
    assert await world.sql("SELECT user FROM deletion_requests") == [(wallet.user_id,)]


async def test_a_request_that_does_not_open_holds_up_no_other(world: World) -> None:
    wallet, device = await lost(world)
    await requested(world, device)
    await world.wallet(EVE)
    stranger = await world.login(EVE)
    world.clock.advance(31)
    await requested(world, stranger, EVE)
    # Hers is due first.
    await world.sql("UPDATE users SET address = x'00' WHERE id = ?", (wallet.user_id,))
    world.clock.advance(WEEK)

    async def only_ada() -> bool:
        return await world.sql("SELECT id FROM users") == [(wallet.user_id,)]

    await swept_until(world, only_ada)


async def test_an_account_that_another_worker_has_deleted_meanwhile_is_none(world: World) -> None:
    for email in (ADA, EVE):
        await world.wallet(email)
        device = await world.login(email)
        world.clock.advance(31)
        await requested(world, device, email)
    settings, keys, clock = world.settings, world.settings.key_ring(), MovableClock()
    # For these workers alone it is due.
    clock.advance(2 * WEEK)
    engine = open_engine(settings.secure_database_url)
    sender = Sender(settings.mail_name, settings.own_origin, settings.own_host)
    pepper, mailer, users = await open_pepper(engine, keys), open_mailer(settings, clock), Users(keys)
    notices = Notices(engine, clock, keys=keys, pepper=pepper, mailer=mailer, sender=sender)
    plain = Deletions(engine, notices, LooseBoxes(engine, None, clock), clock)

    def worker(deletions: Deletions) -> DeletionRequests:
        return DeletionRequests(
            engine, clock, keys=keys, deletions=deletions, users=users, notices=notices, wait_ms=WEEK * 1000
        )

    class Overtaken(Deletions):
        async def carry_on(self, _user: str = "") -> None:
            await worker(plain).carry_on()

    await worker(Overtaken(engine, notices, LooseBoxes(engine, None, clock), clock)).carry_on()
    assert (await kinds(world)).count("account_deleted") == 2
    await close_engine(engine)


async def test_the_wait_is_the_operators(secure_url: str, mailbox: Mailbox) -> None:
    async with running(settings_for(secure_url, mailbox.url, deletion_wait_hours=24), mailbox) as world:
        _, device = await lost(world)
        before = world.clock.now().timestamp() * 1000
        assert await requested(world, device) - before == pytest.approx(DAY * 1000, abs=120_000)


async def test_what_is_asked_is_in_the_data_of_the_visitor(world: World) -> None:
    _, device = await lost(world)
    at = await requested(world, device)
    data = (await device.call("/v1/account/data"))["data"]
    assert [row["due_at"] for row in data["deletionRequests"]] == [at]
