"""The Sandbox Wallet on Polkadot: the entry in `injectedWeb3`; its signatures verify with another implementation."""

from collections.abc import Awaitable, Callable

import base58
import pytest
import sr25519
from playwright.async_api import Page, expect

from tests.sandbox.page_side import PageSide

pytestmark = pytest.mark.asyncio(loop_scope="session")

OpenPage = Callable[..., Awaitable[Page]]

FIRST = "15kyC2xTckettUR82sbpzmSx9k1KgYBcVLLP2q1RySgWm2V9"
SECOND = "12zQQQpan3ZUkweegot9UegPfZZLMFW5AxFYwBQZ9RgCbqnG"
THIRD = "15V4h6Ws6PqN72WRrjUheWAqJhwhDGWH4rEDhMGuqXv2vqeC"
ENABLE = (
    "injectedWeb3['Sandbox Wallet'].enable('dapp').then((found) => { window.extension = found; return found.name; })"
)
AUTHORIZED = "injectedWeb3['Sandbox Wallet'].isAuthorized(location.origin)"
ACCOUNTS = "extension.accounts.get().then((accounts) => accounts.map(({address}) => address))"


async def _page(open_page: OpenPage, connected: bool = True) -> PageSide:
    page = await PageSide(await open_page(loader=False)).find()
    if connected:
        await page.approved(ENABLE)
    return page


def _is_signed(signature: str, message: bytes, address: str = FIRST) -> bool:
    account = base58.b58decode(address)[1:33]
    return bool(sr25519.verify(bytes.fromhex(signature[2:]), b"<Bytes>" + message + b"</Bytes>", account))


async def test_enabling_needs_approval(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert await page.approved(ENABLE) == "Sandbox Wallet"
    assert (await page.silent(ACCOUNTS))["value"] == [FIRST]


async def test_rejecting_is_4001(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert (await page.rejected(ENABLE))["code"] == 4001


async def test_after_a_reload_it_is_enabled_without_a_question(open_page: OpenPage) -> None:
    page = await _page(open_page, connected=False)
    assert (await page.silent(AUTHORIZED))["value"] is False
    await page.approved(ENABLE)
    await page.page.reload()
    await page.find()
    assert (await page.silent(AUTHORIZED))["value"] is True
    await page.silent(ENABLE)
    assert (await page.silent(ACCOUNTS))["value"] == [FIRST]
    await expect(page.page.get_by_test_id("sandbox-wallet-approve")).to_have_count(0)


async def test_the_owner_changes_account_lock_and_permission(open_page: OpenPage) -> None:
    page = await _page(open_page)
    subscribe = "extension.accounts.subscribe((accounts) => heard.push(accounts.map(({address}) => address)))"
    await page.silent(subscribe)
    await page.choose("polkadot", 2)
    await page.page.get_by_test_id("sandbox-wallet-lock").click()
    await page.page.get_by_test_id("sandbox-wallet-lock").click()
    await page.page.get_by_test_id("sandbox-wallet-disconnect").click()
    assert await page.heard() == [[FIRST], [THIRD], [], [THIRD], []]


async def test_a_signed_message_verifies(open_page: OpenPage) -> None:
    page = await _page(open_page)
    message = "Grüße".encode()
    await page.ask(f"extension.signer.signRaw({{address: '{FIRST}', data: '0x{message.hex()}', type: 'bytes'}})")
    await expect(page.page.get_by_test_id("sandbox-wallet-detail")).to_have_text("Grüße")
    await page.page.get_by_test_id("sandbox-wallet-approve").click()
    assert _is_signed((await page.answer())["value"]["signature"], message)


async def test_each_account_signs_with_its_own_key(open_page: OpenPage) -> None:
    page = await _page(open_page)
    await page.choose("polkadot", 1)
    answer = await page.approved(f"extension.signer.signRaw({{address: '{SECOND}', data: 'plain', type: 'bytes'}})")
    assert _is_signed(answer["signature"], b"plain", SECOND)


async def test_what_cannot_be_done_is_refused_at_once(open_page: OpenPage) -> None:
    page = await _page(open_page)
    cases = [
        (f"signRaw({{address: '{SECOND}', data: '0x00', type: 'bytes'}})", 4100),
        (f"signRaw({{address: '{FIRST}', data: '0x00', type: 'payload'}})", -32602),
        (f"signRaw({{address: '{FIRST}', data: 1, type: 'bytes'}})", -32602),
        ("signRaw()", -32602),
        ("signPayload({})", 4200),
    ]
    codes = [(await page.silent(f"extension.signer.{work}"))["code"] for work, _ in cases]
    assert codes == [code for _, code in cases]
