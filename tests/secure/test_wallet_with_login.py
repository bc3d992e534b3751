"""A wallet that comes with the code: it belongs to the account that this code has made, and to no other."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.secure.mailbox import Mailbox
from tests.secure.test_crashes import down_at
from tests.secure.test_recovery import finished, started
from tests.secure.world import ADA, EVE, Wallet, World, running_with_escrow
from walletmodal.secure.encoding import decode
from walletmodal.secure.recovery.boxes import Boxes


async def entered(world: World, email: str = ADA, **changed: object) -> Wallet:
    """A login with a new wallet, as the page does it; `changed`: in the body of the wallet."""
    device, begun = await world.begin(email)
    wallet = Wallet(device, begun["attempt"])
    key = decode(world.settings.recovery_public_key) if world.settings.recovery_public_key else b""
    otp = world.mailbox.newest_code(email)
    body = {"attempt": begun["attempt"], "otp": otp, "wallet": wallet.body(key) | changed}
    answer = await device.call("/v1/login/otp", body)
    device.session, wallet.user = answer["session"], answer["user"]
    world.clock.advance(31)
    return wallet


async def test_a_new_account_has_the_wallet_that_came_with_its_code(world: World) -> None:
    wallet = await entered(world)
    assert (wallet.user["id"], wallet.user["device"]) == (wallet.user_id, True)
    assert wallet.user["wallet"] == {"evm": wallet.evm, "solana": wallet.solana}
    assert await wallet.joined() == wallet.root


async def test_its_escrow_opens_for_the_account(secure_url: str, tmp_path: Path, mailbox: Mailbox) -> None:
    async with running_with_escrow(secure_url, tmp_path, mailbox) as world:
        wallet = await entered(world)
        other = await world.login()
        root, _ = await finished(other, await started(world, other), wallet)
        assert (wallet.user["escrow"], root) == (True, wallet.root)


async def test_an_account_that_was_there_keeps_its_wallet(world: World) -> None:
    first = await world.wallet()
    second = await entered(world)
    assert (second.user["wallet"], second.user["device"]) == ({"evm": first.evm, "solana": first.solana}, False)
    assert await first.joined() == first.root


async def test_an_account_that_was_there_without_a_wallet_gets_none_that_was_made_for_another(world: World) -> None:
    before = (await (await world.login()).call("/v1/me"))["user"]["id"]
    wallet = await entered(world)
    assert (wallet.user["id"], wallet.user["wallet"]) == (before, None)


async def test_of_two_logins_of_a_new_address_at_once_one_makes_account_and_wallet(world: World) -> None:
    wallets, bodies = [], []
    for _ in range(2):
        device, begun = await world.begin()
        wallet = Wallet(device, begun["attempt"])
        bodies.append({"attempt": begun["attempt"], "otp": world.mailbox.newest_code(ADA), "wallet": wallet.body()})
        wallets.append(wallet)
        world.clock.advance(31)
    pairs = zip(wallets, bodies, strict=True)
    answers = await asyncio.gather(*(wallet.device.call("/v1/login/otp", body) for wallet, body in pairs))
    assert len({answer["user"]["id"] for answer in answers}) == 1
    winner = next(one for one in wallets if one.user_id == answers[0]["user"]["id"])
    winner.device.session = answers[wallets.index(winner)]["session"]
    assert (await winner.device.call("/v1/me"))["user"]["wallet"] == {"evm": winner.evm, "solana": winner.solana}
    assert await winner.joined() == winner.root


async def test_a_wrong_code_stores_nothing(world: World) -> None:
    device, begun = await world.begin()
    body = {"attempt": begun["attempt"], "otp": "000000x", "wallet": Wallet(device, begun["attempt"]).body()}
    assert (await device.refused("/v1/login/otp", body)).code == "invalid_code"
    assert await world.sql("SELECT user FROM wallets") == []
    assert await world.sql("SELECT id FROM users") == []


async def test_a_wallet_of_the_wrong_shape_uses_up_no_code(world: World) -> None:
    device, begun = await world.begin()
    body = {"attempt": begun["attempt"], "otp": world.mailbox.newest_code(ADA)}
    assert (await device.refused("/v1/login/otp", {**body, "wallet": {"evm": 7}})).code == "params"
    assert (await device.call("/v1/login/otp", body))["user"]["wallet"] is None


async def test_addresses_that_are_none_leave_the_login_without_a_wallet(world: World) -> None:
    wallet = await entered(world, evm="0x12")
    assert (bool(wallet.device.session), wallet.user["wallet"]) == (True, None)


async def test_where_the_recovery_service_is_down_the_login_counts_and_the_wallet_is_made_after_it(
    secure_url: str, tmp_path: Path, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_with_escrow(secure_url, tmp_path, mailbox) as world:
        with monkeypatch.context() as broken:
            broken.setattr(httpx.ASGITransport, "handle_async_request", down_at(8702))
            wallet = await entered(world)
        assert (wallet.user["id"], wallet.user["wallet"]) == (wallet.user_id, None)
        body = wallet.body(decode(world.settings.recovery_public_key or ""))
        assert (await wallet.device.call("/v1/wallet", body))["user"]["escrow"] is True


async def test_an_address_that_is_frozen_meanwhile_gets_no_wallet(
    escrowed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    put = Boxes.put

    async def refused_first(*given: Any, **named: Any) -> None:
        await escrowed.client.post(escrowed.mailbox.last(ADA).link("/not-me"))
        await put(*given, **named)

    monkeypatch.setattr(Boxes, "put", refused_first)
    wallet = await entered(escrowed)
    assert (wallet.user["wallet"], wallet.user["frozenUntil"] is None) == (None, False)


async def test_each_account_has_the_id_of_its_own_attempt(world: World) -> None:
    ada, eve = await entered(world), await entered(world, EVE)
    assert (ada.user["id"], eve.user["id"]) == (ada.user_id, eve.user_id)
