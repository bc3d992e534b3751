"""The example applications, from a visitor's first click to the page for members."""

from __future__ import annotations

import re
from collections.abc import Iterator

import jwt
import pytest
from playwright.sync_api import expect

from tests.browser.reflex_example import served_reflex
from tests.browser.stack import API_KEY, Stack
from tests.browser.visits import Visit, Visiting
from tests.examples.clubs import COMMANDS, served

FRAMEWORKS = (*COMMANDS, "reflex")


@pytest.fixture(scope="module", params=FRAMEWORKS)
def club(request: pytest.FixtureRequest, stack: Stack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of an example."""
    port = stack.host_app_ports[FRAMEWORKS.index(request.param)]
    settings = {
        "WALLETMODAL_URL": stack.modal.url,
        "WALLETMODAL_AUDIENCE": f"http://localhost:{port}",
        "WALLETMODAL_API_KEY": API_KEY,
    }
    if request.param == "reflex":
        with served_reflex(port, settings, tmp_path_factory.mktemp("reflex")) as url:
            yield url
    else:
        with served(request.param, port, settings) as url:
            yield url


def sign_in(visitor: Visit) -> None:
    """From the page's button to the page for members."""
    visitor.page.get_by_role("button", name="Sign in with your wallet").click()
    visitor.modal.expect_view("Connect Wallet")
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    visitor.modal.expect_view("Sign In")
    visitor.modal.part("w3m-connecting-siwe-sign").click()
    visitor.wallet.approve("personal_sign")
    expect(visitor.page.get_by_test_id("member-address")).to_have_text(visitor.account.address)


def revoke(stack: Stack, visitor: Visit) -> None:
    """The host's server ends the visitor's session at the modal."""
    token = visitor.modal.api("getSession")["token"]
    session = jwt.decode(token, options={"verify_signature": False})["sid"]
    path = f"{stack.modal.url}/v1/sessions/{session}"
    stack.client.delete(path, headers={"Authorization": f"Bearer {API_KEY}"}).raise_for_status()


def is_let_in(visitor: Visit, club: str) -> bool:
    """Whether somebody who goes to the page for members sees it; every example but Reflex's, which has one document, says so by its status."""
    answer = visitor.page.goto(f"{club}/members")
    heading = visitor.page.get_by_role("heading")
    expect(heading).to_have_text(re.compile("Welcome aboard|This page is for members"))
    shown = heading.inner_text() == "Welcome aboard"
    assert answer is not None
    assert answer.status == 200 if shown else answer.status in (200, 401)
    return shown


def test_the_members_page_is_for_whoever_has_signed_in_until_the_session_is_revoked(
    club: str, stack: Stack, visit: Visiting
) -> None:
    visitor = visit(club)
    assert not is_let_in(visitor, club)
    sign_in(visitor)
    assert is_let_in(visitor, club)
    # The answer 401 is told on the console as well.
    assert visitor.problems.except_for(r"the server responded with a status of 401") == []
    revoke(stack, visitor)
    assert not is_let_in(visitor, club)


@pytest.mark.parametrize("club", ["fastapi", "reflex"], indirect=True)
def test_who_signs_out_has_left_here_and_at_the_modal(club: str, visit: Visiting) -> None:
    visitor = visit(club)
    # The members' page says what it says once its scripts run: before that a click would be lost.
    assert not is_let_in(visitor, club)
    sign_in(visitor)
    visitor.page.wait_for_load_state()
    visitor.page.get_by_role("button", name="Sign out").click()
    visitor.page.wait_for_url(f"{club}/")
    expect(visitor.page.get_by_role("heading")).to_have_text("A club for people with a wallet")
    assert visitor.modal.api("getSession") is None
    assert not is_let_in(visitor, club)
