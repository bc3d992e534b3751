"""Halves of wallets: made once, given to their device alone."""

import asyncio
import os

import pytest

from tests.secure.world import EVE, Wallet, World
from walletmodal.secure.encoding import encode


async def test_the_halves_of_a_device_are_the_wallet(world: World) -> None:
    wallet = await world.wallet()
    assert wallet.user["wallet"] == {"evm": wallet.evm, "solana": wallet.solana}
    assert (wallet.user["device"], wallet.user["escrow"]) == (True, False)
    assert await wallet.joined() == wallet.root


async def test_a_second_wallet_is_refused_and_the_first_stays(world: World) -> None:
    wallet = await world.wallet()
    second = Wallet(wallet.device, wallet.user_id)
    refused = await wallet.device.refused("/v1/wallet", second.body())
    assert (refused.status, refused.code) == (409, "wallet_exists")
    assert refused.error["user"] == wallet.user
    assert await wallet.joined() == wallet.root


async def test_of_two_tabs_that_create_at_once_one_wins(world: World) -> None:
    device = await world.login()
    user = (await device.call("/v1/me"))["user"]["id"]
    tabs = [Wallet(device, user) for _ in range(2)]
    answers = await asyncio.gather(*(device.raw("/v1/wallet", tab.body()) for tab in tabs))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    winner = next(tab for tab, answer in zip(tabs, answers, strict=True) if answer.status_code == 200)
    shown = [answer.json().get("user") or answer.json()["error"]["user"] for answer in answers]
    assert all(user["wallet"] == {"evm": winner.evm, "solana": winner.solana} for user in shown)
    assert await winner.joined() == winner.root


async def test_a_device_without_a_half_gets_none(world: World) -> None:
    await world.wallet()
    other = await world.login()
    refused = await other.refused("/v1/wallet/half", {"use": "sign"})
    assert (refused.status, refused.code) == (404, "device_unknown")
    assert (await other.call("/v1/me"))["user"]["device"] is False


async def test_another_user_on_the_same_device_does_not_get_the_half(world: World) -> None:
    wallet = await world.wallet()
    await wallet.device.call("/v1/logout")
    wallet.device.session = ""
    eve = await world.login(EVE, wallet.device)
    assert (await eve.refused("/v1/wallet/half", {"use": "sign"})).code == "device_unknown"


async def test_a_device_cannot_be_added_without_a_grant(world: World) -> None:
    wallet = await world.wallet()
    other = await world.login()
    for grant in ("", encode(os.urandom(32)), wallet.device.session):
        refused = await other.refused("/v1/wallet/device", {"deviceHalf": encode(os.urandom(16)), "grant": grant})
        assert (refused.status, refused.code) == (403, "grant")


@pytest.mark.parametrize(
    "changed",
    [
        {"deviceHalf": encode(os.urandom(15))}, {"deviceHalf": encode(os.urandom(17))}, {"deviceHalf": "*"},
        {"recoveryHalf": ""}, {"recoveryHalf": None}, {"evm": "0x12"}, {"solana": "0"}, {"evm": 5}, {"escrow": "=="},
    ],
)  # fmt: skip
async def test_a_wallet_of_the_wrong_shape_is_refused(world: World, changed: dict[str, object]) -> None:
    device = await world.login()
    body = Wallet(device, "").body() | changed
    assert (await device.refused("/v1/wallet", body)).code == "params"
    assert (await device.call("/v1/me"))["user"]["wallet"] is None


async def test_devices_of_others_cannot_be_revoked(world: World) -> None:
    wallet = await world.wallet()
    eve = await world.login(EVE)
    device = (await wallet.device.call("/v1/devices"))["devices"][0]["id"]
    assert (await eve.refused("/v1/devices/revoke", {"id": device})).status == 404
    assert await wallet.joined() == wallet.root
