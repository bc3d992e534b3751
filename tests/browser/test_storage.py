"""Where the browser denies storage, everything works for as long as the page lives."""

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, expect

from tests.browser.conftest import CHROMIUM_FLAGS, chromium_path
from tests.browser.email_visitor import EmailVisitor
from tests.browser.regulars import Regular, leave
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting, demo_address

WITH_SETTINGS = ("chromium", "chromium-browser")
"""The whole browser: the headless shell has no content settings."""

BLOCK = 2
"""Chromium's number for a content setting that denies."""

DENYING_HOST = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, {get() { throw new DOMException("denied", "SecurityError"); }});
}
"""


def settings_of(everywhere: bool, port: int) -> dict[str, object]:
    """The browser's preferences that deny cookies and storage: everywhere, or to the origin of a port."""
    if everywhere:
        return {"profile": {"default_content_setting_values": {"cookies": BLOCK}}}
    pattern = f"http://localhost:{port},*"
    return {"profile": {"content_settings": {"exceptions": {"cookies": {pattern: {"setting": BLOCK}}}}}}


@pytest.fixture(scope="module", params=["everywhere", "to the modal"])
def regular_denied(
    request: pytest.FixtureRequest,
    driver: Playwright,
    shared_visit: Visiting,
    stack: Stack,
    tmp_path_factory: pytest.TempPathFactory,
) -> Regular[Visit]:
    """A visitor whose browser denies storage, for one test after the other."""

    def arrive() -> Visit:
        profile = tmp_path_factory.mktemp("profile") / "Default"
        profile.mkdir()
        preferences = settings_of(request.param == "everywhere", stack.modal_port)
        (profile / "Preferences").write_text(json.dumps(preferences))
        context = driver.chromium.launch_persistent_context(
            profile.parent, executable_path=chromium_path(WITH_SETTINGS), args=list(CHROMIUM_FLAGS)
        )
        return shared_visit(demo_address(stack.other_site_demo, wallet="none"), context=context)

    return Regular(arrive, leave)


@pytest.fixture
def denied(regular_denied: Regular[Visit]) -> Iterator[Visit]:
    """The same for one test."""
    with regular_denied.returning() as visitor:
        yield visitor


def test_the_browser_really_denies_it_to_the_frame(denied: Visit) -> None:
    denied.modal.open()
    frame = denied.modal.card.element_handle().owner_frame()
    assert frame is not None
    # The product puts its own memory in the place of a denied storage; the browser's own must be out of reach.
    kept = frame.evaluate(
        "() => { try { return Object.getOwnPropertyDescriptor(window, 'localStorage')?.value !== undefined; } catch { return true; } }"
    )
    assert kept is True


def test_without_storage_a_wallet_connects(denied: Visit) -> None:
    denied.modal.connect(denied.wallet)
    denied.modal.expect_connected(denied.account.address)


def test_without_storage_the_network_switches(denied: Visit) -> None:
    denied.modal.connect(denied.wallet)
    denied.modal.begin("switch", "switchNetwork", "eip155:137")
    denied.wallet.approve("wallet_switchEthereumChain")
    denied.modal.expect_network("eip155:137")


def test_without_storage_one_disconnects(denied: Visit) -> None:
    denied.modal.connect(denied.wallet)
    denied.modal.disconnect()
    denied.modal.expect_closed()


def test_a_host_whose_storage_throws_connects(visit: Visiting) -> None:
    visitor = visit(before=[f"if (window.top === window) {{ {DENYING_HOST} }}"])
    visitor.modal.connect(visitor.wallet)
    visitor.modal.expect_connected(visitor.account.address)


def test_a_host_storage_full_of_nonsense_does_no_harm(visit: Visiting, stack: Stack) -> None:
    visitor = visit(load=False)
    visitor.page.goto(f"{stack.demo}/demo/favicon.svg")
    visitor.page.evaluate(
        """() => {
          const names = ["active_caip_network_id", "active_namespace", "connection_status", "connected_namespaces", "recent_wallets",
                         "eip155:connected_connector_id"];
          for (const name of names) localStorage.setItem("@appkit/" + name, '{"__proto__": [' + "x".repeat(1000));
        }"""
    )
    visitor.go()
    visitor.modal.connect(visitor.wallet)
    expect(visitor.modal.card).to_be_hidden()
    visitor.modal.expect_connected(visitor.account.address)


def test_who_was_logged_out_by_a_reload_reads_why(
    driver: Playwright, visit: Visiting, stack: Stack, tmp_path: Path
) -> None:
    (tmp_path / "Default").mkdir()
    (tmp_path / "Default" / "Preferences").write_text(json.dumps(settings_of(False, stack.secure_port)))
    context = driver.chromium.launch_persistent_context(
        tmp_path, executable_path=chromium_path(WITH_SETTINGS), args=list(CHROMIUM_FLAGS)
    )
    visitor = EmailVisitor(partial(visit, context=context), stack)
    visitor.log_in()
    visitor.page.reload()
    # An open modal closes when a login ends that was there on the last visit.
    kept = "Object.keys(localStorage).some((key) => key.startsWith('walletmodal:login:'))"
    visitor.modal.wait(lambda: not visitor.page.evaluate(kept), what="the end of the login")
    visitor.modal.open()
    told = visitor.modal.part("login-lost")
    expect(told).to_be_visible()
    assert "allow site data" in told.inner_text()
