"""A change of address: a code to the present one, then one to the new one."""

from typing import Any

from tests.patience import eventually
from tests.secure.device import Device
from tests.secure.test_recovery import finished, started
from tests.secure.world import ADA, EVE, Wallet, World
from walletmodal.secure.encoding import decode

NEW = "countess@example.com"
DAY = 86_400


async def to_the_second_code(world: World, device: Device, email: str = NEW) -> dict[str, Any]:
    """The attempt whose code was mailed to the new address."""
    begun = await device.call("/v1/email/update", {"email": email})
    assert begun["action"] == "VERIFY_PRIMARY_OTP"
    otp = world.mailbox.newest_code(ADA)
    second: dict[str, Any] = await device.call("/v1/email/primary", {"attempt": begun["attempt"], "otp": otp})
    assert second["action"] == "VERIFY_SECONDARY_OTP"
    return second


async def change(world: World, device: Device, email: str = NEW) -> dict[str, Any]:
    second = await to_the_second_code(world, device, email)
    otp = world.mailbox.newest_code(email)
    answer: dict[str, Any] = await device.call("/v1/email/secondary", {"attempt": second["attempt"], "otp": otp})
    return answer


async def test_an_address_is_changed_with_both_codes(world: World) -> None:
    wallet = await world.wallet()
    user = (await change(world, wallet.device))["user"]
    assert (user["email"], user["id"]) == (NEW, wallet.user_id)
    world.clock.advance(31)
    again = await world.login(NEW, wallet.device)
    assert (await again.call("/v1/me"))["user"]["wallet"] == wallet.user["wallet"]
    await wallet.joined()
    world.clock.advance(DAY)
    other = await world.login(ADA)
    assert (await other.call("/v1/me"))["user"]["id"] != wallet.user_id


async def test_the_former_address_is_told(world: World) -> None:
    wallet = await world.wallet()
    await change(world, wallet.device)
    await eventually(lambda: "was changed" in world.mailbox.last(ADA).subject)
    assert NEW not in world.mailbox.last(ADA).text


async def test_the_mail_to_the_present_address_says_that_it_moves_the_account_and_where_to(world: World) -> None:
    wallet = await world.wallet()
    await wallet.device.call("/v1/email/update", {"email": NEW})
    mail = world.mailbox.last(ADA)
    for text in (mail.text, mail.html):
        assert f"This code moves your account from this address to {NEW}." in text
        assert "It logs nobody in." in text
    assert mail.subject == f"{mail.code} moves your account at Example to another address"


async def test_it_was_not_me_freezes_the_account_after_its_address_has_changed(world: World) -> None:
    wallet = await world.wallet()
    await world.begin(ADA)
    link = world.mailbox.last(ADA).link("/not-me")
    world.clock.advance(31)
    await change(world, wallet.device)
    assert (await world.client.post(link)).status_code == 200
    assert (await wallet.device.call("/v1/me"))["user"]["email"] == NEW
    refused = await wallet.device.refused("/v1/wallet/half", {"use": "sign"})
    assert (refused.status, refused.code) == (423, "frozen")


async def test_an_address_that_is_taken_is_told_of_after_its_code_alone(world: World) -> None:
    await world.login(EVE)
    wallet = await world.wallet()
    second = await to_the_second_code(world, wallet.device, EVE)
    otp = world.mailbox.last(EVE).code
    wrong = f"{(int(otp) + 1) % 10**6:06d}"
    refused = await wallet.device.refused("/v1/email/secondary", {"attempt": second["attempt"], "otp": wrong})
    assert refused.code == "invalid_code"
    refused = await wallet.device.refused("/v1/email/secondary", {"attempt": second["attempt"], "otp": otp})
    assert (refused.status, refused.code) == (409, "email_taken")
    assert (await wallet.device.call("/v1/me"))["user"]["email"] == ADA


async def test_codes_of_one_step_do_not_count_in_another(world: World) -> None:
    wallet = await world.wallet()
    begun = await wallet.device.call("/v1/email/update", {"email": NEW})
    body = {"attempt": begun["attempt"], "otp": world.mailbox.newest_code(ADA)}
    for path in ("/v1/email/secondary", "/v1/login/otp"):
        assert (await wallet.device.refused(path, body)).code == "invalid_code"
    await wallet.device.call("/v1/email/primary", body)


async def test_a_login_code_does_not_change_an_address(world: World) -> None:
    wallet = await world.wallet()
    _, begun = await world.begin(ADA, wallet.device)
    body = {"attempt": begun["attempt"], "otp": world.mailbox.newest_code(ADA)}
    for path in ("/v1/email/primary", "/v1/email/secondary"):
        assert (await wallet.device.refused(path, body)).code == "invalid_code"


async def test_another_user_of_the_device_cannot_finish_a_change(world: World) -> None:
    wallet = await world.wallet()
    begun = await wallet.device.call("/v1/email/update", {"email": NEW})
    otp = world.mailbox.newest_code(ADA)
    eve = await world.login(EVE, Device(world.client, world.clock, wallet.device.key))
    refused = await eve.refused("/v1/email/primary", {"attempt": begun["attempt"], "otp": otp})
    assert refused.code == "invalid_code"


async def test_codes_of_recovery_go_to_the_new_address(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    await change(escrowed, wallet.device)
    assert any("go to another address" in mail.subject for mail in escrowed.mailbox.of(ADA))
    escrowed.clock.advance(DAY)
    other = await escrowed.login(NEW)
    root, _ = await finished(other, await started(escrowed, other, NEW), wallet)
    assert root == wallet.root


async def test_where_the_recovery_service_cannot_tell_the_former_address_nothing_changes(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    second = await to_the_second_code(escrowed, wallet.device)
    otp = escrowed.mailbox.newest_code(NEW)
    escrowed.mailbox.answer = "554 no"
    refused = await wallet.device.refused("/v1/email/secondary", {"attempt": second["attempt"], "otp": otp})
    assert (refused.status, refused.code) == (503, "mail")
    escrowed.mailbox.answer = "250 ok"
    assert (await wallet.device.call("/v1/me"))["user"]["email"] == ADA
    escrowed.clock.advance(31)
    other = await escrowed.login()
    await started(escrowed, other)


async def test_a_wallet_without_escrow_changes_its_address_without_the_service(escrowed: World) -> None:
    device = await escrowed.login()
    user = (await device.call("/v1/me"))["user"]["id"]
    await device.call("/v1/wallet", Wallet(device, user).body())
    assert decode(escrowed.settings.recovery_public_key or "")
    assert (await change(escrowed, device))["user"]["email"] == NEW
