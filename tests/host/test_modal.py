"""A host's server and its modal: keys that are read now and then, and sessions that are asked about."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.host.test_tokens import ADDRESS, HEADER, KEY, NOW, OTHER_KEY, PAGE, SESSION, signed
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import SettingsError
from walletmodal.host import Modal, ModalUnreachableError, TokenError, modal, verify
from walletmodal.services.sign_in import SigningKey

API_KEY = "an-api-key-of-the-deployment"
FOUND = {"id": SESSION.id, "address": f"eip155:1:{ADDRESS}", "chainId": "eip155:1", "origin": PAGE}


class ModalServer:
    """Answers as docs/sign-in.md and the host API say, or as it is told."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {}
        self.asked: list[tuple[str, str | None]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self.publish(KEY)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def publish(self, *keys: SigningKey) -> None:
        self.answers["/.well-known/jwks.json"] = 200, {"keys": [key.public for key in keys]}

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                server.asked.append((self.path, self.headers.get("Authorization")))
                status, body = server.answers.get(self.path, (404, {}))
                raw = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(raw)))
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, *_args: object) -> None:
                pass

        return Handler


@pytest.fixture
def server() -> Iterator[ModalServer]:
    server = ModalServer()
    yield server
    server.close()


def token(server: ModalServer, key: SigningKey = KEY, at: MovableClock | None = None, **claims: object) -> str:
    now = int((at.now() if at else NOW).timestamp())
    return signed({"iss": server.url, "iat": now, "exp": now + 60, **claims}, {**HEADER, "kid": key.kid}, key.private)


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock(NOW)


def host(server: ModalServer, clock: MovableClock, api_key: str | None = API_KEY) -> Modal:
    return Modal(server.url, PAGE, api_key=api_key, clock=clock)


def test_the_keys_are_read_once_for_many_tokens(server: ModalServer, clock: MovableClock) -> None:
    known = host(server, clock)
    assert {known.verify(token(server)).address for _ in range(5)} == {ADDRESS}
    assert server.asked == [("/.well-known/jwks.json", None)]


def test_a_token_with_a_new_key_has_the_keys_read_again(server: ModalServer, clock: MovableClock) -> None:
    known = host(server, clock)
    known.verify(token(server))
    server.publish(KEY, OTHER_KEY)
    clock.advance(modal.KEYS_ASKED_EVERY + 1)
    assert known.verify(token(server, OTHER_KEY)).address == ADDRESS


def test_tokens_with_keys_that_nobody_has_do_not_make_us_ask_each_time(
    server: ModalServer, clock: MovableClock
) -> None:
    known = host(server, clock)
    for seconds in [0.0] * 20 + [modal.KEYS_ASKED_EVERY + 1] + [0.0] * 20:
        clock.advance(seconds)
        with pytest.raises(TokenError) as refused:
            known.verify(token(server, OTHER_KEY))
        assert refused.value.fault == "key"
    assert len(server.asked) == 2


def test_a_withdrawn_key_is_believed_until_the_keys_are_read_again(server: ModalServer, clock: MovableClock) -> None:
    known = host(server, clock)
    known.verify(token(server))
    server.publish(OTHER_KEY)
    clock.advance(modal.KEYS_KEPT + 1)
    with pytest.raises(TokenError) as refused:
        known.verify(token(server, at=clock))
    assert refused.value.fault == "key"


@pytest.mark.parametrize(
    "answer", [(500, {}), (404, {}), (302, {}), (200, b"{"), (200, b"[" * 60_000), (200, {}), (200, b" " * 70_000)]
)
def test_while_the_modal_cannot_tell_its_keys_the_known_ones_go_on(
    server: ModalServer, clock: MovableClock, answer: tuple[int, Any]
) -> None:
    known = host(server, clock)
    known.verify(token(server))
    server.answers["/.well-known/jwks.json"] = answer
    clock.advance(modal.KEYS_KEPT + 1)
    assert known.verify(token(server, at=clock)).address == ADDRESS
    with pytest.raises(ModalUnreachableError):
        host(server, clock).verify(token(server, at=clock))
    assert not any(path == "/elsewhere" for path, _ in server.asked)


def test_a_modal_that_is_away_is_told_apart_from_a_wrong_token() -> None:
    with pytest.raises(ModalUnreachableError):
        Modal("http://127.0.0.1:9", PAGE).verify("x.y.z")


def test_a_session_that_counts_is_confirmed_online(server: ModalServer, clock: MovableClock) -> None:
    server.answers[f"/v1/sessions/{SESSION.id}"] = 200, FOUND
    known = host(server, clock)
    assert known.verify(token(server), online=True, nonce="host-nonce").session_id == SESSION.id
    assert server.asked[-1] == (f"/v1/sessions/{SESSION.id}", f"Bearer {API_KEY}")


def test_a_revoked_session_is_noticed_online_only(server: ModalServer, clock: MovableClock) -> None:
    known = host(server, clock)
    assert known.verify(token(server))
    with pytest.raises(TokenError) as refused:
        known.verify(token(server), online=True)
    assert refused.value.fault == "revoked"


@pytest.mark.parametrize(
    "found",
    [[], None, "x", {**FOUND, "id": "another"}, {**FOUND, "address": f"eip155:1:0x{'9' * 40}"},
     {**FOUND, "origin": "https://evil.example"}],
)  # fmt: skip
def test_another_session_confirms_nothing(server: ModalServer, clock: MovableClock, found: object) -> None:
    server.answers[f"/v1/sessions/{SESSION.id}"] = 200, found
    with pytest.raises(TokenError):
        host(server, clock).verify(token(server), online=True)


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_a_modal_that_does_not_say_whether_a_session_counts_confirms_nothing(
    server: ModalServer, clock: MovableClock, status: int
) -> None:
    server.answers[f"/v1/sessions/{SESSION.id}"] = status, {}
    with pytest.raises(ModalUnreachableError):
        host(server, clock).verify(token(server), online=True)


def test_an_id_of_a_session_leads_nowhere_else(server: ModalServer, clock: MovableClock) -> None:
    with pytest.raises(TokenError):
        host(server, clock).verify(token(server, sid="../../metrics?x"), online=True)
    assert server.asked[-1][0] == "/v1/sessions/..%2F..%2Fmetrics%3Fx"


def test_a_token_of_another_modal_or_page_is_refused(server: ModalServer, clock: MovableClock) -> None:
    elsewhere = "https://evil.example"
    for handed_in, fault in ((token(server, iss=elsewhere), "issuer"), (token(server, aud=elsewhere), "audience")):
        with pytest.raises(TokenError) as refused:
            host(server, clock).verify(handed_in)
        assert refused.value.fault == fault


@pytest.mark.parametrize(
    ("url", "audience"),
    [("http://modal.example", PAGE), ("modal.example", PAGE), ("https://modal.example/x", PAGE), ("https://modal.example", "*")],
)  # fmt: skip
def test_what_is_no_origin_is_said_to_be_none(url: str, audience: str) -> None:
    with pytest.raises(SettingsError):
        Modal(url, audience)


def test_online_needs_an_api_key(server: ModalServer, clock: MovableClock) -> None:
    with pytest.raises(SettingsError, match="WALLETMODAL_API_KEY"):
        host(server, clock, None).verify(token(server), online=True)


def current(server: ModalServer) -> str:
    now = int(datetime.now(UTC).timestamp())
    return token(server, iat=now, exp=now + 60)


def test_the_environment_says_which_modal(server: ModalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    modal._of_environment.cache_clear()
    for name in ("WALLETMODAL_URL", "WALLETMODAL_AUDIENCE", "WALLETMODAL_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match=r"(?s)WALLETMODAL_URL.*WALLETMODAL_AUDIENCE"):
        verify(current(server))
    monkeypatch.setenv("WALLETMODAL_URL", f"{server.url}/")
    monkeypatch.setenv("WALLETMODAL_AUDIENCE", PAGE)
    monkeypatch.setenv("WALLETMODAL_API_KEY", API_KEY)
    server.answers[f"/v1/sessions/{SESSION.id}"] = 200, FOUND
    assert verify(current(server), online=True).account == str(replace(SESSION).account)
    modal._of_environment.cache_clear()
