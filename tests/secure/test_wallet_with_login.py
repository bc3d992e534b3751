"""A wallet that comes with the code: it belongs to the account that this code has made, and to no other."""

import asyncio
from datetime import timedelta
from pathlib import Path
from typing import cast

import httpx
import pytest

from tests.secure.device import Device
from tests.secure.test_crashes import down_at
from tests.secure.test_deletion import gone, recovery
from tests.secure.test_email_update import change
from tests.secure.test_loose_boxes import boxes
from tests.secure.test_recovery import finished, started
from tests.secure.world import ADA, EVE, Wallet, World
from walletmodal.core.clock import MovableClock
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.secure.custody.loose_boxes import LooseBoxes
from walletmodal.secure.custody.recovery_client import RecoveryClient
from walletmodal.secure.encoding import decode


class Newcomer:
    """Who has asked for a code, and made a wallet meanwhile, as the page does it; `changed`: in the body of the wallet."""

    def __init__(self, world: World, device: Device, attempt: str, email: str, changed: dict[str, object]) -> None:
        self.wallet = Wallet(device, attempt)
        key = decode(world.settings.recovery_public_key) if world.settings.recovery_public_key else b""
        made = self.wallet.body(key) | changed
        self.escrow = {"attempt": attempt, "escrow": made.get("escrow")}
        self.body = {"attempt": attempt, "otp": world.mailbox.newest_code(email), "wallet": made}
        self._world = world

    async def give_escrow(self) -> None:
        """Gives the recovery half into escrow."""
        await self.wallet.device.call("/v1/login/escrow", self.escrow)

    async def enter(self) -> Wallet:
        """Enters the code."""
        answer = await self.wallet.device.call("/v1/login/otp", self.body)
        self.wallet.device.session, self.wallet.user = answer["session"], answer["user"]
        self._world.clock.advance(31)
        return self.wallet


async def newcomer(world: World, email: str = ADA, **changed: object) -> Newcomer:
    """A login up to its mail."""
    device, begun = await world.begin(email)
    return Newcomer(world, device, begun["attempt"], email, changed)


async def entered(world: World, email: str = ADA, **changed: object) -> Wallet:
    """A login with a new wallet; `changed`: in the body of the wallet."""
    made = await newcomer(world, email, **changed)
    if made.escrow["escrow"]:
        await made.give_escrow()
    return await made.enter()


async def test_a_new_account_has_the_wallet_that_came_with_its_code(world: World) -> None:
    wallet = await entered(world)
    assert (wallet.user["id"], wallet.user["device"]) == (wallet.user_id, True)
    assert wallet.user["wallet"] == {"evm": wallet.evm, "solana": wallet.solana}
    assert await wallet.joined() == wallet.root


async def test_its_escrow_opens_for_the_account(escrowed: World) -> None:
    wallet = await entered(escrowed)
    other = await escrowed.login()
    root, _ = await finished(other, await started(escrowed, other), wallet)
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


async def test_where_its_half_is_not_in_escrow_the_login_counts_and_the_wallet_is_made_after_it(
    escrowed: World,
) -> None:
    wallet = await (await newcomer(escrowed)).enter()
    assert (wallet.user["id"], wallet.user["wallet"]) == (wallet.user_id, None)
    body = wallet.body(decode(escrowed.settings.recovery_public_key or ""))
    assert (await wallet.device.call("/v1/wallet", body))["user"]["escrow"] is True


async def test_the_half_of_another_wallet_is_not_its_escrow(escrowed: World) -> None:
    made = await newcomer(escrowed)
    await made.give_escrow()
    made.wallet = other = Wallet(made.wallet.device, made.wallet.user_id)
    made.body["wallet"] = other.body(decode(escrowed.settings.recovery_public_key or ""))
    assert (await made.enter()).user["wallet"] is None


async def test_while_the_recovery_service_is_down_its_half_is_not_in_escrow(
    escrowed: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await newcomer(escrowed)
    with monkeypatch.context() as broken:
        broken.setattr(httpx.ASGITransport, "handle_async_request", down_at(8702))
        refused = await made.wallet.device.refused("/v1/login/escrow", made.escrow)
    assert (refused.code, (await made.enter()).user["wallet"]) == ("recovery", None)


async def test_what_lies_in_escrow_before_the_code_has_no_address(escrowed: World, tmp_path: Path) -> None:
    await (await newcomer(escrowed)).give_escrow()
    found = await asyncio.to_thread(recovery, tmp_path, "SELECT length(address) FROM boxes")
    # A nonce and a tag, and nothing between them.
    assert found == [(12 + 16,)]


async def test_the_recovery_service_is_told_the_address_of_an_account_within_a_minute(
    escrowed: World, tmp_path: Path
) -> None:
    await entered(escrowed)
    await gone(
        escrowed, lambda: asyncio.to_thread(recovery, tmp_path, "SELECT id FROM boxes WHERE length(address) = 28")
    )
    assert len(await boxes(tmp_path)) == 1


async def test_a_half_whose_code_never_comes_is_taken_back(escrowed: World, tmp_path: Path) -> None:
    await (await newcomer(escrowed)).give_escrow()
    escrowed.clock.advance(31 * 60)
    await gone(escrowed, lambda: boxes(tmp_path))


async def test_a_login_has_one_box(escrowed: World, tmp_path: Path) -> None:
    made = await newcomer(escrowed)
    for _ in range(2):
        await made.give_escrow()
        made.escrow["escrow"] = Wallet(made.wallet.device, made.wallet.user_id).body(
            decode(escrowed.settings.recovery_public_key or "")
        )["escrow"]
    assert len(await boxes(tmp_path)) == 1


async def test_a_device_that_has_the_wallet_gives_no_other_into_escrow(escrowed: World, tmp_path: Path) -> None:
    wallet = await entered(escrowed)
    device, begun = await escrowed.begin(device=wallet.device)
    again = Newcomer(escrowed, device, begun["attempt"], ADA, {})
    await again.give_escrow()
    assert len(await boxes(tmp_path)) == 1


async def test_the_escrow_of_another_devices_login_is_refused(escrowed: World) -> None:
    made = await newcomer(escrowed)
    assert (await escrowed.device().refused("/v1/login/escrow", made.escrow)).code == "attempt"


async def test_a_login_that_is_over_takes_no_other_half(escrowed: World) -> None:
    made = await newcomer(escrowed)
    await made.give_escrow()
    await made.enter()
    assert (await made.wallet.device.refused("/v1/login/escrow", made.escrow)).code == "attempt"


async def test_an_address_that_is_frozen_gets_no_wallet(escrowed: World) -> None:
    made = await newcomer(escrowed)
    await made.give_escrow()
    later = (escrowed.clock.now() + timedelta(days=1)).timestamp() * 1000
    await escrowed.sql("UPDATE addresses SET frozen_until = ?", (round(later),))
    wallet = await made.enter()
    assert (wallet.user["wallet"], wallet.user["frozenUntil"] is None) == (None, False)


async def test_a_change_of_address_right_after_the_login_waits_for_its_hold(escrowed: World, tmp_path: Path) -> None:
    wallet = await entered(escrowed)
    await change(escrowed, wallet.device)
    assert await asyncio.to_thread(recovery, tmp_path, "SELECT id FROM boxes WHERE held_until > 0")


async def test_each_account_has_the_id_of_its_own_attempt(world: World) -> None:
    ada, eve = await entered(world), await entered(world, EVE)
    assert (ada.user["id"], eve.user["id"]) == (ada.user_id, eve.user_id)


async def test_of_halves_that_are_due_a_wallet_keeps_the_one_that_is_not_being_taken_back(escrowed: World) -> None:
    """The clock of the machine that takes them back is an hour ahead of that of the one that stores the wallets."""
    both = [await newcomer(escrowed, email) for email in (ADA, EVE)]
    for made in both:
        await made.give_escrow()
    taken: list[str] = []

    class Service:
        async def delete(self, box: str) -> None:
            taken.append(box)
            for made in both:
                await made.enter()

    engine = open_engine(escrowed.settings.secure_database_url)
    ahead = MovableClock(escrowed.clock.now() + timedelta(hours=1))
    await LooseBoxes(engine, cast("RecoveryClient", Service()), ahead).take_back()
    await close_engine(engine)
    kept = {made.wallet.user_id: made.wallet.user["wallet"] is not None for made in both}
    assert [kept.pop(box) for box in taken] == [False]
    assert list(kept.values()) == [True]


async def test_a_code_that_logs_nobody_in_has_no_half_in_escrow(escrowed: World, tmp_path: Path) -> None:
    device = await escrowed.login()
    begun = await device.call("/v1/proof/start", {"purpose": "delete"})
    body = Wallet(device, begun["attempt"]).body(decode(escrowed.settings.recovery_public_key or ""))
    given = {"attempt": begun["attempt"], "escrow": body["escrow"]}
    assert (await device.refused("/v1/login/escrow", given)).code == "attempt"
    assert await boxes(tmp_path) == []
