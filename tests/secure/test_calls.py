"""Who is calling: signatures, nonces, sessions."""

import os
from collections.abc import Callable
from datetime import timedelta

import pytest
from redis.asyncio import Redis

from tests.lossy_relay import lossy_relay
from tests.patience import PATIENCE
from tests.secure.mailbox import Mailbox
from tests.secure.world import EVE, World, running, settings_for
from tests.services_fixtures import RedisServer
from walletmodal.core.clock import MovableClock
from walletmodal.db.moments import to_ms
from walletmodal.secure.calls.nonces import MemoryNonces, RedisNonces
from walletmodal.secure.encoding import encode
from walletmodal.secure.errors import CallError
from walletmodal.services.redis_clients import open_redis

Change = Callable[[dict[str, str]], object]


async def test_a_call_without_a_signature_is_refused(world: World) -> None:
    response = await world.client.post("/v1/me", json={})
    assert response.status_code == 401
    assert response.json()["error"]["code"] == "device_signature"


@pytest.mark.parametrize(
    "change",
    [
        lambda h: h.update({"x-signature": encode(os.urandom(64))}),
        lambda h: h.update({"x-signature": encode(bytes(64))}),
        lambda h: h.update({"x-signature": h["x-signature"] + "A"}),
        lambda h: h.update({"x-signature": h["x-signature"] + "="}),
        lambda h: h.update({"x-device": encode(b"\x04" + os.urandom(64))}),
        lambda h: h.update({"x-device": encode(b"\x02" + os.urandom(64))}),
        lambda h: h.update({"x-nonce": encode(os.urandom(12))}),
        lambda h: h.update({"x-nonce": encode(os.urandom(11))}),
        lambda h: h.update({"x-nonce": "é" * 16}),
        lambda h: h.update({"x-time": str(int(h["x-time"]) + 1)}),
        lambda h: h.update({"x-time": "-1"}),
        lambda h: h.update({"x-time": "1e12"}),
        lambda h: h.pop("x-time"),
        lambda h: h.pop("x-nonce"),
        lambda h: h.pop("x-device"),
        lambda h: h.pop("authorization"),
        lambda h: h.update({"authorization": "Bearer another"}),
    ],
)
async def test_a_changed_call_is_refused(world: World, change: Change) -> None:
    device = await world.login()
    headers = device.headers("/v1/me", b"{}")
    change(headers)
    encoded = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    response = await world.client.post("/v1/me", content=b"{}", headers=encoded)
    assert (response.status_code, response.json()["error"]["code"]) == (401, "device_signature")


async def test_a_signature_counts_for_its_path_and_body_alone(world: World) -> None:
    device = await world.login()
    signed = device.headers("/v1/me", b"{}")
    for path, body in (("/v1/devices", b"{}"), ("/v1/me", b'{"a":1}')):
        response = await world.client.post(path, content=body, headers=signed)
        assert response.json()["error"]["code"] == "device_signature"
    assert (await world.client.post("/v1/me", content=b"{}", headers=signed)).status_code == 200


async def test_a_replayed_call_is_refused(world: World) -> None:
    device = await world.login()
    signed = device.headers("/v1/me", b"{}")
    assert (await world.client.post("/v1/me", content=b"{}", headers=signed)).status_code == 200
    for seconds in (0, 59):
        world.clock.advance(seconds)
        again = await world.client.post("/v1/me", content=b"{}", headers=signed)
        assert (again.status_code, again.json()["error"]["code"]) == (401, "replayed")
    world.clock.advance(2)
    assert (await world.client.post("/v1/me", content=b"{}", headers=signed)).json()["error"]["code"] == "clock"


async def test_calls_may_come_in_another_order_and_each_counts_once(world: World) -> None:
    device = await world.login()
    calls = [device.headers("/v1/me", b"{}") for _ in range(3)]
    for signed in reversed(calls):
        assert (await world.client.post("/v1/me", content=b"{}", headers=signed)).status_code == 200
    for signed in calls:
        assert (await world.client.post("/v1/me", content=b"{}", headers=signed)).status_code == 401


async def test_one_device_does_not_use_up_anothers_nonce(world: World) -> None:
    ada, eve = await world.login(), await world.login(EVE)
    nonce = encode(os.urandom(12))
    await eve.call("/v1/me", nonce=nonce)
    await ada.call("/v1/me", nonce=nonce)


@pytest.mark.parametrize("seconds", [-61, 61, 3600])
async def test_a_clock_that_is_off_is_told_the_time(world: World, seconds: int) -> None:
    device = await world.login()
    now = to_ms(world.clock.now())
    refused = await device.refused("/v1/me", time=str(now + 1000 * seconds))
    assert (refused.status, refused.code, refused.error["now"]) == (401, "clock", now)
    await device.call("/v1/me", time=str(now + 59_000))


async def test_a_stolen_token_is_nothing_without_its_device(world: World) -> None:
    device = await world.login()
    thief = world.device()
    thief.session = device.session
    refused = await thief.refused("/v1/me")
    assert (refused.status, refused.code) == (401, "session")


async def test_a_call_that_needs_a_session_is_refused_without_one(world: World) -> None:
    for path in ("/v1/me", "/v1/wallet", "/v1/wallet/half", "/v1/devices", "/v1/rpc", "/v1/recovery/start"):
        assert (await world.device().refused(path)).code == "session"


async def test_a_session_ends_after_seven_days_without_use(world: World) -> None:
    device = await world.login()
    for _ in range(3):
        world.clock.advance(timedelta(days=6).total_seconds())
        await device.call("/v1/me")
    world.clock.advance(timedelta(days=7).total_seconds())
    assert (await device.refused("/v1/me")).code == "session"


async def test_a_session_ends_after_thirty_days(world: World) -> None:
    device = await world.login()
    for _ in range(5):
        world.clock.advance(timedelta(days=5, hours=23).total_seconds())
        await device.call("/v1/me")
    world.clock.advance(timedelta(hours=6).total_seconds())
    assert (await device.refused("/v1/me")).code == "session"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://localhost:8700", "http://localhost:87010"])
async def test_pages_of_other_origins_cannot_call(world: World, origin: str) -> None:
    device = await world.login()
    headers = device.headers("/v1/me", b"{}") | {"origin": origin}
    response = await world.client.post("/v1/me", content=b"{}", headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "origin")
    assert "access-control-allow-origin" not in response.headers


async def test_the_sites_own_page_can(world: World) -> None:
    device = await world.login()
    headers = device.headers("/v1/me", b"{}") | {"origin": "http://localhost:8701"}
    response = await world.client.post("/v1/me", content=b"{}", headers=headers)
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")


async def test_a_body_above_64_kb_is_refused(world: World) -> None:
    device = world.device()
    content = b'{"email":"' + b"a" * 65_536 + b'"}'
    headers = device.headers("/v1/login/email", content)
    response = await world.client.post("/v1/login/email", content=content, headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (413, "too_large")


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"x"', b"\xff", b'{"email":1}', b'{"email":NaN}', b"[" * 5000])
async def test_a_body_that_is_no_call_is_refused(world: World, body: bytes) -> None:
    device = world.device()
    headers = device.headers("/v1/login/email", body)
    response = await world.client.post("/v1/login/email", content=body, headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (400, "params")


async def test_one_line_may_not_call_without_end(secure_url: str, mailbox: Mailbox) -> None:
    async with running(settings_for(secure_url, mailbox.url), mailbox) as world:
        answers = [await world.client.post("/v1/me", json={}) for _ in range(601)]
        assert {answer.status_code for answer in answers[:600]} == {401}
        assert answers[600].json()["error"]["code"] == "too_many"
        world.clock.advance(1)
        assert (await world.client.post("/v1/me", json={})).status_code == 401


async def test_a_process_forgets_a_nonce_after_its_time_and_never_before() -> None:
    clock = MovableClock()
    nonces = MemoryNonces(clock, most=2)
    assert [await nonces.use(name, 10) for name in ("a", "a", "b")] == [True, False, True]
    with pytest.raises(CallError, match="unavailable"):
        await nonces.use("c", 10)
    clock.advance(10)
    assert [await nonces.use(name, 10) for name in ("a", "c")] == [True, True]


async def test_workers_share_nonces_over_redis(redis_url: str) -> None:
    one, other = Redis.from_url(redis_url), Redis.from_url(redis_url)
    try:
        assert await RedisNonces(one).use("a", 100)
        assert not await RedisNonces(other).use("a", 100)
        assert 90_000 < await one.pttl("walletmodal:secure:nonce:a") <= 100_000
    finally:
        await one.aclose()
        await other.aclose()


async def test_a_nonce_is_used_once_whose_answer_was_lost(redis_url: str, redis_server: RedisServer) -> None:
    async with lossy_relay(redis_server.port) as lossy:
        redis = open_redis(f"redis://127.0.0.1:{lossy.port}/0", patience=PATIENCE)
        lossy.lose_answer_to(b"walletmodal:secure:nonce:a")
        used = [await RedisNonces(redis).use("a", 100) for _ in range(2)]
        await redis.aclose()
    assert (used, lossy.lost) == ([True, False], 1)


async def test_two_workers_accept_a_call_once(secure_url: str, mailbox: Mailbox, redis_url: str) -> None:
    settings = settings_for(secure_url, mailbox.url, secure_redis_url=redis_url)
    clock = MovableClock()
    async with running(settings, mailbox, clock=clock) as one, running(settings, mailbox, clock=clock) as other:
        device = await one.login()
        signed = device.headers("/v1/me", b"{}")
        assert (await one.client.post("/v1/me", content=b"{}", headers=signed)).status_code == 200
        again = await other.client.post("/v1/me", content=b"{}", headers=signed)
        assert again.json()["error"]["code"] == "replayed"


async def test_a_redis_that_is_away_lets_nobody_in(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url, secure_redis_url="redis://127.0.0.1:1/0")
    async with running(settings, mailbox) as world:
        refused = await world.device().refused("/v1/login/email", {"email": EVE})
        assert (refused.status, refused.code) == (503, "unavailable")


async def test_a_database_that_fails_is_a_sentence(world: World) -> None:
    device = await world.login()
    await world.sql("DROP TABLE sessions")
    refused = await device.refused("/v1/me")
    assert (refused.status, refused.code) == (503, "unavailable")
