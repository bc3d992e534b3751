"""One-click sign-in: phones that sign while they pair, and phones that cannot."""

from collections.abc import AsyncIterator
from typing import Any, Final

import pytest
import pytest_asyncio
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.components.pairing.phone import OLDER, Phone
from tests.components.pairing.stage import HOST, PROPOSAL, Frame, Theatre
from walletmodal.core.clock import SystemClock
from walletmodal.core.sign_in.cacao import PairingSignIn, parse_pairing_sign_in, proposed_sign_in, read_cacao

pytestmark = pytest.mark.asyncio(loop_scope="session")

METHODS: Final = PROPOSAL["namespaces"]["eip155"]["methods"]
SDK_TIDIES: Final = 12
"""The SDK gives up topics that it does not know every five seconds."""
NETWORKS: Final = PROPOSAL["namespaces"]["eip155"]["chains"]


def asked() -> PairingSignIn:
    """What the server asks for."""
    now = SystemClock().now().replace(microsecond=0)
    message = {
        "domain": "shop.example",
        "accountAddress": "0x" + "0" * 40,
        "uri": HOST,
        "chainId": NETWORKS[0],
        "nonce": "a1b2c3d4" * 4,
        "issuedAt": now.isoformat(),
        "expirationTime": now.replace(year=now.year + 1, day=1).isoformat(),
        "statement": "Sign in to Shop.",
        "requestId": "host-nonce",
    }
    return parse_pairing_sign_in({"message": message, "chains": tuple(NETWORKS), "methods": tuple(METHODS)})


@pytest.fixture
def sign_in() -> PairingSignIn:
    return asked()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def older_phone(served: Theatre) -> AsyncIterator[Phone]:
    """A wallet with the SDK of a year ago."""
    running = Phone(served.relay_url, OLDER)
    await running.start()
    yield running
    await running.stop()


async def begin(frame: Frame, sign_in: PairingSignIn, **params: Any) -> str:
    """A visitor sees a code; gives back the question's id."""
    await frame.show("qr")
    return await frame.begin("connect", proposal={**PROPOSAL, "signIn": proposed_sign_in(sign_in)}, **params)


async def signed_in(frame: Frame, phone: Phone, sign_in: PairingSignIn, *networks: str) -> dict[str, Any]:
    """The answer of a phone that signs for networks."""
    question = await begin(frame, sign_in)
    request = await phone.scan_to_sign(await frame.code())
    await phone.do("signIn", id=request["id"], chains=list(networks), methods=["personal_sign", "eth_sendTransaction"])
    answer = await frame.answer(question)
    assert answer["ok"], answer
    value: dict[str, Any] = answer["value"]
    return value


def recovered(cacao: dict[str, Any], sign_in: PairingSignIn) -> str:
    """Who signed."""
    signed = read_cacao(cacao, sign_in)
    return str(Account.recover_message(encode_defunct(text=signed.text), signature=signed.signature))


async def test_the_phone_is_asked_to_sign_what_the_server_wrote(
    frame: Frame, phone: Phone, sign_in: PairingSignIn
) -> None:
    await begin(frame, sign_in)
    request = await phone.scan_to_sign(await frame.code())
    wire = proposed_sign_in(sign_in)
    given = {**request["request"], "uri": request["request"]["aud"]}
    assert {name: given[name] for name in wire} == wire
    assert (request["requester"]["name"], request["requester"]["url"]) == ("Shop", HOST)


async def test_one_approval_connects_and_signs(frame: Frame, phone: Phone, sign_in: PairingSignIn) -> None:
    value = await signed_in(frame, phone, sign_in, "eip155:1")
    assert value["sessions"]["eip155"] == {
        "connector": "walletConnect",
        "accounts": [phone.address],
        "chain": "1",
        "approved": ["eip155:1"],
        "peer": {"name": "Test Phone", "icon": "https://phone.example/icon.png"},
        "said": 0,
    }
    assert [recovered(cacao, sign_in) for cacao in value["cacaos"]] == [phone.address]


async def test_a_phone_may_sign_for_several_networks(frame: Frame, phone: Phone, sign_in: PairingSignIn) -> None:
    value = await signed_in(frame, phone, sign_in, *NETWORKS)
    assert value["sessions"]["eip155"]["approved"] == NETWORKS
    assert [read_cacao(cacao, sign_in).message.chain_id for cacao in value["cacaos"]] == NETWORKS


async def test_a_phone_with_the_sdk_of_a_year_ago_signs_in_too(
    frame: Frame, older_phone: Phone, sign_in: PairingSignIn
) -> None:
    value = await signed_in(frame, older_phone, sign_in, "eip155:1")
    assert [recovered(cacao, sign_in) for cacao in value["cacaos"]] == [older_phone.address]


async def test_the_session_that_begins_with_it_is_one_like_others(
    frame: Frame, phone: Phone, sign_in: PairingSignIn
) -> None:
    await signed_in(frame, phone, sign_in, "eip155:1")
    request = {"namespace": "eip155", "chain": "", "method": "personal_sign", "params": ["0x68656c6c6f", phone.address]}
    question = await frame.begin("request", **request)
    asked = await phone.sees("request")
    await phone.do("sign", id=asked["id"], topic=asked["topic"], message="0x68656c6c6f")
    assert (await frame.answer(question))["ok"]
    await frame.load()
    assert (await frame.ask("sessions"))["value"]["sessions"]["eip155"]["accounts"] == [phone.address]
    await frame.ask("disconnect")
    await phone.sees("delete", lambda event: event["topic"] == asked["topic"])


@pytest.mark.parametrize("age", ["today", "a year ago"])
async def test_a_phone_that_cannot_sign_in_connects_by_the_same_code(
    frame: Frame, phone: Phone, older_phone: Phone, sign_in: PairingSignIn, age: str
) -> None:
    plain = phone if age == "today" else older_phone
    await plain.do("signsIn", on=False)
    question = await begin(frame, sign_in)
    proposal = await plain.scan(await frame.code())
    await plain.do("approve", id=proposal["id"])
    answer = await frame.answer(question)
    assert answer["value"]["cacaos"] == []
    assert answer["value"]["sessions"]["eip155"]["accounts"][0] == plain.address


async def test_who_declines_on_the_phone_has_declined(frame: Frame, phone: Phone, sign_in: PairingSignIn) -> None:
    question = await begin(frame, sign_in)
    request = await phone.scan_to_sign(await frame.code())
    await phone.do("refuseSignIn", id=request["id"])
    assert (await frame.answer(question))["error"]["code"] == 4001


async def test_a_code_that_was_shown_before_still_counts(frame: Frame, phone: Phone, sign_in: PairingSignIn) -> None:
    await begin(frame, sign_in)
    first = await frame.code()
    question = await begin(frame, sign_in, again=True)
    await frame.code(other_than=first)
    request = await phone.scan_to_sign(first)
    await phone.do("signIn", id=request["id"], chains=["eip155:1"], methods=["personal_sign"])
    answer = await frame.answer(question)
    assert answer["ok"], answer
    assert [recovered(cacao, sign_in) for cacao in answer["value"]["cacaos"]] == [phone.address]


async def test_the_same_wish_again_shows_the_same_code(frame: Frame, sign_in: PairingSignIn) -> None:
    await begin(frame, sign_in)
    first = await frame.code()
    await begin(frame, sign_in)
    assert await frame.code() == first


async def test_who_takes_a_while_on_the_phone_signs_in_all_the_same(
    frame: Frame, phone: Phone, sign_in: PairingSignIn
) -> None:
    await frame.page.clock.install()
    await frame.load()
    question = await begin(frame, sign_in)
    request = await phone.scan_to_sign(await frame.code())
    await frame.let_pass(SDK_TIDIES)
    await phone.do("signIn", id=request["id"], chains=["eip155:1"], methods=["personal_sign"])
    answer = await frame.answer(question)
    assert [recovered(cacao, sign_in) for cacao in answer["value"]["cacaos"]] == [phone.address]


async def approved(phone: Phone, request: dict[str, Any]) -> None:
    """The phone signs for one network."""
    await phone.do("signIn", id=request["id"], chains=["eip155:1"], methods=["personal_sign"])


async def test_an_approval_after_a_reload_is_a_connection(frame: Frame, phone: Phone, sign_in: PairingSignIn) -> None:
    await begin(frame, sign_in)
    request = await phone.scan_to_sign(await frame.code())
    await frame.load()
    assert (await frame.ask("sessions"))["value"] == {"sessions": {}}
    await approved(phone, request)
    said = await frame.said("sessions")
    assert said["sessions"]["eip155"]["accounts"] == [phone.address]


async def test_an_approval_while_the_page_was_away_is_a_connection(
    frame: Frame, phone: Phone, sign_in: PairingSignIn
) -> None:
    await begin(frame, sign_in)
    request = await phone.scan_to_sign(await frame.code())
    await frame.page.goto("about:blank")
    await approved(phone, request)
    await frame.load()
    found = (await frame.ask("sessions"))["value"]
    if not found["sessions"]:
        # A relay that is slow to answer is not waited for: what it has to say corrects what was told.
        found = await frame.said("sessions", lambda told: bool(told["sessions"]))
    assert found["sessions"]["eip155"]["accounts"] == [phone.address]
