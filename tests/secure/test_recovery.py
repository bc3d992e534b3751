"""A new device gets the wallet by a code of the recovery service."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import ValidationError

from tests.patience import eventually
from tests.secure.device import CHROME, Device
from tests.secure.mailbox import Mailbox
from tests.secure.world import ADA, EVE, Wallet, World, recovery_settings, running_with_escrow, xor
from walletmodal.secure.browser_name import browser_name
from walletmodal.secure.custody.sealed_box import RECOVERY, open_box, point_of
from walletmodal.secure.encoding import decode, encode
from walletmodal.secure.errors import StartError
from walletmodal.secure.recovery import app as recovery_app


def recovery_mails(world: World, to: str = ADA) -> list[Any]:
    return [mail for mail in world.mailbox.of(to) if "recovers your wallet" in mail.subject]


async def started(world: World, device: Device, to: str = ADA) -> str:
    """The code that was mailed."""
    assert await device.call("/v1/recovery/start") == {"sent": True, "retryAfter": 60}
    return str(recovery_mails(world, to)[-1].code)


async def finished(device: Device, code: str, wallet: Wallet) -> tuple[bytes, dict[str, Any]]:
    """The root of the wallet, and the answer."""
    once = ec.generate_private_key(ec.SECP256R1())
    body = {"code": code, "key": encode(point_of(once.public_key()))}
    answer = await device.call("/v1/recovery/finish", body)
    half = open_box(decode(answer["recoveryHalf"]), once, purpose=RECOVERY, user=wallet.user_id)
    return xor(half, decode(answer["serverHalf"])), answer


def a_key() -> str:
    return encode(point_of(ec.generate_private_key(ec.SECP256R1()).public_key()))


async def recovered(world: World, wallet: Wallet) -> Device:
    """Another device, to which a code has brought the wallet."""
    other = await world.login()
    root, answer = await finished(other, await started(world, other), wallet)
    body = {"deviceHalf": encode(xor(root, os.urandom(16))), "grant": answer["grant"]}
    await other.call("/v1/wallet/device", body)
    return other


async def test_a_new_device_recovers_the_wallet(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    assert wallet.user["escrow"] is True
    other = await escrowed.login()
    code = await started(escrowed, other)
    assert len(code) == 8
    root, answer = await finished(other, code, wallet)
    assert (root, answer["evm"], answer["solana"]) == (wallet.root, wallet.evm, wallet.solana)
    fresh = os.urandom(16)
    body = {"deviceHalf": encode(xor(root, fresh)), "grant": answer["grant"]}
    assert (await other.call("/v1/wallet/device", body))["user"]["device"] is True
    half = (await other.call("/v1/wallet/half", {"use": "sign"}))["half"]
    assert xor(fresh, decode(half)) == wallet.root
    assert await wallet.joined() == wallet.root


async def test_the_owner_is_told(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await escrowed.login()
    root, answer = await finished(other, await started(escrowed, other), wallet)
    subjects = [mail.subject for mail in escrowed.mailbox.of(ADA)]
    assert "Your wallet was recovered: Example" in subjects
    await other.call("/v1/wallet/device", {"deviceHalf": encode(root), "grant": answer["grant"]})
    await eventually(lambda: escrowed.mailbox.last(ADA).subject == "A new device can use your wallet: Example")
    assert "Chrome on Windows" in escrowed.mailbox.last(ADA).text


async def test_a_grant_counts_once_on_its_device_and_for_ten_minutes(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await escrowed.login()
    _, answer = await finished(other, await started(escrowed, other), wallet)
    body = {"deviceHalf": encode(os.urandom(16)), "grant": answer["grant"]}
    third = await escrowed.login()
    assert (await third.refused("/v1/wallet/device", body)).code == "grant"
    await other.call("/v1/wallet/device", body)
    assert (await other.refused("/v1/wallet/device", body)).code == "grant"
    escrowed.clock.advance(60)
    _, answer = await finished(third, await started(escrowed, third), wallet)
    escrowed.clock.advance(10 * 60)
    late = {"deviceHalf": encode(os.urandom(16)), "grant": answer["grant"]}
    assert (await third.refused("/v1/wallet/device", late)).code == "grant"


async def test_five_wrong_codes_end_a_recovery(escrowed: World) -> None:
    await escrowed.wallet()
    other = await escrowed.login()
    code = await started(escrowed, other)
    wrong = f"{(int(code) + 1) % 10**8:08d}"
    for _ in range(4):
        assert (await other.refused("/v1/recovery/finish", {"code": wrong, "key": a_key()})).code == "invalid_code"
    refused = await other.refused("/v1/recovery/finish", {"code": wrong, "key": a_key()})
    assert (refused.status, refused.code) == (429, "too_many_tries")
    assert (await other.refused("/v1/recovery/finish", {"code": code, "key": a_key()})).code == "too_many_tries"


async def test_the_code_counts_on_the_device_that_asked(escrowed: World) -> None:
    await escrowed.wallet()
    other, third = await escrowed.login(), await escrowed.login()
    code = await started(escrowed, other)
    assert (await third.refused("/v1/recovery/finish", {"code": code, "key": a_key()})).code == "invalid_code"


async def test_the_code_counts_once_and_for_ten_minutes(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await escrowed.login()
    code = await started(escrowed, other)
    await finished(other, code, wallet)
    assert (await other.refused("/v1/recovery/finish", {"code": code, "key": a_key()})).code == "invalid_code"
    escrowed.clock.advance(60)
    code = await started(escrowed, other)
    escrowed.clock.advance(10 * 60)
    assert (await other.refused("/v1/recovery/finish", {"code": code, "key": a_key()})).code == "expired_code"


async def test_a_code_is_deleted_an_hour_after_its_end(escrowed: World, tmp_path: Path) -> None:
    await escrowed.wallet()
    await started(escrowed, await escrowed.login())
    with closing(sqlite3.connect(tmp_path / "recovery.db")) as database:

        def codes() -> int:
            # Whatever the service did at the last turn, the next one comes.
            escrowed.clock.advance(60)
            (count,) = database.execute("SELECT count(*) FROM codes").fetchone()
            return int(count)

        assert codes() == 1
        escrowed.clock.advance(10 * 60 + 3600)
        await eventually(lambda: codes() == 0, "deletion of the code")


async def test_codes_are_mailed_once_a_minute_and_five_times_a_day(escrowed: World) -> None:
    await escrowed.wallet()
    other = await escrowed.login()
    await started(escrowed, other)
    refused = await other.refused("/v1/recovery/start")
    assert (refused.status, refused.code, refused.error["retryAfter"]) == (429, "cooldown", 60)
    for _ in range(4):
        escrowed.clock.advance(60)
        await started(escrowed, other)
    escrowed.clock.advance(60)
    assert (await other.refused("/v1/recovery/start")).code == "too_many"
    assert len(recovery_mails(escrowed)) == 5


async def test_a_key_that_is_none_leaves_the_code(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await escrowed.login()
    code = await started(escrowed, other)
    nowhere = encode(b"\x04" + bytes(64))
    assert (await other.refused("/v1/recovery/finish", {"code": code, "key": nowhere})).code == "params"
    root, _ = await finished(other, code, wallet)
    assert root == wallet.root


async def test_a_recovery_that_cannot_be_told_of_gives_nothing_out(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    other = await escrowed.login()
    code = await started(escrowed, other)
    escrowed.mailbox.answer = "554 no"
    refused = await other.refused("/v1/recovery/finish", {"code": code, "key": a_key()})
    assert (refused.status, refused.code) == (503, "mail")
    escrowed.mailbox.answer = "250 ok"
    root, _ = await finished(other, code, wallet)
    assert root == wallet.root


async def test_a_box_that_nobody_could_open_is_refused_when_the_wallet_is_made(escrowed: World) -> None:
    device = await escrowed.login()
    wallet = Wallet(device, "another-user")
    body = wallet.body(decode(escrowed.settings.recovery_public_key or ""))
    refused = await device.refused("/v1/wallet", body)
    assert (refused.status, refused.code) == (400, "escrow")
    assert (await device.call("/v1/me"))["user"]["wallet"] is None


async def test_a_user_without_escrow_has_no_recovery(escrowed: World) -> None:
    device = await escrowed.login(EVE)
    assert (await device.refused("/v1/recovery/start")).code == "no_escrow"
    user = (await device.call("/v1/me"))["user"]["id"]
    await device.call("/v1/wallet", Wallet(device, user).body())
    refused = await device.refused("/v1/recovery/start")
    assert (refused.status, refused.code) == (409, "no_escrow")


async def test_a_second_wallet_leaves_the_first_ones_escrow(escrowed: World) -> None:
    wallet = await escrowed.wallet()
    second = Wallet(wallet.device, wallet.user_id)
    key = decode(escrowed.settings.recovery_public_key or "")
    assert (await wallet.device.refused("/v1/wallet", second.body(key))).code == "wallet_exists"
    other = await escrowed.login()
    root, _ = await finished(other, await started(escrowed, other), wallet)
    assert root == wallet.root


async def test_another_recovery_key_does_not_start_and_changes_nothing(
    secure_url: str, tmp_path: Path, mailbox: Mailbox
) -> None:
    file = tmp_path / "recovery.db"
    async with running_with_escrow(secure_url, tmp_path, mailbox) as world:
        wallet = await world.wallet()
        with closing(sqlite3.connect(file)) as database:
            before = database.execute("SELECT * FROM boxes").fetchall()
        other = recovery_app.create(recovery_settings(f"sqlite:///{file}", mailbox.url))
        with pytest.raises(StartError, match="RECOVERY_KEY does not open this database"):
            async with other.router.lifespan_context(other):
                pass
        # The wallet's own device does not need the service.
        assert await wallet.joined() == wallet.root
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT * FROM boxes").fetchall() == before
    assert len(before) == 1


async def test_a_key_is_checked_where_no_address_is_known_yet(
    secure_url: str, tmp_path: Path, mailbox: Mailbox
) -> None:
    async with running_with_escrow(secure_url, tmp_path, mailbox) as world:
        device, begun = await world.begin()
        escrow = Wallet(device, begun["attempt"]).body(decode(world.settings.recovery_public_key or ""))["escrow"]
        await device.call("/v1/login/escrow", {"attempt": begun["attempt"], "escrow": escrow})
    with pytest.raises(StartError, match="RECOVERY_KEY does not open this database"):
        await recovery_app.check_key(recovery_settings(f"sqlite:///{tmp_path / 'recovery.db'}", mailbox.url))


@pytest.mark.parametrize("asked_by", ["Your wallet is at risk: https://evil.example", "Chrome\n\nClick here", "a" * 65])
def test_a_site_writes_nothing_of_its_own_into_mails_of_the_service(asked_by: str) -> None:
    with pytest.raises(ValidationError):
        recovery_app.StartBody.model_validate({"device": "0" * 64, "asked_by": asked_by})


@pytest.mark.parametrize("agent", ["", CHROME, "SamsungBrowser/1 Android", "FxiOS/1 iPhone", "Edg/1 CrOS", "Mac OS X"])
def test_every_browser_of_the_site_is_named_in_them(agent: str) -> None:
    asked_by = browser_name(agent)
    assert recovery_app.StartBody.model_validate({"device": "0" * 64, "asked_by": asked_by}).asked_by == asked_by
