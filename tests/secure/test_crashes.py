"""A process or a browser that ends between two steps: nothing is half done, and nobody is stuck."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.patience import eventually
from tests.secure.mailbox import Mailbox
from tests.secure.test_recovery import finished, started
from tests.secure.world import ADA, Wallet, World, running, running_with_escrow, settings_for
from walletmodal.secure.encoding import decode


async def test_a_restart_between_mail_and_code_ends_no_login(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url)
    async with running(settings, mailbox) as world:
        device, begun = await world.begin()
    async with running(settings, mailbox, clock=world.clock) as again:
        device.client = again.client
        otp = mailbox.last(ADA).code
        assert (await device.call("/v1/login/otp", {"attempt": begun["attempt"], "otp": otp}))["user"]["email"] == ADA


async def test_a_restart_ends_no_session_and_forgets_no_limit(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url)
    async with running(settings, mailbox) as world:
        wallet = await world.wallet()
        await world.begin()
    async with running(settings, mailbox, clock=world.clock) as again:
        wallet.device.client = again.client
        assert await wallet.joined() == wallet.root
        assert (await again.device().refused("/v1/login/email", {"email": ADA})).code == "cooldown"


async def test_work_in_the_background_that_a_mistake_ends_is_in_the_log(
    secure_url: str, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def mistake(*_: object) -> None:
        raise RuntimeError("a mistake")

    monkeypatch.setattr("walletmodal.secure.app.every_minute", mistake)
    async with running(settings_for(secure_url, mailbox.url), mailbox):
        await eventually(lambda: "work in the background has ended" in caplog.text)


async def test_a_call_of_before_a_restart_does_not_count_again(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url)
    async with running(settings, mailbox) as world:
        device = await world.login()
        made = device.headers("/v1/me", b"{}")
        assert (await world.client.post("/v1/me", content=b"{}", headers=made)).status_code == 200
    world.clock.advance(1)
    async with running(settings, mailbox, clock=world.clock) as again:
        refused = await again.client.post("/v1/me", content=b"{}", headers=made)
        # The page corrects its clock by what it is told, and calls once more.
        assert (refused.status_code, refused.json()["error"]["code"]) == (401, "clock")
        device.client = again.client
        await device.call("/v1/me")


async def test_a_tab_that_did_not_hear_the_answer_finds_the_wallet(world: World) -> None:
    device = await world.login()
    user = (await device.call("/v1/me"))["user"]["id"]
    wallet = Wallet(device, user)
    await device.raw("/v1/wallet", wallet.body())
    refused = await device.refused("/v1/wallet", wallet.body())
    assert refused.error["user"]["wallet"] == {"evm": wallet.evm, "solana": wallet.solana}
    assert refused.error["user"]["device"] is True
    assert await wallet.joined() == wallet.root


async def test_where_the_recovery_service_is_down_no_wallet_is_made_and_the_next_try_makes_it(
    secure_url: str, tmp_path: Path, mailbox: Mailbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with running_with_escrow(secure_url, tmp_path, mailbox) as world:
        device = await world.login()
        user = (await device.call("/v1/me"))["user"]["id"]
        wallet = Wallet(device, user)
        body = wallet.body(decode(world.settings.recovery_public_key or ""))

        with monkeypatch.context() as broken:
            broken.setattr(httpx.ASGITransport, "handle_async_request", down_at(8702))
            refused = await device.refused("/v1/wallet", body)
        assert (refused.status, refused.code) == (503, "recovery")
        assert (await device.call("/v1/me"))["user"]["wallet"] is None
        await device.call("/v1/wallet", body)
        other = await world.login()
        root, _ = await finished(other, await started(world, other), wallet)
        assert root == wallet.root


def down_at(port: int) -> Any:
    """A transport that reaches nobody at a port."""
    real = httpx.ASGITransport.handle_async_request

    async def handle(self: httpx.ASGITransport, request: httpx.Request) -> httpx.Response:
        if request.url.port == port:
            raise httpx.ConnectError("nobody is there")
        return await real(self, request)

    return handle


async def test_a_wallet_that_is_not_committed_leaves_nothing(world: World) -> None:
    """The half of the device is there already: what comes second fails, and takes the first back."""
    wallet = await world.wallet()
    device = wallet.device
    await world.sql("DELETE FROM wallets")
    second = Wallet(device, wallet.user_id)
    assert (await device.refused("/v1/wallet", second.body())).code == "unavailable"
    assert (await device.call("/v1/me"))["user"]["wallet"] is None
    assert await wallet.joined() == wallet.root
