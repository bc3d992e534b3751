"""Guesses, foreign attempts, and limits of logins; everything about an address is the same whether or not it has an account."""

import asyncio
import os
from collections import Counter

import pytest

from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.world import ADA, EVE, World, running, settings_for
from walletmodal.secure.browser_name import browser_name
from walletmodal.secure.encoding import encode

UNKNOWN = "nobody@example.com"


def other_than(code: str) -> str:
    return f"{(int(code) + 1) % 10 ** len(code):0{len(code)}d}"


async def fail(world: World, device: Device, attempt: str, times: int, email: str = ADA) -> list[str]:
    """Wrong codes, and how they were refused."""
    wrong = {"attempt": attempt, "otp": other_than(world.mailbox.last(email).code)}
    return [(await device.refused("/v1/login/otp", wrong)).code for _ in range(times)]


async def test_a_wrong_code_is_refused_and_the_right_one_counts_after_it(world: World) -> None:
    device, begun = await world.begin()
    refused = await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": "1"})
    assert (refused.status, refused.code, refused.error["message"]) == (400, "invalid_code", "Invalid code")
    await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": world.mailbox.last(ADA).code})


async def test_a_code_counts_once(world: World) -> None:
    device, begun = await world.begin()
    body = {"attempt": begun["attempt"], "otp": world.mailbox.last(ADA).code}
    await device.call("/v1/login/otp", body)
    assert (await device.refused("/v1/login/otp", body)).code == "invalid_code"


async def test_a_code_shown_twice_at_once_counts_once(world: World) -> None:
    device, begun = await world.begin()
    body = {"attempt": begun["attempt"], "otp": world.mailbox.last(ADA).code}
    answers = await asyncio.gather(*(device.raw("/v1/login/otp", body) for _ in range(4)))
    assert sorted(answer.status_code for answer in answers) == [200, 400, 400, 400]


async def test_a_code_counts_in_its_own_attempt_alone(world: World) -> None:
    device, former = await world.begin()
    old = world.mailbox.last(ADA).code
    world.clock.advance(31)
    _, begun = await world.begin(ADA, device)
    if old != world.mailbox.last(ADA).code:
        assert (await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": old})).code == "invalid_code"
    await device.call("/v1/login/otp", {"attempt": former["attempt"], "otp": old})


async def test_another_devices_attempt_is_nobodys(world: World) -> None:
    _, begun = await world.begin()
    code = world.mailbox.last(ADA).code
    thief = world.device()
    for path, body in (("/v1/login/otp", {"otp": code}), ("/v1/login/resend", {}), ("/v1/login/device", {})):
        refused = await thief.refused(path, {"attempt": begun["attempt"], **body})
        assert refused.code == ("invalid_code" if "otp" in body else "attempt")


async def test_guesses_of_another_device_do_not_end_an_attempt(world: World) -> None:
    device, begun = await world.begin()
    await fail(world, world.device(), begun["attempt"], 20)
    await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": world.mailbox.last(ADA).code})


async def test_five_wrong_codes_end_an_attempt(world: World) -> None:
    device, begun = await world.begin()
    assert await fail(world, device, begun["attempt"], 6) == [*["invalid_code"] * 4, *["too_many_tries"] * 2]
    right = {"attempt": begun["attempt"], "otp": world.mailbox.last(ADA).code}
    refused = await device.refused("/v1/login/otp", right)
    assert (refused.status, refused.code) == (429, "too_many_tries")
    world.clock.advance(31)
    assert (await device.refused("/v1/login/resend", {"attempt": begun["attempt"]})).code == "attempt"


async def test_of_guesses_at_the_same_moment_five_count(world: World) -> None:
    device, begun = await world.begin()
    wrong = {"attempt": begun["attempt"], "otp": other_than(world.mailbox.last(ADA).code)}
    answers = await asyncio.gather(*(device.raw("/v1/login/otp", wrong) for _ in range(12)))
    assert sum(answer.json()["error"]["code"] == "invalid_code" for answer in answers) == 4


async def test_ten_thousand_guesses_find_nothing(world: World) -> None:
    device, begun = await world.begin()
    code, refusals = int(world.mailbox.last(ADA).code), Counter[str]()
    for guess in range(1, 10_001):
        if guess % 500 == 0:
            world.clock.advance(25)
        otp = f"{(code + guess) % 10**6:06d}"
        refusals[(await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp})).code] += 1
    assert refusals == {"invalid_code": 4, "too_many_tries": 9_996}
    right = {"attempt": begun["attempt"], "otp": f"{code:06d}"}
    assert (await device.refused("/v1/login/otp", right)).code == "too_many_tries"


async def test_an_address_gets_a_mail_in_thirty_seconds(world: World) -> None:
    device, _ = await world.begin()
    other = world.device()
    refused = await other.refused("/v1/login/email", {"email": ADA})
    assert (refused.status, refused.code, refused.error["retryAfter"]) == (429, "cooldown", 30)
    assert refused.error["message"] == "Please try again after 30 seconds"
    world.clock.advance(12.5)
    assert (await other.refused("/v1/login/email", {"email": ADA})).error["retryAfter"] == 18
    await device.call("/v1/login/email", {"email": EVE})
    world.clock.advance(17.5)
    await device.call("/v1/login/email", {"email": ADA})
    assert len(world.mailbox.of(ADA)) == 2


async def test_the_device_that_waits_for_a_mail_is_told_of_its_attempt_again(world: World) -> None:
    device, begun = await world.begin()
    world.clock.advance(12.5)
    assert await device.call("/v1/login/email", {"email": ADA}) == {**begun, "retryAfter": 18}
    otp = world.mailbox.newest_code(ADA)
    assert "session" in await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp})
    assert len(world.mailbox.of(ADA)) == 1
    # The code has counted.
    assert (await device.refused("/v1/login/email", {"email": ADA})).code == "cooldown"


async def test_an_attempt_that_wrong_codes_have_ended_is_not_told_of_again(world: World) -> None:
    device, begun = await world.begin()
    code = int(world.mailbox.newest_code(ADA))
    for _ in range(5):
        await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": f"{(code + 1) % 10**6:06d}"})
    assert (await device.refused("/v1/login/email", {"email": ADA})).code == "cooldown"


async def ask(world: World, times: int, email: str = ADA) -> list[dict[str, object]]:
    """Asks so many times, as often as the cooldown lets one."""
    answers = []
    for _ in range(times):
        answers.append(await world.device().call("/v1/login/email", {"email": email}))
        world.clock.advance(30)
    return answers


async def test_an_address_gets_eight_mails_an_hour_and_ten_a_day(world: World) -> None:
    answers = await ask(world, 12)
    assert {answer["action"] for answer in answers} == {"VERIFY_OTP"}
    assert len(world.mailbox.of(ADA)) == 8
    world.clock.advance(3600)
    assert len(await ask(world, 5)) == 5
    assert len(world.mailbox.of(ADA)) == 10
    world.clock.advance(86_400)
    await ask(world, 1)
    assert len(world.mailbox.of(ADA)) == 11


async def test_a_mail_that_is_not_sent_has_no_code_that_counts(world: World) -> None:
    await ask(world, 8)
    device, begun = await world.begin()
    for mail in world.mailbox.of(ADA)[:3]:
        refused = await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": mail.code})
        assert refused.code == "invalid_code"


@pytest.mark.parametrize("times", [1, 5])
async def test_no_code_counts_where_no_mail_was_sent(world: World, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    await ask(world, 8)
    monkeypatch.setattr("walletmodal.secure.login.attempts.new_code", lambda *_: "271828")
    device, begun = await world.begin()
    guess = {"attempt": begun["attempt"], "otp": "271828"}
    refusals = [(await device.refused("/v1/login/otp", guess)).code for _ in range(times)]
    assert refusals == ["invalid_code", *["invalid_code"] * 3, "too_many_tries"][:times]
    assert len(world.mailbox.of(ADA)) == 8


async def test_who_asks_for_mails_to_an_address_locks_no_device_out_that_has_its_wallet(world: World) -> None:
    wallet = await world.wallet()
    await ask(world, 9)
    stranger, begun = await world.begin(ADA)
    sent = len(world.mailbox.of(ADA))
    again = await world.login(ADA, wallet.device)
    assert (await again.call("/v1/me"))["user"]["id"] == wallet.user_id
    assert len(world.mailbox.of(ADA)) == sent + 1
    resent = await stranger.call("/v1/login/resend", {"attempt": begun["attempt"]})
    assert resent["action"] == "VERIFY_OTP"
    assert len(world.mailbox.of(ADA)) == sent + 1


async def test_a_device_that_has_the_wallet_has_limits_of_its_own_and_is_frozen_too(world: World) -> None:
    wallet = await world.wallet()
    for _ in range(8):
        await world.begin(ADA, wallet.device)
        world.clock.advance(30)
    before = len(world.mailbox.of(ADA))
    assert (await world.begin(ADA, wallet.device))[1] == (await world.begin(ADA, wallet.device))[1]
    assert len(world.mailbox.of(ADA)) == before == 9
    world.clock.advance(3600)
    await world.client.post(world.mailbox.last(ADA).link("/not-me"))
    await world.begin(ADA, wallet.device)
    assert len(world.mailbox.of(ADA)) == before


async def test_no_code_counts_that_is_asked_for_while_an_address_is_frozen(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    await world.begin()
    await world.client.post(world.mailbox.last(ADA).link("/not-me"))
    world.clock.advance(30)
    monkeypatch.setattr("walletmodal.secure.login.attempts.new_code", lambda *_: "271828")
    device, begun = await world.begin()
    refused = await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": "271828"})
    assert refused.code == "invalid_code"


async def test_answers_are_the_same_for_known_and_unknown_addresses(world: World) -> None:
    await world.wallet()
    shapes = []
    for email in (ADA, UNKNOWN):
        device, begun = await world.begin(email)
        shape = [sorted(begun), begun["action"], begun["retryAfter"]]
        shape += [(await world.begin(email, device))[1] == begun]
        shape += [(await world.device().refused("/v1/login/email", {"email": email})).error]
        shape += [await fail(world, device, begun["attempt"], 6, email)]
        world.clock.advance(31)
        _, again = await world.begin(email)
        shapes.append([*shape, again["action"], [mail.subject[6:] for mail in world.mailbox.of(email)][-2:]])
        world.clock.advance(31)
    assert shapes[0] == shapes[1]


async def test_after_an_ended_attempt_the_device_is_approved_by_link(world: World) -> None:
    attacker, begun = await world.begin()
    await fail(world, attacker, begun["attempt"], 5)
    world.clock.advance(31)
    device, begun = await world.begin()
    assert begun["action"] == "VERIFY_DEVICE"
    mail = world.mailbox.last(ADA)
    assert mail.subject == "Approve a login to Example"
    assert begun["words"] in mail.text
    link = mail.link("/device")
    page = await world.client.get(link)
    assert page.status_code == 200
    assert begun["words"] in page.text
    assert len(world.mailbox.of(ADA)) == 2, "who only looks at the link approves nothing"
    assert (await world.client.post(link)).status_code == 200
    assert await device.call("/v1/login/device", {"attempt": begun["attempt"]}) == {"approved": True}
    otp = world.mailbox.last(ADA).code
    assert (await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp}))["user"]["email"] == ADA
    assert (await world.client.post(link)).status_code == 404


async def test_without_approval_no_code_counts(world: World) -> None:
    attacker, begun = await world.begin()
    code = world.mailbox.last(ADA).code
    await fail(world, attacker, begun["attempt"], 5)
    world.clock.advance(31)
    _, begun = await world.begin(ADA, attacker)
    for otp in (code, "000000"):
        refused = await attacker.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp})
        assert refused.code == "invalid_code"


async def test_waiting_for_approval_ends_when_it_comes(world: World) -> None:
    attacker, begun = await world.begin()
    await fail(world, attacker, begun["attempt"], 5)
    world.clock.advance(31)
    device, begun = await world.begin()
    waiting = asyncio.create_task(device.call("/v1/login/device", {"attempt": begun["attempt"]}))
    await world.clock.asleep(3)
    await world.client.post(world.mailbox.last(ADA).link("/device"))
    assert await waiting == {"approved": True}


async def test_waiting_for_approval_ends_after_twenty_five_seconds(world: World) -> None:
    attacker, begun = await world.begin()
    await fail(world, attacker, begun["attempt"], 5)
    world.clock.advance(31)
    device, begun = await world.begin()
    waiting = asyncio.create_task(device.call("/v1/login/device", {"attempt": begun["attempt"]}))
    await world.clock.asleep(3)
    world.clock.advance(25)
    assert await waiting == {"approved": False}


async def test_a_link_counts_until_the_next_one_and_for_twenty_minutes(world: World) -> None:
    attacker, begun = await world.begin()
    await fail(world, attacker, begun["attempt"], 5)
    world.clock.advance(31)
    device, begun = await world.begin()
    former = world.mailbox.last(ADA).link("/device")
    world.clock.advance(31)
    await device.call("/v1/login/resend", {"attempt": begun["attempt"]})
    assert (await world.client.post(former)).status_code == 404
    world.clock.advance(20 * 60)
    assert (await world.client.post(world.mailbox.last(ADA).link("/device"))).status_code == 404


@pytest.mark.parametrize(
    ("approval", "actions"),
    [("always", ["VERIFY_DEVICE", "VERIFY_DEVICE"]), ("never", ["VERIFY_OTP", "VERIFY_OTP"])],
)
async def test_approval_may_be_asked_for_always_or_never(
    secure_url: str, mailbox: Mailbox, approval: str, actions: list[str]
) -> None:
    settings = settings_for(secure_url, mailbox.url, secure_device_approval=approval)
    async with running(settings, mailbox) as world:
        device, begun = await world.begin()
        seen = [begun["action"]]
        if approval == "never":
            await fail(world, device, begun["attempt"], 5)
        world.clock.advance(31)
        seen.append((await world.begin())[1]["action"])
        assert seen == actions


async def test_it_was_not_me_freezes_the_account_for_a_day(world: World) -> None:
    wallet = await world.wallet()
    link = world.mailbox.last(ADA).link("/not-me")
    assert "Freeze for a day" in (await world.client.get(link)).text
    await wallet.joined()
    assert (await world.client.post(link)).status_code == 200
    # The session came of the login that was refused.
    assert (await wallet.device.refused("/v1/me")).code == "session"
    sent = len(world.mailbox.of(ADA))
    device, begun = await world.begin()
    assert begun["action"] == "VERIFY_OTP"
    assert len(world.mailbox.of(ADA)) == sent
    assert (await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": "000000"})).code
    world.clock.advance(86_400)
    again = await world.login(ADA, wallet.device)
    assert (await again.call("/v1/me"))["user"]["frozenUntil"] is None
    await wallet.joined()


async def test_a_frozen_account_signs_nothing(world: World) -> None:
    wallet = await world.wallet()
    world.clock.advance(60)
    await world.begin()
    await world.client.post(world.mailbox.last(ADA).link("/not-me"))
    refused = await wallet.device.refused("/v1/wallet/half", {"use": "sign"})
    assert (refused.status, refused.code) == (423, "frozen")
    until = (await wallet.device.call("/v1/me"))["user"]["frozenUntil"]
    assert until == refused.error["frozenUntil"]
    for path, body in (("/v1/email/update", {"email": EVE}), ("/v1/recovery/start", {})):
        assert (await wallet.device.refused(path, body)).code == "frozen"
    world.clock.advance(86_400)
    await wallet.joined()


async def test_freezing_an_address_that_nobody_has_is_the_same(world: World) -> None:
    await world.begin(UNKNOWN)
    link = world.mailbox.last(UNKNOWN).link("/not-me")
    assert (await world.client.post(link)).status_code == 200
    world.clock.advance(31)
    _, begun = await world.begin(UNKNOWN)
    assert begun["action"] == "VERIFY_OTP"
    assert len(world.mailbox.of(UNKNOWN)) == 1


@pytest.mark.parametrize("path", ["/device", "/not-me"])
async def test_a_link_that_is_none_is_a_sentence(world: World, path: str) -> None:
    for method in ("GET", "POST"):
        answer = await world.client.request(method, f"{path}/{encode(os.urandom(24))}")
        assert answer.status_code == 404
        assert "does not count any more" in answer.text


@pytest.mark.parametrize(
    "claimed", ["<b>Chrome/1</b> Windows\r\nBcc: eve@example.com", "Chrome/1 https://evil.example Windows"]
)
def test_a_browser_writes_nothing_of_its_own_into_mails(claimed: str) -> None:
    assert browser_name(claimed) == "Chrome on Windows"
