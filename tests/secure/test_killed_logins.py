"""Logins at a provider, with Farcaster and by passkey, whose site is killed (SIGKILL) in every step and started anew."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest_asyncio
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.patience import PATIENCE
from tests.ports import free_ports
from tests.secure.authenticator import Passkey, addition, begun
from tests.secure.device import Device
from tests.secure.killed import Site
from tests.secure.mailbox import Mailbox
from tests.secure.social_stage import OPENED_BY_US, new_attempt
from tests.secure.test_farcaster import OWNER, Signer, optimism
from tests.secure.world import Wallet, xor
from tests.social_login import decide
from walletmodal.core.clock import SystemClock
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.farcaster import FarcasterService, farcaster_pages
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen
from walletmodal.sandbox.social import SocialService, social_settings
from walletmodal.secure.encoding import decode, encode

__all__ = ["optimism"]


@dataclass
class Stage:
    """A site that is killed, and the world around it, which goes on."""

    site: Site
    client: httpx.AsyncClient
    browser: httpx.AsyncClient
    sandbox: str

    @property
    def origin(self) -> str:
        """The site's own, which passkeys are bound to."""
        return self.site.url.replace("127.0.0.1", "localhost")

    def device(self) -> Device:
        return Device(self.client, SystemClock())

    async def decided(self, url: str) -> str:
        """The provider has let the visitor in: where their window is led back to."""
        away = await self.browser.get(url, headers=OPENED_BY_US)
        return str((await decide(self.browser, away.headers["location"])).headers["location"])

    async def accepted(self, link: str) -> None:
        """The visitor has accepted in Farcaster's app."""
        fields = {"link": link, "decision": "approve", "account": str(OWNER)}
        answer = await self.browser.post(f"{self.sandbox}/farcaster", data=fields)
        assert answer.status_code == 200, answer.text

    def left(self, device: Device, path: str, body: Any) -> "asyncio.Task[httpx.Response]":
        """A call that waits."""
        return asyncio.ensure_future(device.raw(path, body))


@pytest_asyncio.fixture
async def stage(tmp_path: Path, mailbox: Mailbox, optimism: AnvilNode) -> AsyncIterator[Stage]:
    port = free_ports()
    sandbox = f"http://localhost:{port}"
    site = Site(
        tmp_path,
        mailbox,
        ALLOWED_ORIGINS="http://localhost:8700",
        RPC_URLS=f"eip155:10={optimism.url}",
        **social_settings(sandbox),
    )
    relay = FarcasterService(sandbox, Signer(optimism.url), SystemClock())
    providers = SocialService(f"{sandbox}/login", site.url.replace("127.0.0.1", "localhost"), SystemClock())
    app = Starlette(routes=[*farcaster_pages(relay), Mount("/farcaster", relay), Mount("/login", providers)])
    async with AsyncExitStack() as stack:
        server = HttpServer(app, listen(port, "TEST_PORTS"))
        await server.start()
        stack.push_async_callback(server.stop)
        stack.callback(site.recovery.kill)
        stack.callback(site.site.kill)
        await asyncio.gather(asyncio.to_thread(site.recovery.start), asyncio.to_thread(site.site.start))
        client = httpx.AsyncClient(base_url=site.url, trust_env=False, timeout=PATIENCE)
        browser = httpx.AsyncClient(trust_env=False, timeout=PATIENCE)
        yield Stage(site, await stack.enter_async_context(client), await stack.enter_async_context(browser), sandbox)


async def test_a_login_at_a_provider_goes_on_wherever_the_site_was_killed(stage: Stage) -> None:
    device, attempt = stage.device(), new_attempt()
    asked = {"provider": "google", "attempt": attempt}
    # It was begun, and the answer is lost: the window knows where to go without it.
    await stage.site.lost(device, "/v1/oauth/start", asked)
    # While somebody types at the provider.
    back = await stage.decided(f"{stage.origin}/oauth/go/google/{attempt}")
    await stage.site.restart()
    waiting = stage.left(device, "/v1/oauth/finish", {"attempt": attempt})
    await asyncio.wait([waiting], timeout=0.2)
    # While the device waits for the window.
    await stage.site.restart()
    assert isinstance((await asyncio.gather(waiting, return_exceptions=True))[0], httpx.HTTPError)
    page = await stage.browser.get(back)
    assert page.status_code == 200, page.text
    # With the result there, before it is asked for.
    await stage.site.restart()
    answer = await device.call("/v1/oauth/finish", {"attempt": attempt})
    device.session = answer["session"]
    wallet = Wallet(device, answer["user"]["id"])
    await device.call("/v1/wallet", wallet.body(stage.site.recovery_key))

    # A result whose answer was lost is given to nobody again: the visitor is told to begin anew, and gets the same wallet.
    attempt = new_attempt()
    await device.call("/v1/oauth/start", {"provider": "google", "attempt": attempt})
    await stage.browser.get(await stage.decided(f"{stage.origin}/oauth/go/google/{attempt}"))
    await stage.site.lost(device, "/v1/oauth/finish", {"attempt": attempt})
    assert (await device.refused("/v1/oauth/finish", {"attempt": attempt})).code == "taken"
    attempt = new_attempt()
    await device.call("/v1/oauth/start", {"provider": "google", "attempt": attempt})
    await stage.browser.get(await stage.decided(f"{stage.origin}/oauth/go/google/{attempt}"))
    user = (await device.call("/v1/oauth/finish", {"attempt": attempt}))["user"]
    assert (user["wallet"], user["device"]) == ({"evm": wallet.evm, "solana": wallet.solana}, True)
    assert await wallet.joined() == wallet.root


async def test_who_waits_no_more_does_not_take_the_result(stage: Stage) -> None:
    """The page that asked was loaded anew: its call waits on at the site, and the next page's is the one that counts."""
    device, attempt = stage.device(), new_attempt()
    await device.call("/v1/oauth/start", {"provider": "google", "attempt": attempt})
    back = await stage.decided(f"{stage.origin}/oauth/go/google/{attempt}")
    former = stage.left(device, "/v1/oauth/finish", {"attempt": attempt})
    await asyncio.wait([former], timeout=0.2)
    former.cancel()
    await asyncio.gather(former, return_exceptions=True)
    await stage.browser.get(back)
    assert "session" in await device.call("/v1/oauth/finish", {"attempt": attempt})


async def test_a_login_with_farcaster_goes_on_wherever_the_site_was_killed(stage: Stage) -> None:
    device = stage.device()
    # The link was in the answer: another one is asked for.
    await stage.site.lost(device, "/v1/farcaster/start")
    asked = await device.call("/v1/farcaster/start")
    waiting = stage.left(device, "/v1/farcaster/finish", {"attempt": asked["attempt"]})
    await asyncio.wait([waiting], timeout=0.2)
    await stage.site.restart()
    assert isinstance((await asyncio.gather(waiting, return_exceptions=True))[0], httpx.HTTPError)
    await stage.accepted(asked["url"])
    # What the relay tells once was fetched, or not: the next call has it.
    await stage.site.killed_midway(device, "/v1/farcaster/finish", {"attempt": asked["attempt"]})
    answer = await device.raw("/v1/farcaster/finish", {"attempt": asked["attempt"]})
    if answer.status_code != 200:
        assert (answer.status_code, answer.json()["error"]["code"]) == (410, "taken")
        asked = await device.call("/v1/farcaster/start")
        await stage.accepted(asked["url"])
        answer = await device.raw("/v1/farcaster/finish", {"attempt": asked["attempt"]})
    assert answer.json()["provider"] == "farcaster"


async def test_a_passkey_opens_the_wallet_wherever_the_site_was_killed(stage: Stage) -> None:
    device = stage.device()
    await stage.site.log_in(device)
    wallet = Wallet(device, (await device.call("/v1/me"))["user"]["id"])
    await device.call("/v1/wallet", wallet.body(stage.site.recovery_key))
    passkey, here = Passkey(), {"origin": stage.origin}

    # A challenge outlives the process; the passkey is kept, and who adds it again is told that it is.
    body = await addition(wallet, passkey, **here)
    await stage.site.restart()
    await stage.site.lost(device, "/v1/passkeys/added", body)
    assert [one["name"] for one in (await device.call("/v1/passkeys"))["passkeys"]] == ["Chrome on Windows"]
    assert (await device.refused("/v1/passkeys/added", await addition(wallet, passkey, **here))).code == "passkey_known"

    # On another device: each answer that is lost is had by another ceremony.
    other = stage.device()
    await stage.site.lost(other, "/v1/login/passkey")
    used = passkey.used(await begun(other, "/v1/login/passkey"), **here)
    await stage.site.lost(other, "/v1/login/passkey/finish", used)
    assert (await other.refused("/v1/login/passkey/finish", used)).status == 400
    answer = await other.call("/v1/login/passkey/finish", passkey.used(await begun(other, "/v1/login/passkey"), **here))
    other.session, root = answer["session"], passkey.root(answer)
    assert root == wallet.root

    # The set of that device is there, and the answer that said so is not.
    half = os.urandom(16)
    await stage.site.lost(other, "/v1/wallet/device", {"deviceHalf": encode(xor(root, half)), "grant": answer["grant"]})
    assert (await other.call("/v1/me"))["user"]["device"] is True
    assert xor(half, decode((await other.call("/v1/wallet/half", {"use": "sign"}))["half"])) == wallet.root

    # A fresh proof: the one that was lost counts for nothing that anybody has, and another is had.
    used = passkey.used(await begun(device, "/v1/passkeys/prove"), **here)
    await stage.site.lost(device, "/v1/passkeys/proved", {"purpose": "export", **used})
    used = passkey.used(await begun(device, "/v1/passkeys/prove"), **here)
    proof = (await device.call("/v1/passkeys/proved", {"purpose": "export", **used}))["proof"]
    await stage.site.restart()
    exported = decode((await device.call("/v1/wallet/export", {"proof": proof}))["half"])
    assert xor(wallet.device_half, exported) == wallet.root
