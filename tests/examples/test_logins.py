"""Each example lets in who is signed in, and nobody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.examples.clubs import SAME_PAGE, Club, club
from walletmodal.testing import FakeWallet


@pytest.fixture(scope="module", params=["fastapi", "starlette", "flask", "django"])
def opened(request: pytest.FixtureRequest) -> Iterator[Club]:
    with club(request.param) as found:
        yield found


@pytest.fixture
def visited(opened: Club) -> Iterator[Club]:
    """The example, for a new visitor."""
    opened.client.cookies.clear()
    yield opened
    opened.modal.away = False


def test_the_page_loads_the_modal_with_one_tag(visited: Club) -> None:
    assert len(re.findall(r'<script src="http[^"]+/walletmodal\.js"', visited.get("/").text)) == 1


def test_the_page_has_a_policy_without_exceptions_for_scripts(visited: Club) -> None:
    policy = visited.get("/").headers["content-security-policy"]
    assert re.search(r"script-src 'self' http\S+;", policy)
    assert "unsafe" not in policy


@pytest.mark.parametrize("file", ["page.js", "page.css", "icon.svg"])
def test_the_pages_files_are_served(visited: Club, file: str) -> None:
    assert visited.get(f"/static/{file}").status_code == 200


def test_a_visitor_without_a_sign_in_gets_401_and_a_way_in(visited: Club) -> None:
    refused = visited.get("/members")
    assert refused.status_code == 401
    assert refused.headers["www-authenticate"].lower().startswith("bearer")
    assert "data-sign-in" in refused.text


def test_the_sessions_cookie_is_for_secure_connections_alone(visited: Club) -> None:
    entered = visited.hand_over(visited.modal.token(visited.modal.sign_in(FakeWallet())))
    cookie = entered.headers["set-cookie"].lower()
    assert ("; secure" in cookie, "; httponly" in cookie, "; samesite=lax" in cookie) == (True, True, True)


@pytest.mark.parametrize("namespace", ["eip155", "solana", "bip122", "polkadot"])
def test_who_is_signed_in_sees_the_members_page(visited: Club, namespace: str) -> None:
    wallet = FakeWallet(namespace)
    visited.enter(wallet)
    members = visited.get("/members")
    assert members.status_code == 200
    assert wallet.address in members.text
    assert "data-sign-out" in members.text


def test_no_forged_token_is_taken(visited: Club) -> None:
    forged = visited.modal.forged_tokens(visited.modal.sign_in(FakeWallet()))
    answers = {why: visited.hand_over(token).status_code for why, token in forged.items()}
    assert set(answers.values()) == {401}, answers
    assert visited.get("/members").status_code == 401


def test_a_session_that_was_revoked_at_the_modal_ends_here_too(visited: Club) -> None:
    session = visited.enter()
    visited.modal.revoke(session)
    assert visited.get("/members").status_code == 401


def test_who_has_signed_out_sees_the_page_no_more(visited: Club) -> None:
    visited.enter()
    assert visited.leave().status_code == 204
    assert visited.get("/members").status_code == 401


def test_another_visitor_is_not_let_in_along(visited: Club) -> None:
    visited.enter()
    visited.client.cookies.clear()
    assert visited.get("/members").status_code == 401


def test_while_the_modal_is_away_nobody_is_told_a_lie(visited: Club) -> None:
    visited.enter()
    visited.modal.away = True
    waiting = visited.get("/members")
    assert waiting.status_code == 503
    assert int(waiting.headers["retry-after"]) > 0


def test_a_session_without_a_token_is_not_opened(visited: Club) -> None:
    assert visited.client.post("/session", headers=SAME_PAGE).status_code == 401


@pytest.mark.parametrize("framework", ["fastapi", "starlette", "flask"])
def test_a_visitor_stays_after_the_token_has_ended(framework: str) -> None:
    """The server asks the modal: the page does not have to send a new one."""
    with club(framework) as example:
        example.enter()
        example.modal.clock.advance(timedelta(hours=2).total_seconds())
        assert example.get("/members").status_code == 200
        example.modal.clock.advance(timedelta(days=7).total_seconds())
        assert example.get("/members").status_code == 401
