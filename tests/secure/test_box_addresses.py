"""Codes of recovery go where the account's do, whatever fails while its address changes."""

import asyncio
from pathlib import Path
from typing import Annotated, Any, cast

import pytest
from pydantic import Field

from tests.patience import eventually
from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.test_deletion import gone, recovery
from tests.secure.test_email_update import DAY, NEW, change, to_the_second_code
from tests.secure.test_email_update_undone import undo_link
from tests.secure.test_escrow import off, on_body, owner
from tests.secure.test_loose_boxes import newcomer
from tests.secure.test_passwords import proven
from tests.secure.test_recovery import finished, started
from tests.secure.test_wallet_with_login import entered
from tests.secure.test_wallet_with_login import newcomer as ahead_of_its_code
from tests.secure.world import ADA, EVE, Wallet, World, running_with_escrow
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.db.moments import to_ms
from walletmodal.secure.custody.box_addresses import MOVING_MS, BoxAddresses
from walletmodal.secure.custody.recovery_client import RecoveryClient
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.email_update import EmailUpdateCalls
from walletmodal.secure.periodic import PAUSE_SECONDS
from walletmodal.secure.recovery.app import AddressBody
from walletmodal.secure.users import Users
from walletmodal.secure.waiting import LOOK_SECONDS

MOVING = MOVING_MS / 1000


async def killed(*_given: Any, **_named: Any) -> Any:
    """The process ends here, as far as anything that lasts can tell."""
    raise OSError


async def moved(folder: Path) -> list[Any]:
    """Whether the service has another address than before the change."""
    return await asyncio.to_thread(recovery, folder, "SELECT 1 FROM boxes WHERE held_until > 0")


async def change_that_ends_midway(world: World, device: Device) -> None:
    """The service was told, and the account stays as it was."""
    second = await to_the_second_code(world, device)
    otp = world.mailbox.newest_code(NEW)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(EmailUpdateCalls, "_change", killed)
        assert (await device.refused("/v1/email/secondary", {"attempt": second["attempt"], "otp": otp})).status == 503


async def test_a_change_that_was_killed_midway_is_taken_back_at_the_service(escrowed: World, tmp_path: Path) -> None:
    wallet = await escrowed.wallet()
    await change_that_ends_midway(escrowed, wallet.device)
    assert await moved(tmp_path)
    escrowed.clock.advance(MOVING)
    await gone(escrowed, lambda: moved(tmp_path))
    assert (await wallet.device.call("/v1/me"))["user"]["email"] == ADA
    other = await escrowed.login()
    root, _ = await finished(other, await started(escrowed, other), wallet)
    assert root == wallet.root


async def test_who_recovers_before_that_gets_the_code_at_the_accounts_address(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    await change_that_ends_midway(escrowed, wallet.device)
    other = await escrowed.login()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BoxAddresses, "carry_on", killed)
        escrowed.clock.advance(MOVING)
        await started(escrowed, other, ADA)


async def test_who_changes_it_again_right_away_has_the_new_address(escrowed: World, tmp_path: Path) -> None:
    wallet = await escrowed.wallet()
    await change_that_ends_midway(escrowed, wallet.device)
    escrowed.clock.advance(31)
    await change(escrowed, wallet.device)
    escrowed.clock.advance(MOVING)
    assert await escrowed.sql("SELECT 1 FROM wallets WHERE address_due <> 0") == []
    assert await moved(tmp_path)


async def test_a_change_that_takes_longer_than_it_may_is_not_made(
    escrowed: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wallet = await escrowed.wallet()
    second = await to_the_second_code(escrowed, wallet.device)
    tell = RecoveryClient.change_address

    async def slow(*given: Any) -> None:
        await tell(*given)
        escrowed.clock.advance(MOVING)

    otp = escrowed.mailbox.newest_code(NEW)
    with monkeypatch.context() as patch:
        patch.setattr(RecoveryClient, "change_address", slow)
        refused = await wallet.device.refused("/v1/email/secondary", {"attempt": second["attempt"], "otp": otp})
    assert (refused.status, (await wallet.device.call("/v1/me"))["user"]["email"]) == (503, ADA)
    await gone(escrowed, lambda: moved(tmp_path))


async def stolen(world: World) -> tuple[Wallet, str]:
    """A wallet whose address has changed, and the link that changes it back."""
    wallet = await world.wallet()
    await change(world, wallet.device)
    return wallet, await undo_link(world)


async def test_an_undone_change_follows_at_the_service_once_it_answers(
    escrowed: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wallet, link = await stolen(escrowed)
    with monkeypatch.context() as away:
        away.setattr("walletmodal.secure.recovery.boxes.Boxes.change_address", killed)
        assert "Your address is back" in (await escrowed.client.post(link)).text
    await gone(escrowed, lambda: moved(tmp_path))
    escrowed.clock.advance(DAY)
    device = await escrowed.login()
    root, _ = await finished(device, await started(escrowed, device), wallet)
    assert root == wallet.root


async def test_until_then_the_service_is_asked_for_no_code(escrowed: World, monkeypatch: pytest.MonkeyPatch) -> None:
    _, link = await stolen(escrowed)
    with monkeypatch.context() as away:
        away.setattr("walletmodal.secure.recovery.boxes.Boxes.change_address", killed)
        await escrowed.client.post(link)
        escrowed.clock.advance(DAY)
        device = await escrowed.login()
        sent = len(escrowed.mailbox.of(NEW))
        assert (await device.refused("/v1/recovery/start")).status == 503
    assert not any("recovers your wallet" in mail.subject for mail in escrowed.mailbox.of(NEW)[sent:])


async def test_a_wallet_whose_owner_gets_another_address_meanwhile_is_not_stored(
    escrowed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, device, body = await newcomer(escrowed)
    changing_while_put(escrowed, device, monkeypatch)
    assert (await device.refused("/v1/wallet", body)).status == 503
    assert await escrowed.sql("SELECT 1 FROM wallets") == []


async def test_escrow_is_not_turned_on_for_an_address_that_changes_meanwhile(
    escrowed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    wallet = await owner(escrowed)
    escrowed.clock.advance(31)
    await off(escrowed, wallet)
    escrowed.clock.advance(31)
    body = on_body(escrowed, wallet, await proven(escrowed, wallet.device, "escrow"))
    escrowed.clock.advance(31)
    changing_while_put(escrowed, wallet.device, monkeypatch)
    assert (await wallet.device.refused("/v1/escrow/on", body)).status == 503
    assert await escrowed.sql("SELECT box FROM wallets") == [("",)]


def changing_while_put(world: World, device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    """The account gets its new address while the service takes the box, for which it is told the former one."""
    put = RecoveryClient.put

    async def slow(*given: Any, **named: Any) -> None:
        await put(*given, **named)
        await change(world, device)

    monkeypatch.setattr(RecoveryClient, "put", slow)


class Delayed:
    """The first answer of the service about an address, which the site asks for in the background, comes when it is let go."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.asked, self._go, self.over = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._tell = RecoveryClient.change_address

        async def answer(*given: Any) -> None:
            await self._answer(*given)

        patch.setattr(RecoveryClient, "change_address", answer)

    async def _answer(self, *given: Any) -> None:
        if self.asked.is_set():
            await self._tell(*given)
            return
        self.asked.set()
        await self._go.wait()
        try:
            await self._tell(*given)
        finally:
            self.over.set()

    async def let_go(self) -> None:
        """What was asked first arrives now."""
        self._go.set()
        await self.over.wait()


async def told_late(world: World, monkeypatch: pytest.MonkeyPatch) -> tuple[Wallet, Delayed]:
    """A wallet whose first address is on its way to the service."""
    late = Delayed(monkeypatch)
    wallet = await entered(world)

    async def waiting() -> bool:
        return not late.asked.is_set()

    await gone(world, waiting)
    return wallet, late


async def test_a_change_waits_for_its_hold_while_the_first_address_is_on_its_way(
    escrowed: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    wallet, late = await told_late(escrowed, monkeypatch)
    await change(escrowed, wallet.device)
    assert await moved(tmp_path)
    await late.let_go()
    assert await moved(tmp_path)


async def test_a_former_address_that_comes_late_is_not_taken(escrowed: World, monkeypatch: pytest.MonkeyPatch) -> None:
    wallet, late = await told_late(escrowed, monkeypatch)
    await change(escrowed, wallet.device)
    await late.let_go()
    escrowed.clock.advance(DAY)
    other = await escrowed.login(NEW)
    root, _ = await finished(other, await started(escrowed, other, NEW), wallet)
    assert root == wallet.root


async def test_a_recovery_waits_while_the_first_address_is_on_its_way(
    escrowed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both services are done with this minute; two logins pass the next.
    await eventually(lambda: escrowed.clock.sleepers == (PAUSE_SECONDS,) * 3)
    late, wallet, other = Delayed(monkeypatch), await entered(escrowed), await escrowed.login()
    await late.asked.wait()
    code = asyncio.create_task(started(escrowed, other))
    await eventually(lambda: LOOK_SECONDS in escrowed.clock.sleepers)
    await late.let_go()
    root, _ = await finished(other, await code, wallet)
    assert root == wallet.root


async def test_a_recovery_waits_some_seconds_for_an_address_that_nobody_tells_any_more(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    await escrowed.sql("UPDATE wallets SET address_due = ?", (to_ms(escrowed.clock.now()) + MOVING_MS,))
    other = await escrowed.login()
    code = asyncio.create_task(started(escrowed, other))
    for _ in range(3):
        await eventually(lambda: LOOK_SECONDS in escrowed.clock.sleepers)
        escrowed.clock.advance(LOOK_SECONDS)
    root, _ = await finished(other, await code, wallet)
    assert root == wallet.root


async def test_a_recovery_service_of_the_version_before_is_told_without_an_order(
    escrowed: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class Before(AddressBody):
        at: Annotated[int, Field(le=0)] = 0

    monkeypatch.setattr("walletmodal.secure.recovery.app.AddressBody", Before)
    wallet = await entered(escrowed)
    await change(escrowed, wallet.device)
    assert await moved(tmp_path)


async def test_what_a_site_says_ahead_of_the_clock_keeps_nothing_out_for_ever(
    escrowed: World, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    tell = RecoveryClient.change_address

    async def ahead(client: RecoveryClient, box: str, address: str, language: str, at: int) -> None:
        await tell(client, box, address, language, at + DAY * 1000)

    monkeypatch.setattr(RecoveryClient, "change_address", ahead)
    wallet = await escrowed.wallet()
    await change(escrowed, wallet.device)
    [(told,)] = await asyncio.to_thread(recovery, tmp_path, "SELECT told_at FROM boxes")
    assert told <= to_ms(escrowed.clock.now()) + 120_000


async def backup_of(folder: Path) -> str:
    """What brings back the address that the service has of its box, as a restored backup does."""
    found = await asyncio.to_thread(recovery, folder, "SELECT hex(address), told_at FROM boxes")
    [(address, told_at)] = found
    return f"UPDATE boxes SET address = x'{address}', told_at = {told_at}, former = NULL, held_until = 0"


async def restore(world: World, folder: Path, backup: str) -> None:
    """Restores the service alone, as the operator is told to."""
    await asyncio.to_thread(recovery, folder, backup)
    engine = open_engine(world.settings.secure_database_url)
    assert await BoxAddresses(engine, None, Users(world.settings.key_ring()), world.clock).begin_anew() == 1
    await close_engine(engine)


async def test_a_service_that_was_restored_sends_codes_to_the_accounts_address_again(
    escrowed: World, tmp_path: Path
) -> None:
    wallet = await escrowed.wallet()
    backup = await backup_of(tmp_path)
    await change(escrowed, wallet.device)
    escrowed.clock.advance(DAY)
    await restore(escrowed, tmp_path, backup)

    async def former() -> bool:
        return not await moved(tmp_path)

    await gone(escrowed, former)
    escrowed.clock.advance(DAY)
    other = await escrowed.login(NEW)
    root, _ = await finished(other, await started(escrowed, other, NEW), wallet)
    assert root == wallet.root


async def test_a_service_that_was_restored_to_before_it_knew_an_address_is_told_it(
    escrowed: World, tmp_path: Path
) -> None:
    made = await ahead_of_its_code(escrowed)
    await made.give_escrow()
    backup = await backup_of(tmp_path)
    wallet = await made.enter()
    other = await escrowed.login()
    await started(escrowed, other)
    escrowed.clock.advance(60)
    await restore(escrowed, tmp_path, backup)
    root, _ = await finished(other, await started(escrowed, other), wallet)
    assert root == wallet.root


async def test_a_box_whose_address_a_service_of_before_left_empty_is_told_it(escrowed: World, tmp_path: Path) -> None:
    made = await ahead_of_its_code(escrowed)
    await made.give_escrow()
    await asyncio.to_thread(recovery, tmp_path, "UPDATE boxes SET address = x''")
    wallet = await made.enter()
    other = await escrowed.login()
    root, _ = await finished(other, await started(escrowed, other), wallet)
    assert root == wallet.root


async def test_an_address_changes_though_the_service_has_lost_the_box(escrowed: World, tmp_path: Path) -> None:
    wallet = await escrowed.wallet()
    await asyncio.to_thread(recovery, tmp_path, "DELETE FROM boxes")
    assert (await change(escrowed, wallet.device))["user"]["email"] == NEW
    assert await escrowed.sql("SELECT address_due FROM wallets") == [(0,)]
    escrowed.clock.advance(31)
    other = await escrowed.login(NEW)
    assert (await other.refused("/v1/recovery/start")).code == "box"


async def test_of_a_service_that_does_not_answer_nothing_else_is_asked(
    secure_url: str, tmp_path: Path, mailbox: Mailbox
) -> None:
    """Each waits ten seconds for it, and what is done every minute besides waits as well."""
    async with running_with_escrow(secure_url, tmp_path, mailbox) as site:
        users = {(await entered(site, email)).user_id for email in (ADA, EVE)}
    await site.sql("UPDATE wallets SET address_due = 1")
    asked: list[str] = []

    class Away:
        async def change_address(self, box: str, *_: Any) -> None:
            asked.append(box)
            raise CallError(503, "recovery", "")

    engine, clock = open_engine(site.settings.secure_database_url), site.clock
    addresses = BoxAddresses(engine, cast("RecoveryClient", Away()), Users(site.settings.key_ring()), clock)
    await addresses.carry_on()
    assert len(asked) == 1
    await addresses.carry_on()
    await close_engine(engine)
    assert set(asked) == users
