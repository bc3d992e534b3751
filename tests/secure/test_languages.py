"""Mails and pages of the secure site in other languages than English."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.secure.device import Device
from tests.secure.mailbox import Mailbox
from tests.secure.test_recovery import a_key
from tests.secure.world import ADA, Wallet, World, running, running_with_escrow, settings_for
from walletmodal.secure.encoding import decode
from walletmodal.secure.login.mails import Occasion, Sender, code_mail
from walletmodal.services.languages import Spoken
from walletmodal.services.pseudo_language import PSEUDO

LOCALES = f"en,{PSEUDO}"


@pytest_asyncio.fixture
async def site(secure_url: str, mailbox: Mailbox) -> AsyncIterator[World]:
    """A site that has another language, and visitors who prefer it."""
    async with running(settings_for(secure_url, mailbox.url, locales=LOCALES), mailbox) as found:
        found.client.headers["accept-language"] = f"xx-YY, {PSEUDO};q=0.9, en;q=0.8"
        yield found


@pytest_asyncio.fixture
async def site_with_escrow(secure_url: str, tmp_path: Path, mailbox: Mailbox) -> AsyncIterator[World]:
    """The same with a recovery service."""
    async with running_with_escrow(secure_url, tmp_path, mailbox, locales=LOCALES) as found:
        found.client.headers["accept-language"] = PSEUDO
        yield found


async def logged_in(world: World, device: Device | None = None) -> Device:
    """A device that is logged in by the code of a mail in any language."""
    device, begun = await world.begin(ADA, device)
    code = re.search(r"\d{6}", world.mailbox.last(ADA).subject)
    assert code
    answer = await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": code[0]})
    device.session = answer["session"]
    world.clock.advance(31)
    return device


async def with_wallet(world: World) -> Wallet:
    """A wallet of a device that is logged in."""
    device = await logged_in(world)
    wallet = Wallet(device, (await device.call("/v1/me"))["user"]["id"])
    key = world.settings.recovery_public_key
    await device.call("/v1/wallet", wallet.body(decode(key) if key else b""))
    return wallet


def speaks(world: World) -> bool:
    """Whether the latest mail is in the other language."""
    mail = world.mailbox.last(ADA)
    said = {mail.subject.startswith("["), mail.text.startswith("["), f'<html lang="{PSEUDO}">' in mail.html}
    assert len(said) == 1
    return said == {True}


async def test_a_first_mail_is_in_the_language_of_the_browser(site: World) -> None:
    await site.begin()
    assert speaks(site)


async def test_the_code_the_words_and_the_browser_stay_what_they_are(site: World) -> None:
    _, begun = await site.begin()
    text = site.mailbox.last(ADA).text
    assert begun["words"] in text
    assert "Chrome" in text


async def test_a_stranger_does_not_choose_the_language_of_the_mail_to_an_account(site: World) -> None:
    await with_wallet(site)
    site.client.headers["accept-language"] = "en"
    await site.begin()
    assert speaks(site)


async def test_a_login_of_a_stranger_leaves_the_accounts_language(site: World) -> None:
    await with_wallet(site)
    site.client.headers["accept-language"] = "en"
    await logged_in(site)
    await site.begin()
    assert speaks(site)


async def test_a_login_on_a_device_that_has_the_wallet_changes_the_accounts_language(site: World) -> None:
    wallet = await with_wallet(site)
    site.client.headers["accept-language"] = "en"
    await logged_in(site, wallet.device)
    await site.begin()
    assert not speaks(site)


async def test_a_code_that_is_sent_again_is_in_the_language_of_the_first(site: World) -> None:
    device, begun = await site.begin()
    site.clock.advance(31)
    site.client.headers["accept-language"] = "en"
    await device.call("/v1/login/resend", {"attempt": begun["attempt"]})
    assert (len(site.mailbox.of(ADA)), speaks(site)) == (2, True)


async def test_refusals_stay_english_on_their_way(site: World) -> None:
    device, begun = await site.begin()
    refused = await device.refused("/v1/login/otp", {"attempt": begun["attempt"], "otp": "x"})
    assert refused.error["message"] == "Invalid code"


@pytest.mark.parametrize("path", ["/device/x", "/move/x", "/not-me/x", "/keep/x"])
async def test_pages_behind_links_are_in_the_language_of_the_browser(site: World, path: str) -> None:
    assert f'<html lang="{PSEUDO}">' in (await site.client.get(path)).text
    site.client.headers["accept-language"] = "en"
    assert '<html lang="en">' in (await site.client.get(path)).text


async def test_the_recovery_service_mails_in_the_accounts_language(site_with_escrow: World) -> None:
    await with_wallet(site_with_escrow)
    other = await logged_in(site_with_escrow)
    await other.call("/v1/recovery/start")
    assert speaks(site_with_escrow)
    code = re.search(r"\d{8}", site_with_escrow.mailbox.last(ADA).subject)
    assert code
    await other.call("/v1/recovery/finish", {"code": code[0], "key": a_key()})
    assert speaks(site_with_escrow)


def test_a_mail_from_right_to_left_says_so() -> None:
    sender = Sender("Example", "https://wallet.example", "wallet.example")
    mail = code_mail(sender, Occasion(ADA, "calm river", "Firefox", "x"), "123456").said_in(Spoken("ar", rtl=True))
    assert '<html lang="ar" dir="rtl">' in mail.html
