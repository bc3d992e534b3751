"""The relay by plain websockets: calls, faults, and clients that mean no good."""

import json
from contextlib import suppress
from typing import Any

import pytest
from solders.keypair import Keypair
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidMessage, InvalidStatus

from tests.patience import patience
from tests.sandbox.relay.stage import RawClient, RelayStage, topic
from walletmodal.sandbox.relay import client, service
from walletmodal.sandbox.relay.client import MAX_SUBSCRIPTIONS
from walletmodal.sandbox.relay.service import MAX_FRAME

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _closed(raw: RawClient) -> tuple[int, str]:
    """Code and reason by which the relay closed."""
    async with patience():
        with suppress(ConnectionClosed):
            async for _ in raw.connection:
                pass
        await raw.connection.wait_closed()
    return raw.connection.close_code or 1006, raw.connection.close_reason or ""


async def test_what_is_published_reaches_who_has_subscribed(relay: RelayStage) -> None:
    here = topic()
    async with relay.client() as wallet, relay.client() as app:
        assert len(await wallet.call("irn_subscribe", topic=here)) == 64
        assert await app.call("irn_publish", topic=here, message="sealed", ttl=300, tag=1108, prompt=True) is True
        mail = await wallet.delivered()
    assert (mail["topic"], mail["message"], mail["tag"]) == (here, "sealed", 1108)
    assert relay.calls() == ["/connect", "/connect", "/irn_subscribe", "/irn_publish"]


async def test_mail_waits_for_who_comes_later(relay: RelayStage) -> None:
    here = topic()
    async with relay.client() as app:
        await app.call("irn_publish", topic=here, message="early")
    async with relay.client(path="/") as wallet:
        await wallet.call("irn_batchSubscribe", topics=[topic(), here])
        assert (await wallet.delivered())["message"] == "early"


async def test_mail_that_was_not_confirmed_comes_again(relay: RelayStage) -> None:
    here, key = topic(), Keypair()
    async with relay.client() as app:
        await app.call("irn_publish", topic=here, message="important")
    for confirm in (False, True):
        async with relay.client(key) as wallet:
            await wallet.call("irn_subscribe", topic=here)
            assert (await wallet.delivered(confirm=confirm))["message"] == "important"
            # The confirmation has been read when the next call is answered.
            await wallet.call("irn_unsubscribe", topic=here, id="x")
    async with relay.client(key) as wallet:
        assert await wallet.call("irn_fetchMessages", topic=here) == {"messages": [], "hasMore": False}


async def test_waiting_mail_can_be_fetched(relay: RelayStage) -> None:
    one, other = topic(), topic()
    async with relay.client() as app, relay.client() as wallet:
        await app.call("irn_batchPublish", messages=[{"topic": one, "message": "1"}, {"topic": other, "message": "2"}])
        fetched = await wallet.call("irn_batchFetchMessages", topics=[one, other])
        assert [each["message"] for each in fetched["messages"]] == ["1", "2"]
        assert [each["message"] for each in (await app.call("irn_fetchMessages", topic=one))["messages"]] == []


async def test_one_call_proposes_and_one_approves(relay: RelayStage) -> None:
    pairing, session = topic(), topic()
    async with relay.client() as app, relay.client() as wallet:
        await app.call("wc_proposeSession", pairingTopic=pairing, sessionProposal="proposal", ttl=300, correlationId=1)
        await wallet.call("irn_subscribe", topic=pairing)
        assert ((mail := await wallet.delivered())["message"], mail["tag"]) == ("proposal", 1100)
        await app.call("irn_subscribe", topic=session)
        approval = {"pairingTopic": pairing, "sessionTopic": session}
        await wallet.call(
            "wc_approveSession", **approval, sessionProposalResponse="yes", sessionSettlementRequest="settled"
        )
        told = [await app.delivered(), await app.delivered()]
        assert [(one["topic"], one["message"], one["tag"]) for one in told] == [
            (pairing, "yes", 1101),
            (session, "settled", 1102),
        ]
        await app.call("irn_publish", topic=session, message="to the wallet")
        assert (await wallet.delivered())["message"] == "to the wallet"


async def test_who_has_unsubscribed_gets_nothing(relay: RelayStage) -> None:
    here, there = topic(), topic()
    async with relay.client() as wallet, relay.client() as app:
        await wallet.call("irn_batchSubscribe", topics=[here, there])
        assert await wallet.call("irn_batchUnsubscribe", subscriptions=[{"topic": here, "id": "x"}]) == [True]
        await app.call("irn_publish", topic=here, message="unheard")
        await app.call("irn_publish", topic=there, message="heard")
        assert (await wallet.delivered())["message"] == "heard"


async def test_a_second_try_of_the_sender_is_delivered_once(relay: RelayStage) -> None:
    here = topic()
    async with relay.client() as wallet, relay.client() as app:
        await wallet.call("irn_subscribe", topic=here)
        for message in ("same", "same", "other"):
            assert await app.call("irn_publish", topic=here, message=message) is True
        assert [(await wallet.delivered())["message"] for _ in range(2)] == ["same", "other"]


async def test_a_reset_forgets_mail_and_ends_connections(relay: RelayStage) -> None:
    here = topic()
    async with relay.client() as app, relay.client() as wallet:
        await app.call("irn_publish", topic=here, message="forgotten")
        relay.heal()
        assert (await _closed(app))[0] == (await _closed(wallet))[0] == 1012
    async with relay.client() as wallet:
        assert (await wallet.call("irn_fetchMessages", topic=here))["messages"] == []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("invalid key", "Unauthorized: invalid key"),
        ("origin not allowed", "Unauthorized: origin not allowed"),
        ("jwt not yet valid", "JWT validation error: JWT Token is not yet valid"),
        ("in other words", "in other words"),
    ],
)
async def test_a_refusal_that_a_fault_asks_for(relay: RelayStage, body: str, told: str) -> None:
    relay.fail(path="/connect", status=401, body=body, times=1)
    async with relay.client() as raw:
        assert (await raw.receive())["error"] == {"code": 3000, "message": told}
        assert await _closed(raw) == (3000, told)
    async with relay.client() as raw:
        assert await raw.call("irn_subscribe", topic=topic())


async def test_a_wrong_token_is_refused_like_that_too(relay: RelayStage) -> None:
    async with relay.client(iat=9_999_999_999, exp=9_999_999_999) as raw:
        assert await _closed(raw) == (3000, "JWT validation error: JWT Token is not yet valid")


async def test_another_status_refuses_the_handshake(relay: RelayStage) -> None:
    relay.fail(path="/connect", status=503)
    with pytest.raises(InvalidStatus, match="503"):
        async with relay.client():
            pass


async def test_a_dropped_connection_is_not_answered(relay: RelayStage) -> None:
    relay.fail(path="/connect", drop=True)
    with pytest.raises((InvalidMessage, ConnectionError)):
        async with relay.client():
            pass


async def test_a_call_that_is_dropped_was_not_carried_out(relay: RelayStage) -> None:
    here = topic()
    relay.fail(path="/irn_publish", drop=True, times=1)
    async with relay.client() as app:
        with pytest.raises(ConnectionClosed):
            await app.call("irn_publish", topic=here, message="lost")
    async with relay.client() as wallet:
        assert (await wallet.call("irn_fetchMessages", topic=here))["messages"] == []


async def test_a_call_that_is_dropped_afterwards_was(relay: RelayStage) -> None:
    here = topic()
    relay.fail(path="/irn_publish", drop=True, after=True, times=1)
    async with relay.client() as app:
        with pytest.raises(ConnectionClosed):
            await app.call("irn_publish", topic=here, message="taken")
    async with relay.client() as wallet:
        assert len((await wallet.call("irn_fetchMessages", topic=here))["messages"]) == 1


@pytest.mark.parametrize(
    ("fault", "answer"),
    [
        ({"status": 429}, {"code": -32000, "message": "A fault was switched on for this request"}),
        ({"status": 429, "body": "slow down"}, {"code": -32000, "message": "slow down"}),
        ({"body": ["x"]}, ["x"]),
    ],
)
async def test_a_call_is_answered_as_the_fault_says(relay: RelayStage, fault: dict[str, Any], answer: object) -> None:
    relay.fail(path="/irn_subscribe", **fault)
    async with relay.client() as raw:
        assert await raw.call("irn_subscribe", topic=topic()) == answer


async def test_a_body_text_goes_out_as_it_is(relay: RelayStage) -> None:
    relay.fail(path="/irn_subscribe", body='{"jsonrpc"')
    async with relay.client() as raw:
        await raw.send({"id": 1, "jsonrpc": "2.0", "method": "irn_subscribe", "params": {"topic": topic()}})
        assert await raw.connection.recv() == '{"jsonrpc"'


async def test_mail_can_be_lost_repeated_and_late(relay: RelayStage) -> None:
    here = topic()
    relay.fail(path="/irn_subscription", drop=True, times=1)
    relay.fail(path="/irn_subscription", repeat=True, times=1)
    relay.fail(path="/irn_subscription", delay_ms=1_000, times=1)
    async with relay.client() as wallet, relay.client() as app:
        await wallet.call("irn_subscribe", topic=here)
        for message in ("lost", "twice", "late", "in time"):
            await app.call("irn_publish", topic=here, message=message)
        got = [(await wallet.delivered())["message"] for _ in range(4)]
    assert got == ["twice", "twice", "in time", "late"]


HOSTILE: list[object] = [
    "{",
    "[]",
    "null",
    '"x"',
    "NaN",
    b"\xff\xfe",
    "[" * 100_000,
    {"id": 1},
    {"id": 1, "method": 5},
    {"id": None, "method": "irn_publish"},
    {"id": {"a": 1}, "method": "irn_publish"},
    {"id": True, "method": "irn_publish", "params": {}},
    {"id": 1, "method": "irn_nothing", "params": {}},
    {"id": 1, "method": "__init__"},
    {"id": 1, "method": "irn_publish"},
    {"id": 1, "method": "irn_publish", "params": []},
    {"id": 1, "method": "irn_publish", "params": {"topic": "x", "message": "y"}},
    {"id": 1, "method": "irn_publish", "params": {"topic": "a" * 64, "message": ""}},
    {"id": 1, "method": "irn_publish", "params": {"topic": "a" * 64, "message": "x", "ttl": "1"}},
    {"id": 1, "method": "irn_publish", "params": {"topic": "a" * 64, "message": "x", "ttl": -1}},
    {"id": 1, "method": "irn_publish", "params": {"topic": "a" * 64, "message": "x" * 1_000_001}},
    {"id": 1, "method": "irn_subscribe", "params": {"topic": ["a" * 64]}},
    {"id": 1, "method": "irn_batchSubscribe", "params": {"topics": []}},
    {"id": 1, "method": "irn_batchSubscribe", "params": {"topics": ["a" * 64] * 501}},
]


async def test_nonsense_is_refused_and_harms_nobody(relay: RelayStage) -> None:
    async with relay.client() as raw:
        for frame in HOSTILE:
            await raw.send(frame)
            error = (await raw.receive())["error"]
            assert error["code"] in (-32700, -32600, -32601, -32602), frame
        for confirmation in ({"id": 7, "result": True}, {"id": "x", "error": {}}, {"id": None, "result": 1}):
            await raw.send(confirmation)
        assert await raw.call("irn_subscribe", topic=topic())


async def test_a_frame_beyond_the_limit_ends_the_connection(relay: RelayStage) -> None:
    async with relay.client() as raw:
        await raw.send("x" * (MAX_FRAME + 1))
        assert (await _closed(raw))[0] == 1009


async def test_topics_of_one_connection_are_limited(relay: RelayStage) -> None:
    async with relay.client() as raw:
        for _ in range(MAX_SUBSCRIPTIONS // 500):
            assert len(await raw.call("irn_batchSubscribe", topics=[topic() for _ in range(500)])) == 500
        assert (await raw.call("irn_subscribe", topic=topic()))["code"] == -32602


async def test_a_client_that_does_not_read_is_let_go_and_finds_its_mail_later(
    relay: RelayStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "MAX_UNSENT", 5)
    here, key = topic(), Keypair()
    async with relay.client(key) as wallet, relay.client() as app:
        await wallet.call("irn_subscribe", topic=here)
        wallet.connection.transport.pause_reading()
        # More than the system keeps for a connection on its way.
        for number in range(20):
            await app.call("irn_publish", topic=here, message=f"{number}".zfill(900_000))
        wallet.connection.transport.resume_reading()
        assert await _closed(wallet) == (1008, "The client does not read")
    async with relay.client(key) as wallet:
        assert (await wallet.call("irn_fetchMessages", topic=here))["hasMore"] is True


async def test_too_many_connections_are_refused(relay: RelayStage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_CONNECTIONS", 1)
    async with relay.client():
        with pytest.raises(InvalidStatus, match="503"):
            async with relay.client():
                pass


async def test_there_are_no_websockets_elsewhere(relay: RelayStage) -> None:
    for path in ("", "/", "/rpc/v1/", "/relay/x", "/sandbox/requests"):
        with pytest.raises(InvalidStatus, match="404"):
            async with connect(f"ws://127.0.0.1:{relay.port}{path}"):
                pass


async def test_the_log_holds_what_was_said(relay: RelayStage) -> None:
    async with relay.client() as raw:
        await raw.call("irn_subscribe", topic="ab" * 32)
    connected, called = relay.journal.newest_last("relay")
    assert (connected["method"], connected["query"]["projectId"]) == ("GET", "test")  # type: ignore[index] # plain data
    assert (called["method"], json.dumps(called["body"])) == (
        "SEND",
        json.dumps({"id": "1", "jsonrpc": "2.0", "method": "irn_subscribe", "params": {"topic": "ab" * 32}}),
    )
