"""What lies at the recovery service belongs to a wallet, and is forgotten otherwise; so is an address to which nothing goes any more."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.secure.device import Device
from tests.secure.test_deletion import gone, recovery
from tests.secure.test_email_update import DAY, change
from tests.secure.test_recovery import finished, started
from tests.secure.world import Wallet, World
from walletmodal.secure.custody.recovery_client import RecoveryClient
from walletmodal.secure.encoding import decode
from walletmodal.secure.errors import unavailable

TAKEN_BACK = 10 * 60
"""Seconds within which a wallet must have its box."""


async def boxes(folder: Path) -> list[Any]:
    return await asyncio.to_thread(recovery, folder, "SELECT id FROM boxes")


def losing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The service takes boxes, and the site does not hear of it."""
    put = RecoveryClient.put

    async def lost(*given: Any, **named: Any) -> None:
        await put(*given, **named)
        raise unavailable()

    monkeypatch.setattr(RecoveryClient, "put", lost)


async def newcomer(world: World) -> tuple[Wallet, Device, dict[str, Any]]:
    """Who has logged in and is about to make a wallet; the body of the call."""
    device = await world.login()
    wallet = Wallet(device, (await device.call("/v1/me"))["user"]["id"])
    return wallet, device, wallet.body(decode(world.settings.recovery_public_key or ""))


async def test_a_box_whose_wallet_was_never_stored_is_taken_back(
    escrowed: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, device, body = await newcomer(escrowed)
    with monkeypatch.context() as away:
        losing_answers(away)
        assert (await device.refused("/v1/wallet", body)).status == 503
    assert len(await boxes(tmp_path)) == 1
    escrowed.clock.advance(TAKEN_BACK)
    await gone(escrowed, lambda: boxes(tmp_path))


async def test_after_such_a_failure_the_wallet_is_stored_and_recovered(
    escrowed: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wallet, device, body = await newcomer(escrowed)
    with monkeypatch.context() as away:
        losing_answers(away)
        await device.refused("/v1/wallet", body)
    await device.call("/v1/wallet", body)
    escrowed.clock.advance(TAKEN_BACK)

    async def several() -> bool:
        return len(await boxes(tmp_path)) > 1

    await gone(escrowed, several)
    other = await escrowed.login()
    root, _ = await finished(other, await started(escrowed, other), wallet)
    assert root == wallet.root


async def test_a_wallet_that_comes_too_late_for_its_box_is_not_stored(
    escrowed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, device, body = await newcomer(escrowed)
    put = RecoveryClient.put

    async def slow(*given: Any, **named: Any) -> None:
        await put(*given, **named)
        escrowed.clock.advance(TAKEN_BACK)

    monkeypatch.setattr(RecoveryClient, "put", slow)
    assert (await device.refused("/v1/wallet", body)).status == 503
    assert await escrowed.sql("SELECT 1 FROM wallets") == []


async def test_a_wallet_that_was_stored_while_its_account_was_deleted_leaves_no_box(
    escrowed: World, tmp_path: Path
) -> None:
    wallet = await escrowed.wallet()
    await escrowed.sql("INSERT INTO deletions (user, at) VALUES (?, 0)", (wallet.user_id,))
    await gone(escrowed, lambda: boxes(tmp_path))


async def test_the_former_address_is_forgotten_once_a_change_cannot_be_undone(escrowed: World, tmp_path: Path) -> None:
    wallet = await escrowed.wallet()
    await change(escrowed, wallet.device)

    async def former() -> list[Any]:
        return await asyncio.to_thread(recovery, tmp_path, "SELECT 1 FROM boxes WHERE former IS NOT NULL")

    assert await former()
    escrowed.clock.advance(DAY)
    await gone(escrowed, former)
