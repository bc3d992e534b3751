"""A change of address that its owner has not made: recovery waits, and the former address can undo it."""

from tests.patience import eventually
from tests.secure.device import Device
from tests.secure.test_email_update import DAY, NEW, change, to_the_second_code
from tests.secure.test_recovery import finished, started
from tests.secure.world import ADA, EVE, Wallet, World

THIRD = "third@example.com"


async def undo_link(world: World, to: str = ADA) -> str:
    """The link of the mail that tells an address of the change."""
    await eventually(lambda: "was changed: " in world.mailbox.last(to).subject)
    return str(world.mailbox.last(to).link("/not-me"))


async def stolen(world: World) -> tuple[Wallet, Device]:
    """A wallet whose address somebody else has changed to their own, where they have logged in on a device of theirs."""
    wallet = await world.wallet()
    await change(world, wallet.device)
    world.clock.advance(31)
    return wallet, await world.login(NEW)


async def test_recovery_at_the_new_address_waits_for_a_day(escrowed: World) -> None:
    wallet, thief = await stolen(escrowed)
    refused = await thief.refused("/v1/recovery/start")
    assert (refused.status, refused.code) == (423, "held")
    assert "UTC" in refused.error["message"]
    assert not any("recovers your wallet" in mail.subject for mail in escrowed.mailbox.of(NEW))
    escrowed.clock.advance(DAY)
    root, _ = await finished(thief, await started(escrowed, thief, NEW), wallet)
    assert root == wallet.root


async def test_a_recovery_code_of_before_does_not_count_after_the_change(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await escrowed.login()
    code = await started(escrowed, other)
    await change(escrowed, wallet.device)
    assert (
        await other.refused("/v1/recovery/finish", {"code": code, "key": wallet.device.point})
    ).code == "invalid_code"


async def test_the_former_address_gets_the_account_back(escrowed: World) -> None:
    wallet, thief = await stolen(escrowed)
    link = await undo_link(escrowed)
    assert "changed back to this one" in (await escrowed.client.get(link)).text
    assert "Your address is back" in (await escrowed.client.post(link)).text
    for device in (thief, wallet.device):
        assert (await device.refused("/v1/me")).code == "session"
    escrowed.clock.advance(DAY)
    again = await escrowed.login(ADA, wallet.device)
    assert (await again.call("/v1/me"))["user"]["id"] == wallet.user_id
    assert await wallet.joined() == wallet.root
    other = await escrowed.login(NEW)
    assert (await other.call("/v1/me"))["user"]["wallet"] is None


async def test_codes_of_recovery_go_to_the_former_address_again(escrowed: World) -> None:
    wallet, _ = await stolen(escrowed)
    await escrowed.client.post(await undo_link(escrowed))
    escrowed.clock.advance(DAY)
    device = await escrowed.login()
    root, _ = await finished(device, await started(escrowed, device), wallet)
    assert root == wallet.root


async def test_both_addresses_are_told_that_it_was_undone(escrowed: World) -> None:
    await stolen(escrowed)
    await escrowed.client.post(await undo_link(escrowed))
    await eventually(lambda: "was changed back" in escrowed.mailbox.last(ADA).subject)
    await eventually(lambda: "was changed back" in escrowed.mailbox.last(NEW).subject)


async def test_the_account_is_frozen_for_a_day(escrowed: World) -> None:
    await stolen(escrowed)
    await escrowed.client.post(await undo_link(escrowed))
    sent = len(escrowed.mailbox.of(ADA))
    await escrowed.begin(ADA)
    assert len([mail for mail in escrowed.mailbox.of(ADA)[sent:] if "is your code" in mail.subject]) == 0


async def test_the_mail_with_the_code_undoes_the_change_too(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    second = await to_the_second_code(escrowed, wallet.device)
    link = next(mail for mail in escrowed.mailbox.of(ADA) if "moves your account" in mail.subject).link("/not-me")
    otp = escrowed.mailbox.last(NEW).code
    await wallet.device.call("/v1/email/secondary", {"attempt": second["attempt"], "otp": otp})
    assert "Your address is back" in (await escrowed.client.post(link)).text


async def test_after_the_hold_the_link_freezes_alone(escrowed: World) -> None:
    wallet, _ = await stolen(escrowed)
    link = await undo_link(escrowed)
    escrowed.clock.advance(DAY)
    assert "Frozen for a day" in (await escrowed.client.post(link)).text
    assert (await wallet.device.call("/v1/me"))["user"]["email"] == NEW


async def test_a_link_counts_once(escrowed: World) -> None:
    wallet, _ = await stolen(escrowed)
    link = await undo_link(escrowed)
    await escrowed.client.post(link)
    assert "Frozen for a day" in (await escrowed.client.post(link)).text
    escrowed.clock.advance(DAY)
    again = await escrowed.login(ADA, wallet.device)
    assert (await again.call("/v1/me"))["user"]["id"] == wallet.user_id


async def test_a_second_change_does_not_hide_the_first(escrowed: World) -> None:
    wallet, _ = await stolen(escrowed)
    link = await undo_link(escrowed)
    begun = await wallet.device.call("/v1/email/update", {"email": THIRD})
    body = {"attempt": begun["attempt"], "otp": escrowed.mailbox.last(NEW).code}
    second = await wallet.device.call("/v1/email/primary", body)
    body = {"attempt": second["attempt"], "otp": escrowed.mailbox.last(THIRD).code}
    await wallet.device.call("/v1/email/secondary", body)
    await escrowed.client.post(link)
    escrowed.clock.advance(DAY)
    device = await escrowed.login(ADA)
    assert (await device.call("/v1/me"))["user"]["id"] == wallet.user_id
    root, _ = await finished(device, await started(escrowed, device), wallet)
    assert root == wallet.root


async def test_who_has_the_new_address_cannot_stop_it_by_refusing_mail(escrowed: World) -> None:
    await stolen(escrowed)
    link = await undo_link(escrowed)
    escrowed.mailbox.answer = "554 no"
    assert "Your address is back" in (await escrowed.client.post(link)).text


async def test_nobody_else_can_take_the_former_address_meanwhile(escrowed: World) -> None:
    await stolen(escrowed)
    device, begun = await escrowed.begin(ADA)
    body = {"attempt": begun["attempt"], "otp": escrowed.mailbox.newest_code(ADA)}
    assert (await device.refused("/v1/login/otp", body)).code == "address_changed"
    eve = (await escrowed.wallet(EVE)).device
    begun = await eve.call("/v1/email/update", {"email": ADA})
    body = {"attempt": begun["attempt"], "otp": escrowed.mailbox.newest_code(EVE)}
    second = await eve.call("/v1/email/primary", body)
    body = {"attempt": second["attempt"], "otp": escrowed.mailbox.newest_code(ADA)}
    assert (await eve.refused("/v1/email/secondary", body)).code == "email_taken"


async def test_who_goes_back_to_the_former_address_waits_for_nothing(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    await change(escrowed, wallet.device)
    escrowed.clock.advance(31)
    begun = await wallet.device.call("/v1/email/update", {"email": ADA})
    body = {"attempt": begun["attempt"], "otp": escrowed.mailbox.newest_code(NEW)}
    second = await wallet.device.call("/v1/email/primary", body)
    body = {"attempt": second["attempt"], "otp": escrowed.mailbox.newest_code(ADA)}
    await wallet.device.call("/v1/email/secondary", body)
    escrowed.clock.advance(31)
    device = await escrowed.login()
    root, _ = await finished(device, await started(escrowed, device), wallet)
    assert root == wallet.root


async def test_the_link_of_another_mail_changes_nothing_back(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    await escrowed.begin(ADA)
    link = escrowed.mailbox.last(ADA).link("/not-me")
    escrowed.clock.advance(31)
    await change(escrowed, wallet.device)
    assert "Frozen for a day" in (await escrowed.client.post(link)).text
    assert (await wallet.device.call("/v1/me"))["user"]["email"] == NEW
