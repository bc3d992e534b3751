"""Who is at the other end of a pairing, or between: a relay that forges mail, and a wallet that lies about itself."""

import base64
import json
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from pywalletconnect import WCClient
from solders.keypair import Keypair
from websockets.asyncio.client import connect

from tests.components.pairing.phone import Phone
from tests.components.pairing.phone.python_wallet import PythonWallet
from tests.components.pairing.stage import Frame
from tests.components.pairing.test_pairing import paired, signed
from tests.sandbox.relay.stage import RawClient
from tests.sandbox.relay.tokens import token

pytestmark = pytest.mark.asyncio(loop_scope="session")

DELETION = json.dumps(
    {"id": 1, "jsonrpc": "2.0", "method": "wc_sessionDelete", "params": {"code": 6000, "message": ""}}
)
SEALED = base64.b64encode(bytes([0]) + bytes(60)).decode()
FOR_ANOTHER = base64.b64encode(bytes([1]) + bytes(100)).decode()
OPEN = base64.urlsafe_b64encode(bytes([2]) + DELETION.encode()).decode().rstrip("=")
FORGED = ("", "no envelope at all", "é" * 1000, "A" * 100_000, DELETION, SEALED, FOR_ANOTHER, OPEN)

HOSTILE = {
    "name": "\u202e<img src=x onerror='window.__hit=1'>" + "x" * 100_000,
    "description": {"toString": "1"},
    "url": "javascript:alert(1)",
    "icons": ["javascript:alert(1)", "data:text/html,<script>1</script>", "http://phone.example/i.png"],
    "redirect": {"native": "javascript:alert(1)", "universal": "data:text/html,x"},
}


async def publish(frame: Frame, topic: str, message: str) -> None:
    """What anybody can do who has seen the topic, above all the relay itself."""
    relay = frame.theatre.relay_url
    auth = token(Keypair(), aud=relay)
    async with connect(f"{relay}?auth={auth}&projectId=x", compression=None) as connection:
        await RawClient(connection).call("irn_publish", topic=topic, message=message, ttl=300, tag=1112)


async def test_forged_mail_ends_no_session(frame: Frame, phone: Phone) -> None:
    sessions = await paired(frame, phone)
    topic = frame.theatre.calls("/wc_approveSession")[-1]["params"]["sessionTopic"]
    for message in FORGED:
        await publish(frame, topic, message)
    # The signature comes behind the forged mail.
    assert Account.recover_message(encode_defunct(text="hello"), signature=(await signed(frame, phone))["value"])
    assert (await frame.ask("sessions"))["value"] == {"sessions": sessions}


async def test_forged_mail_takes_neither_the_code_away_nor_the_next_one(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    question = await frame.connect()
    code = await frame.code()
    for message in FORGED:
        await publish(frame, code.removeprefix("wc:").partition("@")[0], message)
    assert await frame.code() == code
    await frame.connect(again=True)
    proposal = await phone.scan(await frame.code(other_than=code))
    await phone.do("approve", id=proposal["id"])
    assert (await frame.answer(question))["ok"]
    # The SDK complains of such mail on the console, and that is all that comes of it.
    frame.problems.clear()


async def lying(frame: Frame, wallet: PythonWallet, chain: str = "137", **lies: str) -> dict[str, Any]:
    """The sessions that come of a wallet's approval."""
    await frame.show("qr")
    question = await frame.connect()
    await wallet.scan(await frame.code())
    await wallet.approve(chain, **lies)
    answer = await frame.answer(question)
    sessions: dict[str, Any] = answer["value"]["sessions"]
    return sessions


async def test_what_a_wallet_says_of_itself_is_cut_to_what_can_be_shown(
    frame: Frame, python_wallet: PythonWallet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WCClient, "wallet_metadata", HOSTILE)
    peer = (await lying(frame, python_wallet))["eip155"]["peer"]
    assert (len(peer["name"]), peer["icon"]) == (100, "")


@pytest.mark.parametrize("metadata", [{}, {"name": None, "icons": "x"}, {"name": ["x"], "icons": [7]}])
async def test_a_wallet_that_says_nothing_sensible_of_itself_is_connected_without_a_name(
    frame: Frame, python_wallet: PythonWallet, monkeypatch: pytest.MonkeyPatch, metadata: dict[str, Any]
) -> None:
    monkeypatch.setattr(WCClient, "wallet_metadata", metadata)
    assert (await lying(frame, python_wallet))["eip155"]["peer"] == {"name": "", "icon": ""}


@pytest.mark.parametrize("address", ["<b>", "0x" + "1" * 200])
async def test_an_account_that_is_none_makes_no_session(
    frame: Frame, python_wallet: PythonWallet, address: str
) -> None:
    assert await lying(frame, python_wallet, address=address) == {}


async def test_an_approval_that_the_sdk_refuses_takes_the_code_away_and_says_so(
    frame: Frame, phone: Phone, python_wallet: PythonWallet
) -> None:
    await frame.show("qr")
    question = await frame.connect()
    code = await frame.code()
    await python_wallet.scan(code)
    await python_wallet.approve("137", address="not:an:account")
    answer = await frame.answer(question)
    assert answer["error"] == {"code": 4200, "message": "The wallet has approved nothing that can be used"}
    await frame.page.get_by_test_id("pairing-failed").wait_for()
    again = await frame.connect()
    proposal = await phone.scan(await frame.code(other_than=code))
    await phone.do("approve", id=proposal["id"])
    assert (await frame.answer(again))["ok"]
    # What the SDK refuses it also writes to the console.
    frame.problems.clear()


async def test_a_namespace_that_nobody_asked_for_makes_no_session(frame: Frame, python_wallet: PythonWallet) -> None:
    chain, address = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp", "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
    assert await lying(frame, python_wallet, chain, namespace="solana", address=address) == {}
