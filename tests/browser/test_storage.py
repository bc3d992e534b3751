"""Where the browser denies storage, everything works for as long as the page lives."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Playwright, expect

from tests.browser.denied_storage import denying_context
from tests.browser.email_visitor import EmailVisitor
from tests.browser.regulars import Regular, leave
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting, demo_address

DENYING_HOST = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, {get() { throw new DOMException("denied", "SecurityError"); }});
}
"""


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
        ports = () if request.param == "everywhere" else (stack.modal_port,)
        context = denying_context(driver, tmp_path_factory.mktemp("profile"), *ports)
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
    visitor = EmailVisitor(partial(visit, context=denying_context(driver, tmp_path, stack.secure_port)), stack)
    visitor.log_in()
    visitor.page.reload()
    # An open modal closes when a login ends that was there on the last visit.
    kept = "Object.keys(localStorage).some((key) => key.startsWith('walletmodal:login:'))"
    visitor.modal.wait(lambda: not visitor.page.evaluate(kept), what="the end of the login")
    visitor.modal.open()
    told = visitor.modal.part("login-lost")
    expect(told).to_be_visible()
    assert "allow site data" in told.inner_text()
