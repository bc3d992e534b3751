"""A host's server and its modal: keys that are read now and then, and sessions that are asked about."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.host.modal_server import API_KEY, FOUND, ModalServer, counts, host, revoked, token
from tests.host.test_tokens import ADDRESS, KEY, OTHER_KEY, PAGE, SESSION
from tests.patience import PATIENCE
from walletmodal.core.clock import MovableClock
from walletmodal.core.errors import SettingsError
from walletmodal.core.sign_in.token_claims import TOKEN_LIFETIME
from walletmodal.host import Modal, ModalUnreachableError, TokenError, modal, verify


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


def test_those_who_wait_for_a_silent_modal_give_up_together(server: ModalServer, clock: MovableClock) -> None:
    """Else the last of them waits for all before it, five seconds for each."""
    known = host(server, clock)
    server.answers["/.well-known/jwks.json"] = 500, {}
    server.free.clear()
    with ThreadPoolExecutor(8) as threads:
        told = [threads.submit(known.verify, token(server)) for _ in range(8)]
        deadline = time.monotonic() + PATIENCE
        while not server.asked and time.monotonic() < deadline:
            time.sleep(0.005)
        clock.advance(modal.ANSWER_SECONDS)
        server.free.set()
        assert all(isinstance(one.exception(PATIENCE), ModalUnreachableError) for one in told)
    assert len(server.asked) == 1


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
    modal.environments_modal.cache_clear()
    for name in ("WALLETMODAL_URL", "WALLETMODAL_AUDIENCE", "WALLETMODAL_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SettingsError, match=r"(?s)WALLETMODAL_URL.*WALLETMODAL_AUDIENCE"):
        verify(current(server))
    monkeypatch.setenv("WALLETMODAL_URL", f"{server.url}/")
    monkeypatch.setenv("WALLETMODAL_AUDIENCE", PAGE)
    monkeypatch.setenv("WALLETMODAL_API_KEY", API_KEY)
    server.answers[f"/v1/sessions/{SESSION.id}"] = 200, FOUND
    assert verify(current(server), online=True).account == str(replace(SESSION).account)
    modal.environments_modal.cache_clear()


def test_a_confirmed_visitor_is_believed_for_five_minutes_more(server: ModalServer, clock: MovableClock) -> None:
    counts(server)
    known = host(server, clock)
    visitor = known.verify(token(server))
    clock.advance(3600)
    confirmed = known.confirm(visitor)
    assert confirmed == replace(visitor, issued_at=clock.now(), expires_at=clock.now() + TOKEN_LIFETIME)
    revoked(server)
    with pytest.raises(TokenError) as refused:
        known.confirm(visitor)
    assert refused.value.fault == "revoked"


def test_a_host_ends_a_session_and_one_that_is_over_stays_so(server: ModalServer, clock: MovableClock) -> None:
    counts(server)
    known = host(server, clock)
    visitor = known.verify(token(server))
    known.end(visitor)
    known.end(visitor)
    assert server.ended == [(f"/v1/sessions/{SESSION.id}", f"Bearer {API_KEY}")] * 2
    with pytest.raises(TokenError):
        known.verify(token(server), online=True)


def test_a_session_is_neither_confirmed_nor_ended_without_an_api_key(server: ModalServer, clock: MovableClock) -> None:
    known = host(server, clock, None)
    visitor = known.verify(token(server))
    for ask in (known.confirm, known.end):
        with pytest.raises(SettingsError, match="WALLETMODAL_API_KEY"):
            ask(visitor)
    assert not known.can_ask


def test_while_no_keys_are_known_the_modal_is_asked_once_a_second(server: ModalServer, clock: MovableClock) -> None:
    server.answers["/.well-known/jwks.json"] = 500, {}
    known = host(server, clock)
    for _ in range(20):
        with pytest.raises(ModalUnreachableError):
            known.verify(token(server))
    assert len(server.asked) == 1
    server.publish(KEY)
    clock.advance(modal.FIRST_KEYS_ASKED_EVERY)
    assert known.verify(token(server)).address == ADDRESS
