"""Who may embed the modal: the browser refuses the frame to others, and the loader says on the host's console what to set."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.host_pages import embedding_page
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting

HANDSHAKE_MS = 20_000
"""How long the loader waits for its frame."""


def open_in_vain(visitor: Visit, *, refused: bool = True) -> dict[str, Any]:
    """Call `open()` and let the loader's patience pass, once the browser has said that it `refused` the frame; how the call ended."""
    visitor.page.clock.install()
    visitor.go()
    visitor.modal.begin("open", "open")
    expect(visitor.page.locator("iframe")).to_be_attached()
    if refused:
        # A frame that is gone before its answer has come is refused by nobody.
        visitor.modal.wait(lambda: visitor.problems.said("frame-ancestors"), what="the policy's name on the console")
    visitor.page.clock.fast_forward(HANDSHAKE_MS)
    return visitor.modal.outcome("open")


@pytest.fixture(scope="module")
def stranger(shared_visit: Visiting, stack: Stack) -> Visit:
    """A visitor of a page whose origin the deployment does not allow."""
    stack.hosts.put("/stranger", embedding_page(stack.modal.url))
    return shared_visit(f"{stack.hosts.refused}/stranger", load=False)


@pytest.fixture(scope="module")
def outcome(stranger: Visit) -> dict[str, Any]:
    """How `open()` ended on that page."""
    return open_in_vain(stranger)


def test_open_rejects(outcome: dict[str, Any]) -> None:
    assert outcome["code"] == 4900


@pytest.mark.usefixtures("outcome")
def test_the_browser_names_the_policy(stranger: Visit) -> None:
    assert stranger.problems.said("frame-ancestors")


@pytest.mark.usefixtures("outcome")
def test_the_console_names_the_setting(stranger: Visit) -> None:
    assert stranger.problems.said("ALLOWED_ORIGINS")


@pytest.mark.usefixtures("outcome")
def test_the_console_names_the_origin_to_allow(stranger: Visit, stack: Stack) -> None:
    assert stranger.problems.said(f"ALLOWED_ORIGINS.*{re.escape(stack.hosts.refused)}")


@pytest.mark.usefixtures("outcome")
def test_nothing_of_the_modal_is_shown(stranger: Visit) -> None:
    expect(stranger.modal.card).to_be_hidden()


@pytest.mark.usefixtures("outcome")
def test_the_wallet_is_not_asked(stranger: Visit) -> None:
    assert stranger.wallet.calls("eth_requestAccounts") == 0


@pytest.mark.usefixtures("outcome")
def test_the_page_stays_usable(stranger: Visit) -> None:
    open_in_vain(stranger)
    assert stranger.page.evaluate("getComputedStyle(document.documentElement).overflow") != "hidden"


def test_a_modal_that_is_not_there_rejects_too(visit: Visiting, stack: Stack) -> None:
    page = embedding_page(stack.modal.url, {"src": "http://localhost:1/"})
    stack.hosts.put("/nobody", page)
    nobody = visit(f"{stack.hosts.allowed}/nobody", load=False)
    assert open_in_vain(nobody, refused=False)["code"] == 4900


def test_the_header_names_exactly_the_allowed_origins(stack: Stack) -> None:
    policy = stack.client.get(f"{stack.modal.url}/").headers["content-security-policy"]
    found = re.search(r"frame-ancestors ([^;]*)", policy)
    assert found
    apps = {f"http://localhost:{port}" for port in stack.host_app_ports}
    allowed = {stack.modal.url, stack.demo, stack.other_site_demo, stack.hosts.allowed} | apps
    assert {source for source in found[1].split() if source != "'self'"} | {stack.modal.url} == allowed


def test_what_a_strangers_page_asks_beforehand_is_refused_in_our_form(stack: Stack) -> None:
    asked = {"Origin": stack.hosts.refused, "Access-Control-Request-Method": "POST"}
    answer = stack.client.options(f"{stack.modal.url}/v1/rpc", headers=asked)
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "origin_not_allowed")


def test_an_answer_names_once_what_it_varies_by(stack: Stack) -> None:
    names = stack.client.get(f"{stack.modal.url}/").headers["vary"].lower().replace(" ", "").split(",")
    assert len(names) == len(set(names))
