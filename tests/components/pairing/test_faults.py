"""What goes wrong on the way to the phone, and what the visitor gets then."""

import json
import time
from typing import Any

import pytest

from tests.components.pairing.phone import Phone
from tests.components.pairing.stage import Frame
from tests.components.pairing.test_pairing import paired, signed
from walletmodal.sandbox.faults import DELIVERY, Fault

pytestmark = pytest.mark.asyncio(loop_scope="session")

STORED = "Object.entries(localStorage).filter(([key]) => key.startsWith('walletmodal:wc@'))"
ATTESTING = """
const token = ["", btoa(JSON.stringify({ id })), ""].join(".");
parent.postMessage(JSON.stringify({ type: "verify_attestation", attestation: token }), "*");
"""


def fault(frame: Frame, **what: Any) -> None:
    frame.theatre.faults.add(Fault(service="relay", **what))


@pytest.mark.parametrize(
    ("refusal", "text"),
    [
        ("invalid key", "Unauthorized: invalid key"),
        ("origin not allowed", "Unauthorized: origin not allowed"),
        ("jwt not yet valid", "JWT validation error: JWT Token is not yet valid"),
    ],
)
async def test_a_refusal_of_the_relay_arrives_in_its_own_words(frame: Frame, refusal: str, text: str) -> None:
    fault(frame, path="/connect", status=401, body=refusal)
    await frame.show("qr")
    answer = await frame.answer(await frame.connect())
    assert text in answer["error"]["message"]
    assert text in await frame.page.get_by_test_id("pairing-failed").inner_text()


async def test_after_a_refusal_the_next_try_works(frame: Frame, phone: Phone) -> None:
    fault(frame, path="/connect", status=401, body="invalid key")
    await frame.answer(await frame.connect())
    frame.theatre.faults.clear()
    assert await paired(frame, phone)


async def test_a_relay_that_cannot_be_reached_is_said_to_be(frame: Frame) -> None:
    await frame.page.clock.install()
    await frame.load(relayUrl=frame.theatre.relay_url.replace("/relay", "/nowhere"))
    await frame.show("qr")
    question = await frame.connect()
    await frame.page.get_by_test_id("pairing-waiting").wait_for()
    await frame.page.clock.run_for(9_000)
    assert (await frame.answer(question))["error"]["message"] == "The relay cannot be reached"


async def test_a_relay_that_loses_the_connection_once_is_tried_again(frame: Frame, phone: Phone) -> None:
    fault(frame, path="/wc_proposeSession", drop=True, times=1)
    assert await paired(frame, phone)


async def test_mail_that_comes_twice_counts_once(frame: Frame, phone: Phone) -> None:
    fault(frame, path=DELIVERY, repeat=True)
    await paired(frame, phone)
    assert (await signed(frame, phone))["ok"]
    await phone.do("emit", event="chainChanged", data=137, chain="eip155:137")
    await frame.said("sessions", lambda said: said["sessions"]["eip155"]["chain"] == "137")
    assert await frame.page.evaluate("play.said.filter(({ type }) => type === 'sessions').length") == 1


async def test_mail_that_comes_late_counts(frame: Frame, phone: Phone) -> None:
    fault(frame, path=DELIVERY, delay_ms=250)
    await paired(frame, phone)
    assert (await signed(frame, phone))["ok"]


async def test_after_lost_mail_a_fresh_code_connects(frame: Frame, phone: Phone) -> None:
    await frame.show("qr")
    question = await frame.connect()
    lost = await frame.code()
    fault(frame, path=DELIVERY, drop=True, times=1)
    await phone.do("pair", uri=lost)
    assert await frame.code() == lost
    await frame.connect(again=True)
    proposal = await phone.scan(await frame.code(other_than=lost))
    await phone.do("approve", id=proposal["id"])
    assert (await frame.answer(question))["ok"]


async def test_a_relay_that_restarts_does_not_end_the_session(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    frame.theatre.restart_relay()
    assert (await signed(frame, phone))["ok"]


async def test_an_end_that_the_relay_does_not_take_is_an_end_here(frame: Frame, phone: Phone) -> None:
    await paired(frame, phone)
    fault(frame, path="/irn_publish", delay_ms=600_000)
    started = time.monotonic()
    assert (await frame.ask("disconnect"))["ok"]
    # The SDK alone goes on trying for a quarter of a minute at least.
    assert time.monotonic() - started < 14
    assert (await frame.ask("sessions"))["value"] == {"sessions": {}}


@pytest.mark.parametrize(
    ("part", "damage"),
    [
        ("//session", "[{'topic': 1, 'requiredNamespaces': {}}]".replace("'", '"')),
        ("//session", '"once upon a time"'),
        ("//session", "{"),
        ("//keychain", "{}"),
        ("//keychain", "[1, 2]"),
        ("//subscription", '{"a": 1}'),
        ("//pairing", "7"),
        ("//history", "null"),
    ],
)
async def test_a_damaged_store_is_dropped_and_the_visitor_pairs_anew(
    frame: Frame, phone: Phone, part: str, damage: str
) -> None:
    await paired(frame, phone)
    damaging = f"([part, damage]) => {STORED}.filter(([key]) => key.endsWith(part)).forEach(([key]) => localStorage.setItem(key, damage))"
    await frame.page.evaluate(damaging, [part, damage])
    await frame.load()
    assert (await frame.ask("sessions"))["ok"]
    assert await paired(frame, phone)


async def test_what_an_older_version_left_is_not_taken_for_a_session(frame: Frame) -> None:
    old = json.dumps([{"topic": "ab", "expiry": 1, "state": {"accounts": ["0x1@eip155:1"]}}])
    await frame.page.evaluate("text => localStorage.setItem('walletmodal:wc@2:client:0.3//session', text)", old)
    await frame.load()
    assert (await frame.ask("sessions"))["value"] == {"sessions": {}}


async def test_a_silent_attestation_host_does_not_hold_up_the_code(frame: Frame) -> None:
    frame.theatre.attests = None
    await frame.load(verifyUrl=f"{frame.theatre.url}/verify")
    await frame.show("qr")
    await frame.ask("sessions")
    started = time.monotonic()
    await frame.connect()
    await frame.code()
    # The SDK alone waits for it for five seconds.
    assert time.monotonic() - started < 5
    assert await frame.page.locator("iframe").count() == 0


@pytest.mark.parametrize("after_ms", [0, 250])
async def test_an_attestation_that_takes_no_longer_than_the_connection_goes_with_the_proposal(
    frame: Frame, after_ms: int
) -> None:
    frame.theatre.attests = f"setTimeout(() => {{{ATTESTING}}}, {after_ms})"
    fault(frame, path="/connect", delay_ms=1_000)
    await frame.load(verifyUrl=f"{frame.theatre.url}/verify")
    await frame.show("qr")
    await frame.connect()
    await frame.code()
    assert frame.theatre.calls("/wc_proposeSession")[-1]["params"]["attestation"].count(".") == 2


async def test_nothing_is_attested_where_no_host_is_configured(frame: Frame) -> None:
    await frame.show("qr")
    await frame.connect()
    await frame.code()
    assert not frame.theatre.calls("/wc_proposeSession")[-1]["params"].get("attestation")
