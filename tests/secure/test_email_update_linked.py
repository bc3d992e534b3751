"""A change of address that is approved behind a link in the mail: for a host page's own client, which shows no card for it."""

import re

from tests.secure.device import Device
from tests.secure.world import ADA, World

NEW = "countess@example.com"


async def begun(world: World, device: Device) -> str:
    """The attempt of a change whose link is on its way."""
    answer = await device.call("/v1/email/update", {"email": NEW, "linked": True})
    assert answer["action"] == "VERIFY_PRIMARY_OTP"
    return str(answer["attempt"])


async def approved(world: World) -> str:
    """The code that the page of the link shows."""
    page = await world.client.post(world.mailbox.last(ADA).link("/move"))
    found = re.search(r"Your code is (\d{6})", page.text)
    assert found, page.text
    return found[1]


async def test_the_code_is_on_the_page_that_names_both_addresses_and_changes_the_address(world: World) -> None:
    wallet = await world.wallet()
    attempt = await begun(world, wallet.device)
    page = await world.client.get(world.mailbox.last(ADA).link("/move"))
    assert f"Now: {ADA}" in page.text
    assert f"New: {NEW}" in page.text
    assert not re.search(r"\b\d{6}\b", page.text)
    otp = await approved(world)
    second = await wallet.device.call("/v1/email/primary", {"attempt": attempt, "otp": otp})
    answer = await wallet.device.call(
        "/v1/email/secondary", {"attempt": second["attempt"], "otp": world.mailbox.last(NEW).code}
    )
    assert answer["user"]["email"] == NEW


async def test_the_mail_has_no_code(world: World) -> None:
    wallet = await world.wallet()
    await begun(world, wallet.device)
    mail = world.mailbox.last(ADA)
    assert f"move your account from this address to {NEW}" in mail.text
    assert not re.search(r"\b\d{6}\b", mail.subject + mail.text)


async def test_no_code_counts_before_the_change_is_approved(world: World) -> None:
    wallet = await world.wallet()
    attempt = await begun(world, wallet.device)
    for _ in range(5):
        refused = await wallet.device.refused("/v1/email/primary", {"attempt": attempt, "otp": "123456"})
        assert refused.code == "invalid_code"
    otp = await approved(world)
    await wallet.device.call("/v1/email/primary", {"attempt": attempt, "otp": otp})


async def test_the_link_counts_once_and_for_20_minutes(world: World) -> None:
    wallet = await world.wallet()
    await begun(world, wallet.device)
    link = world.mailbox.last(ADA).link("/move")
    assert (await world.client.post(link)).status_code == 200
    assert (await world.client.post(link)).status_code == 404
    world.clock.advance(31)
    await begun(world, wallet.device)
    late = world.mailbox.last(ADA).link("/move")
    world.clock.advance(20 * 60 + 1)
    assert [(await world.client.get(late)).status_code, (await world.client.post(late)).status_code] == [404, 404]


async def test_the_link_lets_no_device_in(world: World) -> None:
    wallet = await world.wallet()
    await begun(world, wallet.device)
    token = world.mailbox.last(ADA).link("/move").removeprefix("/move/")
    assert (await world.client.get(f"/device/{token}")).status_code == 404
    assert (await world.client.post(f"/device/{token}")).status_code == 404
    assert (await world.client.get(f"/move/{token}")).status_code == 200


async def test_the_page_may_be_framed_by_nobody(world: World) -> None:
    wallet = await world.wallet()
    await begun(world, wallet.device)
    page = await world.client.get(world.mailbox.last(ADA).link("/move"))
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


async def test_who_says_that_it_was_not_them_ends_it(world: World) -> None:
    wallet = await world.wallet()
    await begun(world, wallet.device)
    mail = world.mailbox.last(ADA)
    assert (await world.client.post(mail.link("/not-me"))).status_code == 200
    assert (await world.client.post(mail.link("/move"))).status_code == 404
