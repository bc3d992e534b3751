"""What somebody with many networks gets who asks for mails and guesses codes: neither everybody's logins, nor one owner's, nor a code."""

import pytest

from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.test_login_attacks import other_than
from tests.secure.world import ADA, World, running, settings_for
from walletmodal.core.clock import MovableClock
from walletmodal.secure.calls.limits import Limits, network_of, provider_of
from walletmodal.secure.errors import CallError
from walletmodal.secure.login.addresses import MOST_WRONG_CODES


async def granted(limits: Limits, line: str, times: int, *, known: bool = False) -> int:
    """How many mails somebody gets who asks so often, each time with a device of its own."""
    count = 0
    for number in range(times):
        try:
            await limits.mail(line, f"{line} {number}", known=known)
        except CallError:
            continue
        count += 1
    return count


async def exhausted() -> Limits:
    """The limits after 64 networks of two providers have asked for all that they get."""
    limits = Limits(None, MovableClock())
    for provider in (1, 2):
        for network in range(32):
            await granted(limits, f"203.{provider}.{network}.1", 40)
    return limits


async def test_busy_networks_leave_the_others_their_logins() -> None:
    limits = await exhausted()
    for network in range(400):
        assert await granted(
            limits, f"198.{network % 100}.{network}.7" if network < 256 else f"10.{network - 256}.0.7", 1
        )


async def test_what_is_left_is_shared_out_by_network_and_by_provider() -> None:
    limits = await exhausted()
    assert await granted(limits, "198.51.100.7", 10) == 2
    assert [await granted(limits, f"192.0.{network}.7", 10) for network in range(9)] == [2] * 7 + [1, 0]


async def test_a_device_that_has_the_wallet_gets_its_mail_when_nothing_is_left() -> None:
    limits = await exhausted()
    for one in range(1, 255):
        for other in range(4):
            await granted(limits, f"{one}.{other}.0.1", 5)
    assert await granted(limits, "8.8.8.8", 1) == 0
    assert await granted(limits, "203.1.1.1", 1, known=True) == 1


async def test_a_device_that_has_the_wallet_may_ask_for_ten_mails() -> None:
    limits = Limits(None, MovableClock())
    for _ in range(10):
        await limits.mail("203.0.113.1", "device", known=True)
    with pytest.raises(CallError):
        await limits.mail("203.0.113.1", "device", known=True)


@pytest.mark.parametrize(
    ("line", "provider"),
    [("203.0.113.9", "203.0.0.0/16"), ("2001:db8:1:2::/64", "2001:db8::/32"), ("127.0.0.1", ""), ("nobody", "")],
)
def test_the_provider_of_a_client(line: str, provider: str) -> None:
    assert provider_of(line) == provider


async def asked(world: World, line: str, device: Device | None = None) -> tuple[Device, int, dict[str, object]]:
    """Asks for a mail to Ada from somewhere; device, status and answer."""
    device = device or world.device()
    content = f'{{"email":"{ADA}"}}'.encode()
    headers = device.headers("/v1/login/email", content) | {"x-forwarded-for": line}
    answer = await world.client.post("/v1/login/email", content=content, headers=headers)
    return device, answer.status_code, answer.json()


async def test_a_network_locks_no_new_device_elsewhere_out_of_an_address(world: World) -> None:
    for _ in range(12):
        await asked(world, "203.0.113.1")
        world.clock.advance(3600)
    await asked(world, "203.0.113.1")
    sent = len(world.mailbox.of(ADA))
    # Neither what is left for the day nor the pause of 30 s is used up.
    device, status, begun = await asked(world, "198.51.100.1")
    assert (status, begun["action"], len(world.mailbox.of(ADA))) == (200, "VERIFY_OTP", sent + 1)
    await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": world.mailbox.last(ADA).code})


async def test_all_networks_together_send_fifty_mails_a_day_to_an_address(world: World) -> None:
    for number in range(8 * 10):
        await asked(world, f"203.0.{number % 10}.1")
        world.clock.advance(30)
    assert len(world.mailbox.of(ADA)) == 50


async def guess(world: World, networks: int, wrong: int) -> None:
    """Asks from so many networks, and tries so many wrong codes with each."""
    for number in range(networks):
        device, _, begun = await asked(world, f"203.0.{number}.1")
        if begun["action"] != "VERIFY_OTP":
            continue
        otp = other_than(world.mailbox.newest_code(ADA))
        for _ in range(wrong):
            await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp})


async def test_after_ten_wrong_codes_devices_are_approved_by_link_though_no_attempt_has_ended(world: World) -> None:
    await guess(world, networks=3, wrong=4)
    device, _, begun = await asked(world, "198.51.100.1")
    assert begun["action"] == "VERIFY_DEVICE"
    link = world.mailbox.last(ADA).link("/device")
    assert (await world.client.post(link)).status_code == 200
    await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": world.mailbox.last(ADA).code})


async def begun_before(world: World, networks: int) -> list[tuple[Device, object, str]]:
    """Attempts of as many networks, all begun before the first code is tried."""
    found = []
    for number in range(networks):
        device, _, begun = await asked(world, f"203.0.{number}.1")
        found.append((device, begun["attempt"], world.mailbox.newest_code(ADA)))
    return found


async def test_strangers_try_fifty_codes_of_an_address_a_day_whatever_networks_they_have(world: World) -> None:
    tried = 0
    attempts = await begun_before(world, 14)
    for device, attempt, code in attempts[:13]:
        for _ in range(4):
            refused = await device.refused("/v1/login/otp", {"attempt": attempt, "otp": other_than(code)})
            tried += refused.code == "invalid_code"
    assert tried == MOST_WRONG_CODES
    device, attempt, code = attempts[13]
    refused = await device.refused("/v1/login/otp", {"attempt": attempt, "otp": code})
    assert (refused.status, refused.code) == (429, "too_many_tries")


async def test_the_owner_gets_in_by_link_and_on_known_devices_while_strangers_have_tried_all(world: World) -> None:
    wallet = await world.wallet()
    for device, attempt, code in await begun_before(world, 13):
        for _ in range(4):
            await device.refused("/v1/login/otp", {"attempt": attempt, "otp": other_than(code)})
    new, _, begun = await asked(world, "198.51.100.1")
    assert begun["action"] == "VERIFY_DEVICE"
    assert (await world.client.post(world.mailbox.last(ADA).link("/device"))).status_code == 200
    await new.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": world.mailbox.newest_code(ADA)})
    again = await world.login(ADA, wallet.device)
    assert (await again.call("/v1/me"))["user"]["id"] == wallet.user_id


async def test_without_links_codes_stop_counting_for_the_rest_of_the_day(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url, secure_device_approval="never")
    async with running(settings, mailbox) as world:
        for device, attempt, code in await begun_before(world, 13):
            for _ in range(4):
                await device.refused("/v1/login/otp", {"attempt": attempt, "otp": other_than(code)})
        device, begun = await world.begin()
        body = {"attempt": begun["attempt"], "otp": mailbox.newest_code(ADA)}
        assert (await device.refused("/v1/login/otp", body)).code == "too_many_tries"
        world.clock.advance(86_400)
        await world.login()


async def test_right_codes_are_not_counted_as_wrong(world: World) -> None:
    for number in range(12):
        device, _, begun = await asked(world, f"203.0.{number}.1")
        assert begun["action"] == "VERIFY_OTP"
        await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": world.mailbox.newest_code(ADA)})


async def test_a_device_may_ask_for_ten_mails(world: World) -> None:
    device = world.device()
    for number in range(10):
        await device.call("/v1/login/email", {"email": f"a{number}@example.com"})
    refused = await device.refused("/v1/login/email", {"email": "b@example.com"})
    assert (refused.status, refused.code) == (429, "too_many")
    world.clock.advance(180)
    await device.call("/v1/login/email", {"email": "b@example.com"})


async def test_a_network_may_ask_for_thirty_mails(world: World) -> None:
    async def asked(number: int, address: str) -> int:
        device = world.device()
        content = f'{{"email":"a{number}@example.com"}}'.encode()
        headers = device.headers("/v1/login/email", content) | {"x-forwarded-for": address}
        return (await world.client.post("/v1/login/email", content=content, headers=headers)).status_code

    statuses = [await asked(number, f"203.0.113.{number}") for number in range(31)]
    assert statuses == [*[200] * 30, 429]
    assert await asked(40, "198.51.100.1") == 200


@pytest.mark.parametrize(
    ("line", "network"),
    [
        ("203.0.113.9", "203.0.113.0/24"), ("2001:db8:1:2::/64", "2001:db8:1::/48"), ("127.0.0.1", ""), ("::/64", ""),
        ("testclient", ""),
    ],
)  # fmt: skip
def test_the_network_of_a_client(line: str, network: str) -> None:
    assert network_of(line) == network
