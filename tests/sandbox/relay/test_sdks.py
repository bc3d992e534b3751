"""The relay between the real SDKs of an application and a wallet."""

import asyncio
import itertools
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
from eth_account import Account
from eth_account.messages import encode_defunct

from tests.sandbox.relay.counterparts import EVM, App, CounterpartError, Counterparts
from tests.sandbox.relay.stage import RelayStage

pytestmark = pytest.mark.asyncio(loop_scope="module")

OWNER = Account.from_key("0x" + "11" * 32)
ACCOUNTS = [f"{chain}:{OWNER.address}" for chain in ("eip155:1", "eip155:137")]
APPROVED = {"eip155": {name: EVM[name] for name in ("chains", "methods", "events")} | {"accounts": ACCOUNTS}}

_numbers = itertools.count(1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sdks() -> AsyncIterator[Counterparts]:
    async with Counterparts() as running:
        yield running


@dataclass(frozen=True)
class Pair:
    """An application and a wallet that have not met."""

    app: App
    wallet: App
    relay: RelayStage

    async def propose(self) -> dict[str, Any]:
        """Pair them; the proposal, as the wallet gets it."""
        await self.wallet.ask("pair", uri=await self.app.connect(eip155=EVM))
        proposal: dict[str, Any] = await self.wallet.ask("asked")
        assert proposal["event"] == "session_proposal"
        return proposal

    async def meet(self) -> str:
        """Pair and approve; the session's topic."""
        proposal = await self.propose()
        topic: str = await self.wallet.ask("approve", id=proposal["id"], namespaces=APPROVED)
        assert (await self.app.ask("connected"))["session"]["topic"] == topic
        return topic

    def request(self, method: str, *params: object) -> "asyncio.Task[Any]":
        """Let the application ask for something."""
        return asyncio.create_task(
            self.app.ask("request", request={"method": method, "params": params}, chain="eip155:137")
        )


@pytest_asyncio.fixture(loop_scope="module")
async def pair(relay: RelayStage, sdks: Counterparts) -> AsyncIterator[Pair]:
    number = next(_numbers)
    app, wallet = App(sdks, f"app {number}"), App(sdks, f"wallet {number}")
    await app.ask("app", relay=relay.url)
    await wallet.ask("wallet", relay=relay.url)
    yield Pair(app, wallet, relay)
    await app.ask("close")
    await wallet.ask("close")


async def test_pair_approve_and_sign(pair: Pair) -> None:
    topic = await pair.meet()
    asking = pair.request("personal_sign", "0x" + b"hello".hex(), OWNER.address)
    asked = await pair.wallet.ask("asked")
    assert (asked["params"]["chainId"], asked["params"]["request"]["method"]) == ("eip155:137", "personal_sign")
    signature = OWNER.sign_message(encode_defunct(b"hello")).signature.to_0x_hex()
    await pair.wallet.ask("answer", topic=topic, id=asked["id"], outcome={"result": signature})
    assert await asking == signature


async def test_a_rejected_proposal(pair: Pair) -> None:
    proposal = await pair.propose()
    await pair.wallet.ask("reject", id=proposal["id"])
    assert await pair.app.ask("connected") == {"error": "User rejected."}


async def test_a_rejected_request(pair: Pair) -> None:
    topic = await pair.meet()
    asking = pair.request("eth_sendTransaction", {"from": OWNER.address})
    asked = await pair.wallet.ask("asked")
    error = {"code": 5000, "message": "User rejected."}
    await pair.wallet.ask("answer", topic=topic, id=asked["id"], outcome={"error": error})
    with pytest.raises(CounterpartError, match="User rejected") as rejected:
        await asking
    assert rejected.value.code == 5000


async def test_events_updates_and_the_end_from_the_wallet(pair: Pair) -> None:
    topic = await pair.meet()
    event = {"name": "chainChanged", "data": 137}
    await pair.wallet.ask("emit", topic=topic, chainId="eip155:137", event=event)
    assert (await pair.app.ask("happened"))["data"]["event"] == event
    fewer = {"eip155": APPROVED["eip155"] | {"chains": ["eip155:1"], "accounts": ACCOUNTS[:1]}}
    await pair.wallet.ask("update", topic=topic, namespaces=fewer)
    assert (await pair.app.ask("happened"))["data"]["namespaces"]["eip155"]["accounts"] == ACCOUNTS[:1]
    await pair.wallet.ask("end", topic=topic)
    assert (await pair.app.ask("happened"))["event"] == "session_delete"


async def test_the_end_from_the_application(pair: Pair) -> None:
    topic = await pair.meet()
    await pair.app.ask("leave")
    ended = await pair.wallet.ask("asked")
    assert (ended["event"], ended["topic"]) == ("session_delete", topic)


async def test_both_find_their_session_again_and_the_mail_that_came_meanwhile(pair: Pair) -> None:
    topic = await pair.meet()
    await pair.wallet.ask("close")
    asking = pair.request("personal_sign", "0x00", OWNER.address)
    await pair.relay.said("/irn_publish", count=2)
    assert await pair.wallet.ask("wallet", relay=pair.relay.url) == [topic]
    asked = await pair.wallet.ask("asked")
    await pair.wallet.ask("answer", topic=topic, id=asked["id"], outcome={"result": "0x01"})
    assert await asking == "0x01"
    await pair.app.ask("close")
    restored = await pair.app.ask("app", relay=pair.relay.url)
    assert restored["topic"] == topic


async def test_mail_that_comes_twice_counts_once(pair: Pair) -> None:
    topic = await pair.meet()
    pair.relay.fail(path="/irn_subscription", repeat=True)
    asking = pair.request("personal_sign", "0x00", OWNER.address)
    asked = await pair.wallet.ask("asked")
    await pair.wallet.ask("answer", topic=topic, id=asked["id"], outcome={"result": "0x02"})
    assert await asking == "0x02"
    await pair.wallet.ask("end", topic=topic)
    assert (await pair.app.ask("happened"))["event"] == "session_delete"


async def test_a_connection_that_breaks_comes_back(pair: Pair) -> None:
    topic = await pair.meet()
    connections = pair.relay.calls().count("/connect")
    pair.relay.service.reset()
    await pair.relay.said("/connect", count=connections + 2)
    asking = pair.request("personal_sign", "0x00", OWNER.address)
    asked = await pair.wallet.ask("asked")
    await pair.wallet.ask("answer", topic=topic, id=asked["id"], outcome={"result": "0x03"})
    assert await asking == "0x03"


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("invalid key", "Unauthorized: invalid key"),
        ("origin not allowed", "Unauthorized: origin not allowed"),
        ("jwt not yet valid", "JWT validation error: JWT Token is not yet valid"),
    ],
)
async def test_the_sdk_reports_a_refusal_in_the_relays_words(pair: Pair, body: str, told: str) -> None:
    pair.relay.fail(path="/connect", status=401, body=body)
    connecting = asyncio.create_task(pair.app.connect(eip155=EVM))
    assert told in await pair.app.ask("failed")
    connecting.cancel()
