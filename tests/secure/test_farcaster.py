"""Logging in with a Farcaster account: the sandbox's relay and phone, and a real chain with the registries."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import pytest_asyncio
from eth_account import Account
from eth_account.messages import encode_defunct
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.ports import free_ports
from tests.secure.mailbox import Mailbox
from tests.secure.social_stage import IDLE, SANDBOX, SOCIAL_SETTINGS, Line, new_attempt, passed
from tests.secure.world import World, running, settings_for
from tests.services.real_chains import running as running_beside
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import RequestTimeoutError
from walletmodal.sandbox.anvil import AnvilNode
from walletmodal.sandbox.chains import CHAINS
from walletmodal.sandbox.evm.anvil_program import anvil_binary
from walletmodal.sandbox.evm.world import ACCOUNTS
from walletmodal.sandbox.farcaster import FarcasterService, farcaster_pages
from walletmodal.sandbox.farcaster.relay import RELAY_KEY
from walletmodal.secure.farcaster.message import Expected, FarcasterError, read_claim

OWNER, SIGNER, STRANGER = 0, 1, 2
"""Accounts of the phone, in its order."""
KEYS: Final = (
    "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
    "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
)
"""Published keys of the first two development accounts."""
OPTIMISM: Final = next(chain for chain in CHAINS if chain.id == 10)


@pytest.fixture(scope="session")
def optimism() -> Iterator[AnvilNode]:
    with running_beside(lambda: AnvilNode(OPTIMISM, free_ports(), anvil_binary(), print)) as node:
        yield node


@dataclass
class Stage:
    world: World
    relay: FarcasterService
    line: Line
    phone: httpx.AsyncClient

    async def press(self, begun: dict[str, Any], decision: str, account: int = OWNER) -> httpx.Response:
        fields = {"link": begun["url"], "decision": decision, "account": str(account)}
        return await self.phone.post("/farcaster", data=fields)

    async def hand_over(self, begun: dict[str, Any], **changes: Any) -> None:
        """What an app of somebody's own making gives the relay."""
        (token,) = parse_qs(urlsplit(begun["url"]).query)["channelToken"]
        channel = self.relay.channels[token]
        message, key = text_of(channel.asked.model_dump() | {"nonce": channel.nonce}, self.world.clock, **changes)
        signature = Account.sign_message(encode_defunct(text=message), key).signature.to_0x_hex()
        headers = {"authorization": f"Bearer {token}", "x-farcaster-auth-relay-key": RELAY_KEY}
        body = {"message": message, "signature": signature, "fid": 1, "username": "mallory"}
        answer = await self.phone.post("/farcaster/v1/channel/authenticate", json=body, headers=headers)
        assert answer.status_code == 201, answer.text


def text_of(asked: dict[str, Any], clock: MovableClock, **changes: Any) -> tuple[str, str]:
    """A sign-in of the owner of 20001 as it should be, but for the changes; and the key to sign with."""
    now = clock.now()
    said: dict[str, Any] = {
        "domain": asked["domain"], "uri": asked["siwe_uri"], "nonce": asked["nonce"], "chain": 10, "address": ACCOUNTS[0],
        "statement": "Farcaster Auth", "issued": now, "expires": None, "fids": [20_001], "key": KEYS[0],
    } | changes  # fmt: skip
    lines = [
        f"{said['domain']} wants you to sign in with your Ethereum account:", said["address"], "", said["statement"], "",
        f"URI: {said['uri']}", "Version: 1", f"Chain ID: {said['chain']}", f"Nonce: {said['nonce']}",
        f"Issued At: {iso(said['issued'])}",
        *([f"Expiration Time: {iso(said['expires'])}"] if said["expires"] else []),
        "Resources:", *(f"- farcaster://fid/{fid}" for fid in said["fids"]),
    ]  # fmt: skip
    return "\n".join(lines), str(said["key"])


def iso(moment: Any) -> str:
    return str(moment.isoformat(timespec="milliseconds")).replace("+00:00", "Z")


@pytest_asyncio.fixture
async def stage(secure_url: str, mailbox: Mailbox, optimism: AnvilNode) -> AsyncIterator[Stage]:
    clock = MovableClock()
    # Asked from this loop; the fixture's own is another thread's.
    relay = FarcasterService(SANDBOX, Signer(optimism.url), clock)
    app = Starlette(routes=[*farcaster_pages(relay), Mount("/farcaster", relay)])
    line = Line(app)
    changed = SOCIAL_SETTINGS | {"rpc_urls": f"eip155:10={optimism.url}"}
    settings = settings_for(secure_url, mailbox.url, **changed)
    async with (
        running(settings, mailbox, clock=clock, social=line) as world,
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=SANDBOX) as phone,
    ):
        yield Stage(world, relay, line, phone)


class Signer:
    """The node, as far as the phone asks it: by its port."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def rpc(self, method: str, params: Any = ()) -> object:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        async with httpx.AsyncClient(trust_env=False) as client:
            return (await client.post(self.url, json=body)).json()["result"]


@pytest.mark.parametrize("account", [OWNER, SIGNER])
async def test_an_app_that_approves_logs_the_device_in_as_the_same_user_each_time(stage: Stage, account: int) -> None:
    found = []
    for _ in range(2):
        device = stage.world.device()
        begun = await device.call("/v1/farcaster/start")
        await stage.press(begun, "approve", account)
        found.append(await device.call("/v1/farcaster/finish", {"attempt": begun["attempt"]}))
        device.session = found[-1]["session"]
        assert (await device.call("/v1/me"))["user"] == found[-1]["user"]
    assert found[0]["user"]["id"] == found[1]["user"]["id"]
    assert found[0]["userName"] == ("Alice" if account == OWNER else "Bob")


async def test_owner_and_another_id_are_two_users(stage: Stage) -> None:
    found = set()
    for account in (OWNER, SIGNER):
        device = stage.world.device()
        begun = await device.call("/v1/farcaster/start")
        await stage.press(begun, "approve", account)
        found.add((await device.call("/v1/farcaster/finish", {"attempt": begun["attempt"]}))["user"]["id"])
    assert len(found) == 2


async def test_a_login_waits_for_the_app_and_may_be_asked_for_again(stage: Stage) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    waiting = asyncio.ensure_future(device.call("/v1/farcaster/finish", {"attempt": begun["attempt"]}))
    await passed(stage.world.clock, 26, waiting)
    assert await waiting == {"pending": True}
    await stage.press(begun, "reject")
    await stage.press(begun, "approve")
    assert "session" in await device.call("/v1/farcaster/finish", {"attempt": begun["attempt"]})


async def test_another_device_does_not_get_the_result(stage: Stage) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    await stage.press(begun, "approve")
    refused = await stage.world.device().refused("/v1/farcaster/finish", {"attempt": begun["attempt"]})
    assert (refused.status, refused.code) == (403, "started_elsewhere")


async def test_a_result_is_given_once_and_not_by_the_other_call(stage: Stage) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    await stage.press(begun, "approve")
    attempt = {"attempt": begun["attempt"]}
    assert (await device.refused("/v1/oauth/finish", attempt)).status == 404
    await device.call("/v1/farcaster/finish", attempt)
    assert (await device.refused("/v1/farcaster/finish", attempt)).code == "taken"


async def test_an_attempt_of_a_provider_is_none_of_farcasters(stage: Stage) -> None:
    device, attempt = stage.world.device(), new_attempt()
    await device.call("/v1/oauth/start", {"provider": "google", "attempt": attempt})
    assert (await device.refused("/v1/farcaster/finish", {"attempt": attempt})).status == 404


async def test_ten_minutes_later_it_is_over(stage: Stage) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    await stage.press(begun, "approve")
    stage.world.clock.advance(601)
    assert (await device.refused("/v1/farcaster/finish", {"attempt": begun["attempt"]})).status == 404


async def test_somebody_who_claims_anothers_id_is_refused(stage: Stage) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    await stage.press(begun, "approve", STRANGER)
    assert (await device.refused("/v1/farcaster/finish", {"attempt": begun["attempt"]})).code == "provider"


REFUSED: Final[dict[str, dict[str, Any]]] = {
    "another's id": {"fids": [20_002]},
    "an id that nobody has": {"fids": [999]},
    "no id": {"fids": []},
    "two ids": {"fids": [20_001, 20_002]},
    "the same id twice": {"fids": [20_001, 20_001]},
    "another spelling of an id": {"fids": ["020001"]},
    "another domain": {"domain": "evil.example"},
    "another address of the site": {"uri": "https://evil.example/"},
    "another nonce": {"nonce": "f" * 32},
    "another chain": {"chain": 1},
    "another statement": {"statement": "Sign everything"},
    "another's signature": {"key": KEYS[1]},
    "another's address": {"address": ACCOUNTS[1]},
    "in lower case": {"address": ACCOUNTS[0].lower()},
}


@pytest.mark.parametrize("how", REFUSED)
async def test_what_was_not_signed_for_this_login_by_the_ids_owner_logs_nobody_in(stage: Stage, how: str) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    await stage.hand_over(begun, **REFUSED[how])
    refused = await device.refused("/v1/farcaster/finish", {"attempt": begun["attempt"]})
    assert (refused.status, refused.code) == (400, "provider")


async def test_what_the_changes_are_made_to_does_log_in(stage: Stage) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    await stage.hand_over(begun)
    assert "session" in await device.call("/v1/farcaster/finish", {"attempt": begun["attempt"]})


@pytest.mark.parametrize(
    ("issued", "expires", "counts"),
    [(0, None, True), (50, None, True), (70, None, False), (-60, 1, True), (-60, 0, False)],
)
def test_a_message_counts_in_its_time(issued: int, expires: int | None, counts: bool) -> None:
    clock = MovableClock()
    expected = Expected(domain="localhost:8701", uri="http://localhost:8701/farcaster", nonce="a" * 32)
    times = {"issued": clock.now() + timedelta(seconds=issued)}
    times |= {} if expires is None else {"expires": clock.now() + timedelta(seconds=expires)}
    asked = {"domain": expected.domain, "siwe_uri": expected.uri, "nonce": expected.nonce}
    text, _ = text_of(asked, clock, **times)
    if counts:
        assert read_claim(text, expected, clock.now()).fid == 20_001
    else:
        with pytest.raises(FarcasterError, match="time"):
            read_claim(text, expected, clock.now())


async def test_a_relay_that_is_down_begins_no_login(stage: Stage) -> None:
    for status, said in ((500, "{}"), (201, "{}"), (201, "<html>")):
        stage.line.answer = partial(_answer, status, said)
        refused = await stage.world.device().refused("/v1/farcaster/start")
        assert (refused.status, refused.code) == (502, "provider")


async def test_a_link_that_is_none_is_not_shown(stage: Stage) -> None:
    lie = {"channelToken": "t", "url": "javascript:alert(1)", "nonce": "n"}
    stage.line.answer = lambda _: httpx.Response(201, json=lie)
    assert (await stage.world.device().refused("/v1/farcaster/start")).code == "provider"


async def test_a_relay_that_fails_meanwhile_is_asked_again(stage: Stage) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    await stage.press(begun, "approve")
    stage.line.answer = lambda _: httpx.Response(503)
    waiting = asyncio.ensure_future(device.call("/v1/farcaster/finish", {"attempt": begun["attempt"]}))
    await stage.world.clock.asleep(IDLE + 1)
    stage.line.answer = lambda _: None
    await passed(stage.world.clock, 5, waiting)
    assert "session" in await waiting


async def test_what_the_relay_tells_once_is_not_lost_while_the_chain_is_away(stage: Stage) -> None:
    device = stage.world.device()
    begun = await device.call("/v1/farcaster/start")
    await stage.press(begun, "approve")
    attempt = {"attempt": begun["attempt"]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("walletmodal.secure.farcaster.registries.Registries._call", _away)
        refused = await device.refused("/v1/farcaster/finish", attempt)
    assert (refused.status, refused.code) == (502, "node")
    assert "session" in await device.call("/v1/farcaster/finish", attempt)


def _answer(status: int, said: str, _: httpx.Request) -> httpx.Response:
    return httpx.Response(status, text=said)


async def _away(*_: object) -> bytes:
    raise RequestTimeoutError(url="eip155:10")
