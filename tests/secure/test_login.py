"""Logging in with a code by mail."""

import pytest

from tests.secure.device import CallFailedError
from tests.secure.world import ADA, World


async def test_a_code_by_mail_logs_in(world: World) -> None:
    device, begun = await world.begin()
    assert begun["action"] == "VERIFY_OTP"
    assert begun["retryAfter"] == 30
    mail = world.mailbox.last(ADA)
    answer = await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": mail.code})
    user = answer["user"]
    assert user["email"] == ADA
    assert (user["wallet"], user["device"], user["escrow"], user["frozenUntil"]) == (None, False, False, None)
    device.session = answer["session"]
    assert (await device.call("/v1/me"))["user"] == user


async def test_the_mail_says_what_it_is_for(world: World) -> None:
    device, begun = await world.begin()
    again = world.device()
    world.clock.advance(31)
    begun = await again.call("/v1/login/email", {"email": ADA, "site": "http://localhost:8700"})
    mail = world.mailbox.last(ADA)
    assert mail.subject == f"{mail.code} is your code for Example"
    for said in (mail.code, begun["words"], "localhost:8701", "Chrome on Windows, at http://localhost:8700"):
        assert said in mail.text
        assert said in mail.html
    assert "never ask for this code by phone or chat" in mail.text
    assert mail.link("/not-me")
    assert device is not again


async def test_a_site_that_is_not_known_is_not_named(world: World) -> None:
    device = world.device()
    await device.call("/v1/login/email", {"email": ADA, "site": "https://evil.example"})
    assert "evil" not in world.mailbox.last(ADA).text


async def test_one_address_is_one_account_in_any_case(world: World) -> None:
    one = await world.login("Ada@Example.COM".lower())
    other = world.device()
    begun = await other.call("/v1/login/email", {"email": "  Ada@EXAMPLE.com "})
    otp = world.mailbox.last(ADA).code
    user = (await other.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp}))["user"]
    assert user == (await one.call("/v1/me"))["user"]


@pytest.mark.parametrize(
    "email",
    [
        "", "ada", "ada@", "@example.com", "ada@example", "ada@exa mple.com", "a..b@example.com", "ada@-example.com",
        "ada@example.com\r\nBcc: eve@example.com", '"ada"@example.com', "ada@127.0.0.1", f"{'a' * 65}@example.com",
        "ada@example.com, eve@example.com", "<ada@example.com>", "ädа@example.com",
    ],
)  # fmt: skip
async def test_what_is_no_address_is_refused(world: World, email: str) -> None:
    refused = await world.device().refused("/v1/login/email", {"email": email})
    assert (refused.status, refused.code, refused.error["message"]) == (400, "invalid_email", "Invalid email")
    assert not world.mailbox.mails


async def test_logging_out_ends_the_session(world: World) -> None:
    device = await world.login()
    assert await device.call("/v1/logout") == {}
    assert (await device.refused("/v1/me")).code == "session"


async def test_a_fresh_code_replaces_the_former_one(world: World) -> None:
    device, begun = await world.begin()
    former = world.mailbox.last(ADA).code
    world.clock.advance(31)
    again = await device.call("/v1/login/resend", {"attempt": begun["attempt"]})
    assert again == begun
    fresh = world.mailbox.last(ADA).code
    if former != fresh:
        refused = await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": former})
        assert refused.code == "invalid_code"
    await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": fresh})


@pytest.mark.parametrize("minutes", [20, 79])
async def test_a_code_counts_for_twenty_minutes_and_is_said_to_have_expired_for_an_hour(
    world: World, minutes: int
) -> None:
    device, begun = await world.begin()
    world.clock.advance(minutes * 60)
    # What has expired is deleted every minute, maybe before the code is entered.
    await world.settled()
    otp = world.mailbox.last(ADA).code
    with pytest.raises(CallFailedError, match="expired_code"):
        await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp})
