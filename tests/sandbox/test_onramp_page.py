"""The pay page in a browser: from the on-ramp URL to coins in the account."""

import asyncio
import json
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

import httpx
import pytest
import pytest_asyncio
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Browser, Page, expect

from tests.sandbox.onramp_stage import ACCOUNT, HASH, USDC, Stage
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import LOOPBACK

pytestmark = pytest.mark.asyncio(loop_scope="session")

OpenPay = Callable[..., Awaitable[Page]]


def pay_query(**changes: Any) -> str:
    """What `onrampurl` puts on the page's address."""
    wallets = [{"address": ACCOUNT, "blockchains": ["ethereum", "polygon"], "assets": []}]
    query = {
        "appId": "sandbox",
        "destinationWallets": json.dumps(wallets),
        "partnerUserId": "p" * 32,
        "defaultExperience": "buy",
        **changes,
    }
    return urlencode(query)


@pytest.fixture
def stage() -> Stage:
    return Stage()


@pytest_asyncio.fixture(loop_scope="session")
async def open_pay(chromium: Browser, stage: Stage) -> AsyncIterator[OpenPay]:
    listening = socket.create_server((LOOPBACK, 0))
    server = HttpServer(stage.app, [listening])
    await server.start()
    context = await chromium.new_context()

    async def opened(query: str | None = None, **media: Any) -> Page:
        page = await context.new_page()
        page.on("pageerror", lambda error: pytest.fail(f"the page failed: {error}"))
        if media:
            await page.emulate_media(**media)
        await page.goto(f"http://localhost:{listening.getsockname()[1]}/pay/buy/select-asset?{query or pay_query()}")
        return page

    yield opened
    await context.close()
    await server.stop()


async def _to_card(page: Page) -> None:
    await page.get_by_test_id("pay-continue").click()
    await expect(page.get_by_test_id("pay-card")).to_be_visible()


async def test_a_visitor_buys_coin(open_pay: OpenPay, stage: Stage) -> None:
    page = await open_pay()
    await page.get_by_test_id("pay-amount").fill("250")
    await expect(page.get_by_test_id("pay-quantity")).to_have_value("0.09842")
    await _to_card(page)
    await page.get_by_test_id("pay-card-number").fill("4242 4242 4242 4242")
    await page.get_by_test_id("pay-card-expiry").fill("12/99")
    await page.get_by_test_id("pay-card-code").fill("123")
    await page.get_by_test_id("pay-confirm").click()
    await expect(page.get_by_test_id("pay-result-title")).to_have_text("It is yours")
    await expect(page.get_by_test_id("pay-result-text")).to_have_text("0.09842 ETH arrived in your account.")
    await expect(page.get_by_test_id("pay-result-hash")).to_have_text(HASH)
    assert stage.chains.credited == [("eip155:1", None, ACCOUNT, 98_420 * 10**12)]


async def test_asset_network_and_amount_can_be_chosen(open_pay: OpenPay, stage: Stage) -> None:
    page = await open_pay()
    await page.get_by_test_id("pay-asset").select_option("USDC")
    await page.get_by_test_id("pay-network").select_option("eip155:137")
    await page.get_by_test_id("pay-quantity").fill("98.3")
    await expect(page.get_by_test_id("pay-amount")).to_have_value("100.00")
    await _to_card(page)
    await page.get_by_test_id("pay-card-approved").click()
    await page.get_by_test_id("pay-confirm").click()
    await expect(page.get_by_test_id("pay-result-title")).to_have_text("It is yours")
    assert stage.chains.credited == [("eip155:137", USDC, ACCOUNT, 98_300_000)]


async def test_the_address_of_the_page_sets_the_beginning(open_pay: OpenPay) -> None:
    page = await open_pay(pay_query(defaultNetwork="polygon", presetFiatAmount=500))
    await expect(page.get_by_test_id("pay-network")).to_have_value("eip155:137")
    await expect(page.get_by_test_id("pay-amount")).to_have_value("500")
    await expect(page.get_by_test_id("pay-address")).to_have_text(ACCOUNT)


async def test_a_preset_of_coins_sets_the_payment(open_pay: OpenPay) -> None:
    page = await open_pay(pay_query(presetCryptoAmount=1))
    await expect(page.get_by_test_id("pay-quantity")).to_have_value("1")
    await expect(page.get_by_test_id("pay-amount")).to_have_value(re.compile(r"^2538\.\d\d$"))


async def test_an_account_gets_only_what_it_takes(open_pay: OpenPay) -> None:
    wallets = [{"address": ACCOUNT, "blockchains": ["polygon"], "assets": ["USDC"]}]
    page = await open_pay(pay_query(destinationWallets=json.dumps(wallets)))
    await expect(page.get_by_test_id("pay-continue")).to_be_enabled()
    assert await page.get_by_test_id("pay-asset").locator("option").all_inner_texts() == ["USDC – USD Coin"]
    assert await page.get_by_test_id("pay-network").locator("option").all_inner_texts() == ["Polygon"]


@pytest.mark.parametrize("amount", ["9", "8000", "abc", "-1", ""])
async def test_an_amount_that_no_card_pays_goes_no_further(open_pay: OpenPay, amount: str) -> None:
    page = await open_pay()
    await expect(page.get_by_test_id("pay-continue")).to_be_enabled()
    await page.get_by_test_id("pay-amount").fill(amount)
    await expect(page.get_by_test_id("pay-continue")).to_be_disabled()
    if amount:
        await expect(page.get_by_test_id("pay-order-wrong")).not_to_be_empty()


async def test_a_wrong_card_is_named_where_it_is_wrong(open_pay: OpenPay, stage: Stage) -> None:
    page = await open_pay()
    await _to_card(page)
    await page.get_by_test_id("pay-card-number").fill("4111 1111 1111 1111")
    await page.get_by_test_id("pay-confirm").click()
    await expect(page.get_by_test_id("pay-card-number")).to_have_attribute("aria-invalid", "true")
    await expect(page.get_by_text("The sandbox takes its own test cards only")).to_be_visible()
    assert stage.chains.credited == []


async def test_a_declined_card_can_be_changed(open_pay: OpenPay, stage: Stage) -> None:
    page = await open_pay()
    await _to_card(page)
    await page.get_by_test_id("pay-card-declined").click()
    await page.get_by_test_id("pay-confirm").click()
    await expect(page.get_by_test_id("pay-result-title")).to_have_text("The payment failed")
    await page.get_by_test_id("pay-again").click()
    await page.get_by_test_id("pay-card-approved").click()
    await page.get_by_test_id("pay-confirm").click()
    await expect(page.get_by_test_id("pay-result-title")).to_have_text("It is yours")
    assert len(stage.chains.credited) == 1


async def test_the_slow_card_is_followed_to_its_end(open_pay: OpenPay, stage: Stage) -> None:
    stage.chains.ready = asyncio.Event()
    page = await open_pay()
    await _to_card(page)
    await page.get_by_test_id("pay-card-slow").click()
    await page.get_by_test_id("pay-confirm").click()
    await expect(page.get_by_test_id("pay-result-title")).to_have_text("The payment is being checked")
    stage.chains.ready.set()
    await expect(page.get_by_test_id("pay-result-title")).to_have_text("It is yours")


@pytest.mark.parametrize(
    "query",
    [
        {"destinationWallets": ""},
        {"destinationWallets": "{"},
        {"destinationWallets": "[]"},
        {"destinationWallets": '[{"address": 7}]'},
        {"destinationWallets": '[null, "x", {"address": "<img src=x onerror=alert(1)>", "assets": ["NONE"]}]'},
        {"destinationWallets": json.dumps([{"address": ACCOUNT, "blockchains": ["solana"]}])},
    ],
)
async def test_a_page_address_without_an_account_sells_nothing(open_pay: OpenPay, query: dict[str, str]) -> None:
    page = await open_pay(pay_query(**query))
    await expect(page.get_by_test_id("pay-problem")).to_be_visible()


async def test_an_account_that_is_none_is_shown_as_text_and_refused(open_pay: OpenPay, stage: Stage) -> None:
    hostile = "<img src=x onerror=document.title='owned'>"
    page = await open_pay(pay_query(destinationWallets=json.dumps([{"address": hostile}])))
    await expect(page.get_by_test_id("pay-address")).to_have_text(hostile)
    await _to_card(page)
    await page.get_by_test_id("pay-card-approved").click()
    await page.get_by_test_id("pay-confirm").click()
    await expect(page.get_by_test_id("pay-card-wrong")).to_have_text("This is no address of the network")
    assert await page.title() == "Sandbox Pay"
    assert stage.chains.credited == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_step_can_be_read_and_used_by_everyone(open_pay: OpenPay, scheme: str) -> None:
    page = await open_pay(color_scheme=scheme, reduced_motion="reduce")
    await expect(page.get_by_test_id("pay-continue")).to_be_enabled()
    found = [(await Axe().run(page)).response["violations"]]
    await _to_card(page)
    await page.get_by_test_id("pay-card-approved").click()
    found.append((await Axe().run(page)).response["violations"])
    await page.get_by_test_id("pay-confirm").click()
    await expect(page.get_by_test_id("pay-done")).to_be_visible()
    found.append((await Axe().run(page)).response["violations"])
    assert [[violation["id"] for violation in step] for step in found] == [[], [], []]


async def test_a_phone_needs_no_sideways_scrolling(open_pay: OpenPay) -> None:
    page = await open_pay()
    await page.set_viewport_size({"width": 320, "height": 640})
    await expect(page.get_by_test_id("pay-continue")).to_be_enabled()
    for step in ("pay-order", "pay-card"):
        await expect(page.get_by_test_id(step)).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 320
        if step == "pay-order":
            await _to_card(page)


async def test_the_page_may_not_be_framed_and_loads_nothing_foreign(stage: Stage) -> None:
    async with stage.client() as client:
        answer: httpx.Response = await client.get("/pay/buy/select-asset")
    policy = answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in answer.text.replace("http-equiv", "")
