"""Farcaster's relay and phone, and the registries of the sandbox's OP Mainnet that a sign-in is checked with."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from playwright.async_api import Browser, expect

from walletmodal.sandbox import Sandbox
from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.world import ACCOUNTS, worlds
from walletmodal.sandbox.farcaster.phone import phone_accounts
from walletmodal.sandbox.farcaster.relay import CHANNEL_SECONDS, RELAY_KEY

pytestmark = pytest.mark.asyncio(loop_scope="session")

ASKED: Final = {"siweUri": "http://localhost:8701/login", "domain": "localhost:8701", "nonce": "0123456789abcdef"}

Rpc = Callable[..., Awaitable[object]]


async def opened(http: httpx.AsyncClient, **asked: object) -> dict[str, Any]:
    answer = await http.post("/farcaster/v1/channel", json={**ASKED, **asked})
    assert answer.status_code == 201
    made: dict[str, Any] = answer.json()
    return made


async def status(http: httpx.AsyncClient, channel: dict[str, Any]) -> httpx.Response:
    return await http.get(
        "/farcaster/v1/channel/status", headers={"authorization": f"Bearer {channel['channelToken']}"}
    )


async def press(http: httpx.AsyncClient, channel: dict[str, Any], decision: str, account: int = 0) -> httpx.Response:
    fields = {"link": channel["url"], "decision": decision, "account": str(account)}
    return await http.post("/farcaster", data=fields)


async def test_a_channel_waits_until_the_phone_approves_and_is_told_once(http: httpx.AsyncClient) -> None:
    channel = await opened(http)
    assert urlsplit(channel["url"]).path == "/~/siwf"
    assert (await status(http, channel)).status_code == 202
    assert (await press(http, channel, "approve")).status_code == 200
    answer = await status(http, channel)
    assert (answer.status_code, answer.json()["state"], answer.json()["fid"]) == (200, "completed", 20_001)
    assert (await status(http, channel)).status_code == 401


async def test_what_is_signed_is_a_sign_in_of_the_site_with_its_nonce_and_one_fid(http: httpx.AsyncClient) -> None:
    channel = await opened(http)
    await press(http, channel, "approve", 1)
    answer = (await status(http, channel)).json()
    signer = Account.recover_message(encode_defunct(text=answer["message"]), signature=answer["signature"])
    assert (signer, answer["authMethod"]) == (ACCOUNTS[1], "authAddress")
    assert re.fullmatch(
        "localhost:8701 wants you to sign in with your Ethereum account:\n"
        f"{ACCOUNTS[1]}\n\nFarcaster Auth\n\nURI: http://localhost:8701/login\nVersion: 1\nChain ID: 10\n"
        r"Nonce: 0123456789abcdef\nIssued At: [0-9T:.-]+Z\nResources:\n- farcaster://fid/20002",
        answer["message"],
    )


async def test_who_rejects_leaves_the_channel_waiting(http: httpx.AsyncClient) -> None:
    channel = await opened(http)
    assert "Rejected" in (await press(http, channel, "reject")).text
    assert (await status(http, channel)).status_code == 202


async def test_a_channel_ends_after_an_hour(http: httpx.AsyncClient) -> None:
    channel = await opened(http)
    await http.post("/sandbox/clock", json={"seconds": CHANNEL_SECONDS + 1})
    assert (await status(http, channel)).status_code == 401
    assert "Nobody waits" in (await press(http, channel, "approve")).text


@pytest.mark.parametrize(
    "changes",
    [{"domain": "a b"}, {"domain": "x/y"}, {"siweUri": "no uri"}, {"nonce": "short"}, {"nonce": "no-hyphens"}],
)
async def test_the_relay_refuses_what_is_malformed(unchanging_http: httpx.AsyncClient, changes: dict[str, str]) -> None:
    answer = await unchanging_http.post("/farcaster/v1/channel", json={**ASKED, **changes})
    assert (answer.status_code, answer.json()) == (400, {"error": "Validation error"})


async def test_an_app_shows_the_relay_its_key(http: httpx.AsyncClient) -> None:
    channel = await opened(http)
    body = {"message": "m", "signature": "0x", "fid": 7, "authMethod": "custody"}
    for key, expected in (("guessed", 401), (RELAY_KEY, 201)):
        headers = {"authorization": f"Bearer {channel['channelToken']}", "x-farcaster-auth-relay-key": key}
        answer = await http.post("/farcaster/v1/channel/authenticate", json=body, headers=headers)
        assert answer.status_code == expected


async def test_the_registries_know_two_ids_and_nobody_else(rpc: Rpc) -> None:
    farcaster = worlds()["eip155:10"].farcaster
    assert farcaster is not None
    owner, signer, stranger = phone_accounts()

    async def asked(to: str, signature: str, *arguments: object) -> str:
        data = "0x" + call_data(signature, *arguments).hex()
        return str(await rpc("eip155:10", "eth_call", {"to": to, "data": data}, "latest"))

    async def id_of(address: str) -> int:
        return int((await asked(farcaster.id_registry, "idOf(address)", address))[2:66], 16)

    async def key_data(fid: int, address: str) -> tuple[int, int]:
        key = bytes(12) + bytes.fromhex(address[2:])
        words = (await asked(farcaster.key_registry, "keyDataOf(uint256,bytes)", fid, key))[2:]
        return int(words[:64], 16), int(words[64:128], 16)

    assert [await id_of(one.address) for one in (owner, signer, stranger)] == [owner.fid, 0, 0]
    assert await key_data(signer.fid, signer.address) == (1, 2)
    assert await key_data(owner.fid, stranger.address) == (0, 0)


async def test_the_phone_takes_a_link_shows_who_asks_and_approves(
    chromium: Browser, sandbox: Sandbox, http: httpx.AsyncClient
) -> None:
    channel = await opened(http)
    page = await chromium.new_page()
    await page.goto(f"{sandbox.url}/farcaster")
    await page.get_by_test_id("farcaster-link").fill(channel["url"])
    await page.get_by_test_id("farcaster-open").click()
    await expect(page.get_by_test_id("farcaster-request")).to_contain_text("localhost:8701")
    await page.get_by_test_id("farcaster-approve").click()
    await expect(page.get_by_test_id("farcaster-result")).to_have_text("Signed in")
    await page.close()
    assert (await status(http, channel)).status_code == 200


async def test_a_link_leads_to_the_phone(chromium: Browser, http: httpx.AsyncClient) -> None:
    channel = await opened(http)
    page = await chromium.new_page()
    await page.goto(channel["url"])
    await expect(page.get_by_test_id("farcaster-approve")).to_be_visible()
    await page.close()
