"""What hosts' servers are told of keys and sessions, and who may ask: the real routes over real tables."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest
import pytest_asyncio
from jwt import get_unverified_header
from pydantic import SecretStr
from sqlalchemy.exc import OperationalError
from starlette.types import ASGIApp

from tests.db.sign_in_samples import ADDRESS, NOW, ORIGIN, WEEK, proven
from tests.ports import free_ports
from tests.web import served
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors.sign_in import SignInUnavailableError
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.sign_in.token_claims import KEYS_PATH, KeyDocument
from walletmodal.db.engine import open_engine
from walletmodal.db.sign_ins import SignInStore
from walletmodal.db.signing_keys import PUBLISHED_AHEAD, SigningKeys
from walletmodal.host import Modal, ModalUnreachableError, PublishedKeys, TokenError, read_token
from walletmodal.sandbox.server import HttpServer
from walletmodal.sandbox.settings import listen
from walletmodal.services.rate_limit import Rate
from walletmodal.services.sign_in import SignInTokens
from walletmodal.web.host_api import KEYS_CACHE

AUTHORIZED = {"Authorization": f"Bearer {served.KEY}"}
UNKNOWN = "0123456789abcdef0123456789abcdef"


@dataclass
class Deployed:
    """One worker, or one after a restart."""

    sessions: SignInStore
    keys: SigningKeys
    clock: MovableClock
    app: Callable[..., ASGIApp]

    def client(self, **settings: Any) -> httpx.AsyncClient:
        return served.client(self.app(**settings), peer="203.0.113.5", host="modal.example")


@pytest_asyncio.fixture
async def deployed(tmp_path: Path, empty_database: bytes) -> AsyncIterator[Deployed]:
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    engine = open_engine(f"sqlite:///{path}")
    clock = MovableClock(NOW)
    sessions, keys = SignInStore(engine, clock=clock), SigningKeys(engine, clock=clock)
    yield Deployed(
        sessions,
        keys,
        clock,
        lambda **settings: served.app(tmp_path, **{"sessions": sessions, "keys": keys, **settings}),
    )
    await engine.dispose()


async def test_a_session_is_told_with_what_was_signed(deployed: Deployed) -> None:
    session = await deployed.sessions.add(proven("nonce0001", statement="I agree"), "browser")
    async with deployed.client() as client:
        answer = await client.get(f"/v1/sessions/{session.id}", headers=AUTHORIZED)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json() == {
        "id": session.id,
        "address": f"eip155:1:{ADDRESS}",
        "chainId": "eip155:1",
        "origin": ORIGIN,
        "issuedAt": "2026-01-01T00:00:00.000Z",
        "expiresAt": "2026-01-08T00:00:00.000Z",
        "statement": "I agree",
    }


async def test_answers_have_the_shapes_that_the_document_gives_them(deployed: Deployed) -> None:
    session = await deployed.sessions.add(proven("nonce0001", statement="I agree"), "browser")
    async with deployed.client() as client:
        described = (await client.get("/openapi.json")).json()
        for path, named in ((KEYS_PATH, "KeySet"), (f"/v1/sessions/{session.id}", "Session")):
            answer = (await client.get(path, headers=AUTHORIZED)).json()
            jsonschema_rs.validate({"$ref": f"#/components/schemas/{named}", **described}, answer)


async def test_a_session_that_is_over_is_not_found(deployed: Deployed) -> None:
    session = await deployed.sessions.add(proven("nonce0001"), "browser")
    deployed.clock.advance(WEEK.total_seconds())
    async with deployed.client() as client:
        assert (await client.get(f"/v1/sessions/{session.id}", headers=AUTHORIZED)).status_code == 404
        assert (await client.delete(f"/v1/sessions/{session.id}", headers=AUTHORIZED)).status_code == 404


async def test_a_revoked_session_is_not_found_any_more(deployed: Deployed) -> None:
    session = await deployed.sessions.add(proven("nonce0001"), "browser")
    other = await deployed.sessions.add(proven("nonce0002"), "another browser")
    path = f"/v1/sessions/{session.id}"
    async with deployed.client() as client:
        ended = await client.delete(path, headers=AUTHORIZED)
        assert (ended.status_code, ended.content) == (204, b"")
        assert [
            (await client.request(method, path, headers=AUTHORIZED)).status_code for method in ("GET", "DELETE")
        ] == [
            404,
            404,
        ]
        assert (await client.get(f"/v1/sessions/{other.id}", headers=AUTHORIZED)).status_code == 200


@pytest.mark.parametrize(
    "session_id",
    [
        UNKNOWN,
        UNKNOWN.upper(),
        UNKNOWN[:-1],
        f"{UNKNOWN}0",
        "%00",
        "a%00b",
        "'; DROP TABLE sign_ins",
        "%F0%9F%92%A9",
        "..%2f",
        "a/b",
        "",
    ],
)
async def test_what_no_session_is_called_is_not_found(deployed: Deployed, session_id: str) -> None:
    async with deployed.client() as client:
        answer = await client.get(f"/v1/sessions/{session_id}", headers=AUTHORIZED)
    assert answer.status_code == 404
    assert answer.json()["error"]["code"] == "not_found"


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Authorization", "Bearer ")],
        [("Authorization", "Bearer wrong-key-of-24-characters")],
        [("Authorization", f"Basic {served.KEY}")],
        [("Authorization", served.KEY)],
        [("Authorization", f"Bearer {served.KEY}x")],
        [("Authorization", f"Bearer {served.KEY[:-1]}")],
        [("Authorization", f"Bearer {served.KEY}"), ("Authorization", "Bearer other")],
        [("Cookie", f"api_key={served.KEY}")],
    ],
)
@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_only_holders_of_the_key_may_ask(deployed: Deployed, headers: list[tuple[str, str]], method: str) -> None:
    session = await deployed.sessions.add(proven("nonce0001"), "browser")
    async with deployed.client() as client:
        answer = await client.request(method, f"/v1/sessions/{session.id}", headers=httpx.Headers(headers))
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["error"]["code"] == "unauthorized"
    assert await deployed.sessions.live(session.id)


async def test_of_several_keys_each_may_ask(deployed: Deployed) -> None:
    session = await deployed.sessions.add(proven("nonce0001"), "browser")
    next_key = "the-next-key-of-24-characters"
    given = {"": 401, served.KEY: 200, next_key: 200, f"{served.KEY}, {next_key}": 401, f"{served.KEY},": 401}
    async with deployed.client(api_key=SecretStr(f"{served.KEY}, {next_key}")) as client:
        for key, status in given.items():
            answer = await client.get(f"/v1/sessions/{session.id}", headers={"Authorization": f"Bearer {key}"})
            assert answer.status_code == status, key


async def test_without_a_key_in_the_settings_nobody_may_ask(deployed: Deployed) -> None:
    async with deployed.client(api_key=None) as client:
        answer = await client.get(f"/v1/sessions/{UNKNOWN}", headers={"Authorization": "Bearer "})
    assert answer.status_code == 401
    assert "API_KEY" in answer.json()["error"]["message"]


async def test_whoever_guesses_is_soon_refused_and_the_holder_of_the_key_is_not(deployed: Deployed) -> None:
    async with deployed.client(rate=Rate(per_second=0.01, burst=3)) as client:
        path = f"/v1/sessions/{UNKNOWN}"
        guesses = [await client.get(path, headers={"Authorization": f"Bearer {n}"}) for n in range(5)]
        assert [answer.status_code for answer in guesses] == [401, 401, 401, 429, 429]
        assert int(guesses[-1].headers["retry-after"]) > 0
        calls = [(await client.get(path, headers=AUTHORIZED)).status_code for _ in range(5)]
        assert calls == [404, 404, 404, 429, 429]
        keys = [(await client.get(KEYS_PATH)).status_code for _ in range(5)]
        assert keys == [200, 200, 200, 429, 429]


async def test_another_method_is_refused_and_told_which_there_are(deployed: Deployed) -> None:
    async with deployed.client() as client:
        for path, allowed in ((KEYS_PATH, "GET, HEAD"), (f"/v1/sessions/{UNKNOWN}", "GET, DELETE, HEAD")):
            for method in ("POST", "PUT", "PATCH", "OPTIONS"):
                answer = await client.request(method, path, headers=AUTHORIZED)
                assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


class _Says:
    """Contract accounts that all say the same."""

    def __init__(self, answer: bool | Exception) -> None:
        self.answer = answer

    async def holds(self, _session: SignInSession, /) -> bool:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


async def test_a_session_that_its_contract_does_not_confirm_any_more_is_not_found(deployed: Deployed) -> None:
    session = await deployed.sessions.add(proven("nonce0001"), "browser")
    path = f"/v1/sessions/{session.id}"
    for answer, status in ((True, 200), (False, 404), (OperationalError("UPDATE", {}, Exception()), 503)):
        async with deployed.client(rechecks=_Says(answer)) as client:
            assert (await client.get(path, headers=AUTHORIZED)).status_code == status


class _Away:
    """A database that does not answer, as stores tell of it."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def live(self, _session_id: str, /) -> SignInSession | None:
        raise self.error

    async def revoke(self, _session_id: str, /) -> bool:
        raise self.error

    async def document(self) -> KeyDocument:
        raise self.error


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("SELECT", {}, Exception("secret of the database")),
        ConnectionRefusedError(),
        SignInUnavailableError(),
    ],
)
async def test_a_database_that_is_away_is_no_answer_about_the_session(deployed: Deployed, error: Exception) -> None:
    away = _Away(error)
    path = f"/v1/sessions/{UNKNOWN}"
    async with deployed.client(sessions=away, keys=away) as client:
        answers = [
            await client.get(path, headers=AUTHORIZED),
            await client.delete(path, headers=AUTHORIZED),
            await client.get(KEYS_PATH),
        ]
    assert {(answer.status_code, answer.json()["error"]["code"]) for answer in answers} == {(503, "unavailable")}
    assert not any("secret" in answer.text for answer in answers)


async def test_anyone_reads_the_keys_from_anywhere_and_may_keep_them_for_minutes(deployed: Deployed) -> None:
    async with deployed.client() as client:
        answer = await client.get(KEYS_PATH, headers={"Origin": "https://host.example"})
    assert answer.json() == await deployed.keys.document()
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["cache-control"] == KEYS_CACHE
    assert answer.headers["access-control-allow-origin"] == "*"
    assert answer.headers["cross-origin-resource-policy"] == "cross-origin"


async def test_nothing_of_the_sessions_is_readable_by_other_origins(deployed: Deployed) -> None:
    async with deployed.client() as client:
        answer = await client.get(f"/v1/sessions/{UNKNOWN}", headers=AUTHORIZED | {"Origin": "https://host.example"})
    assert "access-control-allow-origin" not in answer.headers


async def test_keys_are_those_of_all_workers_and_of_the_server_before_its_restart(deployed: Deployed) -> None:
    engine = deployed.keys._engine
    async with deployed.client() as one:
        before = (await one.get(KEYS_PATH)).json()
    async with deployed.client(keys=SigningKeys(engine, clock=deployed.clock)) as other:
        assert (await other.get(KEYS_PATH)).json() == before


@pytest_asyncio.fixture
async def served_modal(tmp_path: Path, empty_database: bytes) -> AsyncIterator[tuple[str, SignInStore, SigningKeys]]:
    """Where the routes are served as in production, on the machine's own time; and their tables."""
    path = tmp_path / "test.db"
    path.write_bytes(empty_database)
    engine = open_engine(f"sqlite:///{path}")
    sessions, keys = SignInStore(engine), SigningKeys(engine)
    port = free_ports()
    http = HttpServer(served.app(tmp_path, sessions=sessions, keys=keys), listen(port, "WALLETMODAL_PORT"))
    await http.start()
    yield f"http://localhost:{port}", sessions, keys
    await http.stop()
    await engine.dispose()


async def test_a_host_verifies_tokens_with_what_the_server_tells(
    served_modal: tuple[str, SignInStore, SigningKeys],
) -> None:
    url, sessions, keys = served_modal
    session = await sessions.add(proven("nonce0001", at=datetime.now(UTC)), "browser")
    token = (await SignInTokens(keys, url).mint(session)).token
    host = Modal(url, ORIGIN, api_key=served.KEY)
    signed_in = await asyncio.to_thread(host.verify, token, online=True)
    assert (signed_in.account, signed_in.session_id) == (f"eip155:1:{ADDRESS}", session.id)
    await sessions.revoke(session.id)
    assert await asyncio.to_thread(host.verify, token) == signed_in
    with pytest.raises(TokenError) as refused:
        await asyncio.to_thread(host.verify, token, online=True)
    assert refused.value.fault == "revoked"
    with pytest.raises(ModalUnreachableError):
        await asyncio.to_thread(Modal(url, ORIGIN, api_key="another-key-of-24-characters").verify, token, online=True)


async def test_a_token_of_an_old_key_counts_while_new_ones_are_signed_with_the_next(deployed: Deployed) -> None:
    session = await deployed.sessions.add(proven("nonce0001"), "browser")
    tokens = SignInTokens(deployed.keys, "https://modal.example", clock=deployed.clock)
    await deployed.keys.replace()
    deployed.clock.advance(PUBLISHED_AHEAD.total_seconds() - 1)
    old = await tokens.mint(session)
    deployed.clock.advance(2)
    new = await tokens.mint(session)
    async with deployed.client() as client:
        published = PublishedKeys((await client.get(KEYS_PATH)).json())
    read = partial(
        read_token, keys=published, issuer="https://modal.example", audience=ORIGIN, now=deployed.clock.now()
    )
    assert [get_unverified_header(one.token)["kid"] for one in (old, new)] == list(published._keys)
    assert {read(one.token).session_id for one in (old, new)} == {session.id}
