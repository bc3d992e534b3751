"""The phone in Chromium, opposite the real SDK of an application."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import base58
import httpx
import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from eth_account import Account
from eth_account.messages import encode_defunct
from playwright.async_api import Browser, Page, expect
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.patience import PATIENCE
from tests.sandbox.relay.counterparts import EVM, App, CounterpartError, Counterparts
from walletmodal.sandbox import Sandbox

pytestmark = pytest.mark.asyncio(loop_scope="session")

FIRST, SECOND = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
SOLANA_CHAIN = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
SOLANA = {
    "chains": [SOLANA_CHAIN],
    "methods": ["solana_signMessage"],
    "events": [],
    # Without it the SDK would read from a public node.
    "rpcMap": {SOLANA_CHAIN.partition(":")[2]: "http://localhost:9/"},
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def sdks() -> AsyncIterator[Counterparts]:
    async with Counterparts() as running:
        yield running


@dataclass(frozen=True)
class Stage:
    """A phone and an application."""

    page: Page
    app: App
    asked: list[str]

    async def pair(self) -> None:
        """Paste the application's link into the phone; its proposal is on screen."""
        link = await self.app.connect(eip155=EVM, solana=SOLANA)
        await self.page.get_by_test_id("phone-uri").fill(link)
        await self.page.get_by_test_id("phone-pair").click()
        await expect(self.page.get_by_test_id("phone-proposal")).to_be_visible()

    async def connect(self) -> None:
        """Pair, and approve what is proposed."""
        await self.pair()
        await self.page.get_by_test_id("phone-approve").click()
        assert "session" in await self.app.ask("connected")

    def request(self, method: str, params: object, chain: str = "eip155:1") -> "asyncio.Task[Any]":
        """Let the application ask for something."""
        return asyncio.create_task(self.app.ask("request", request={"method": method, "params": params}, chain=chain))


@pytest_asyncio.fixture(loop_scope="session")
async def stage(
    chromium: Browser, sandbox: Sandbox, unchanging_http: httpx.AsyncClient, sdks: Counterparts
) -> AsyncIterator[Stage]:
    context = await chromium.new_context(viewport={"width": 390, "height": 844})
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = await context.new_page()
    await page.goto(f"{sandbox.url}/phone")
    await expect(page.get_by_test_id("phone-status")).to_have_text("Ready")
    app = App(sdks, f"shop {id(page)}")
    await app.ask("app", relay=f"{sandbox.url.replace('http', 'ws')}/relay")
    yield Stage(page, app, asked)
    await app.ask("close")
    await context.close()


async def test_it_shows_who_asks_for_what_and_waits(stage: Stage) -> None:
    await stage.pair()
    proposal = stage.page.get_by_test_id("phone-proposal")
    await expect(proposal).to_contain_text(stage.app.name)
    await expect(proposal).to_contain_text("localhost:3000")
    await expect(proposal).to_contain_text("Ethereum, Polygon, Solana")
    await expect(proposal).to_contain_text("eth_sendTransaction")
    await expect(stage.page.get_by_test_id("phone-sheet")).to_be_focused()
    await stage.page.keyboard.press("Escape")
    assert await stage.app.ask("connected") == {"error": "User rejected."}
    await expect(stage.page.get_by_test_id("phone-session")).to_have_count(0)


async def test_it_signs_what_its_owner_agreed_to(stage: Stage) -> None:
    await stage.connect()
    asking = stage.request("personal_sign", ["0x" + b"hello".hex(), FIRST])
    await expect(stage.page.get_by_test_id("phone-detail")).to_have_text("hello")
    await stage.page.get_by_test_id("phone-approve").click()
    assert Account.recover_message(encode_defunct(b"hello"), signature=await asking) == FIRST
    asking = stage.request("solana_signMessage", {"message": base58.b58encode(b"hello").decode()}, SOLANA_CHAIN)
    await stage.page.get_by_test_id("phone-approve").click()
    signature = Signature.from_string((await asking)["signature"])
    signer = await stage.page.get_by_test_id("phone-account-solana").input_value()
    assert signature.verify(Pubkey.from_string(signer), b"hello")


async def test_it_sends_to_the_sandboxs_chain_and_nowhere_else(stage: Stage, sandbox: Sandbox) -> None:
    await stage.connect()
    asking = stage.request("eth_sendTransaction", [{"from": FIRST, "to": SECOND, "value": "0x1"}], "eip155:137")
    await expect(stage.page.get_by_test_id("phone-request")).to_contain_text("Polygon")
    await stage.page.get_by_test_id("phone-approve").click()
    call = {"jsonrpc": "2.0", "id": 1, "method": "eth_getTransactionByHash", "params": [await asking]}
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE) as client:
        found = (await client.post(sandbox.rpc_url("eip155:137"), json=call)).json()["result"]
    assert (found["from"], found["to"]) == (FIRST.lower(), SECOND.lower())
    assert {url for url in stage.asked if not url.startswith((sandbox.url, "data:"))} == set()


async def test_it_refuses_what_its_owner_rejects_and_what_it_cannot_do(stage: Stage) -> None:
    await stage.connect()
    asking = stage.request("personal_sign", ["0x00", FIRST])
    await stage.page.get_by_test_id("phone-reject").click()
    with pytest.raises(CounterpartError, match="User rejected"):
        await asking
    with pytest.raises(CounterpartError, match="no permission for this account"):
        await stage.request("personal_sign", ["0x00", SECOND])
    await expect(stage.page.get_by_test_id("phone-sheet")).to_be_hidden()


async def test_network_and_account_change_at_the_app_and_last_over_a_reload(stage: Stage) -> None:
    await stage.connect()
    network, account = (stage.page.get_by_test_id(f"phone-{name}") for name in ("network", "account-eip155"))
    await network.select_option("eip155:137")
    assert (await stage.app.ask("happened"))["data"]["event"] == {"name": "chainChanged", "data": 137}
    await account.select_option(SECOND)
    assert (await stage.app.ask("happened"))["event"] == "session_update"
    assert (await stage.app.ask("happened"))["data"]["event"] == {"name": "accountsChanged", "data": [SECOND, FIRST]}
    await stage.page.reload()
    await expect(network).to_have_value("eip155:137")
    await expect(account).to_have_value(SECOND)
    await stage.page.get_by_test_id("phone-disconnect").click()
    assert (await stage.app.ask("happened"))["event"] == "session_delete"
    await expect(stage.page.get_by_test_id("phone-session")).to_have_count(0)


async def test_a_request_waits_over_a_reload(stage: Stage) -> None:
    await stage.connect()
    asking = stage.request("personal_sign", ["0x" + b"later".hex(), FIRST])
    await expect(stage.page.get_by_test_id("phone-detail")).to_have_text("later")
    await stage.page.reload()
    await stage.page.get_by_test_id("phone-approve").click()
    assert Account.recover_message(encode_defunct(b"later"), signature=await asking) == FIRST


@pytest.mark.parametrize("where", ["/phone/wc?uri={}", "/phone#{}"])
async def test_a_deep_link_pairs_once(stage: Stage, sandbox: Sandbox, where: str) -> None:
    link = await stage.app.connect(eip155=EVM)
    await stage.page.goto("about:blank")
    await stage.page.goto(sandbox.url + where.format(quote(link, safe="")))
    await stage.page.get_by_test_id("phone-approve").click()
    assert "session" in await stage.app.ask("connected")
    assert stage.page.url == f"{sandbox.url}/phone"


async def test_a_link_cannot_be_sent_before_the_phone_has_started(chromium: Browser, sandbox: Sandbox) -> None:
    context = await chromium.new_context()
    page = await context.new_page()
    # The phone starts when it has become the only one.
    await page.add_init_script("""
      const request = navigator.locks.request.bind(navigator.locks);
      const begun = new Promise((resolve) => { window.begin = resolve; });
      navigator.locks.request = async (...wish) => { await begun; return request(...wish); };
    """)
    await page.goto(f"{sandbox.url}/phone")
    await expect(page.get_by_test_id("phone-pair")).to_be_disabled()
    await page.evaluate("begin()")
    await expect(page.get_by_test_id("phone-pair")).to_be_enabled()
    await context.close()


async def test_what_is_no_link_is_told(stage: Stage) -> None:
    for text in ("", "hello", "wc:abc@1?bridge=x", "https://example.com/?uri=nothing"):
        await stage.page.get_by_test_id("phone-uri").fill(text)
        await stage.page.get_by_test_id("phone-pair").click()
        await expect(stage.page.get_by_test_id("phone-error")).to_contain_text("no pairing link")
        await stage.page.reload()


async def test_it_works_in_one_tab_at_a_time(stage: Stage, sandbox: Sandbox) -> None:
    other = await stage.page.context.new_page()
    await other.goto(f"{sandbox.url}/phone")
    await expect(other.get_by_test_id("phone-status")).to_have_text("Ready")
    await stage.page.get_by_test_id("phone-take-over").click()
    await expect(stage.page.get_by_test_id("phone-status")).to_have_text("Ready")
    await expect(other.get_by_test_id("phone-take-over")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_nothing(stage: Stage, scheme: Any) -> None:
    await stage.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for prepare in (stage.pair, stage.page.get_by_test_id("phone-approve").click):
        await prepare()
        found = await Axe().run(stage.page)
        assert [(one["id"], one["nodes"][0]["html"]) for one in found.response["violations"]] == []
    assert await stage.page.evaluate("document.documentElement.scrollWidth") == 390
