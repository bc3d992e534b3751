"""Pages of one release at servers of the other, in a browser: with the loader that a host has of its own, and open while servers are replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from scripts.chromium import CHROMIUM_FLAGS
from scripts.project import ROOT
from tests.browser.chain import WEI, new_account
from tests.browser.conftest import chromium_path
from tests.browser.contexts import WINDOW
from tests.browser.host_pages import HostPages, embedding_page
from tests.browser.modal import Modal
from tests.browser.observed import Problems
from tests.browser.patient import patient
from tests.browser.polling import until
from tests.browser.test_send import confirm, enter, expect_final, review
from tests.browser.test_sign_in import sign, token
from tests.browser.visits import OwnPlace, Visit
from tests.browser.wallet import TestWallet, WalletSetup
from tests.cluster.cluster import API_KEY, Cluster, cluster
from tests.cluster.moving import lead_to
from tests.cluster.releases import upgrade
from tests.patience import PATIENCE, PATIENCE_MS
from tests.ports import free_ports
from tests.services_fixtures import PostgresServer, RedisServer
from walletmodal.host import Modal as Host

SCRIPTS: Final = ("walletmodal.js", "walletmodal-wallets.js", "walletmodal-onramp.js")
BEFORE, THIS = 0, 1
"""Numbers of the servers, by their release."""
Visiting = Callable[..., Visit]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Until the file's end: Playwright keeps an event loop running in this thread, which asynchronous tests need gone."""
    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        yield patient(launched)
        launched.close()


@pytest.fixture(scope="module")
def hosts() -> Iterator[HostPages]:
    """Where host pages are."""
    pages = HostPages(free_ports(1))
    yield pages
    pages.close()


@pytest.fixture
def servers(
    tmp_path: Path, redis_server: RedisServer, postgres_server: PostgresServer, release_before: Path, hosts: HostPages
) -> Iterator[Cluster]:
    """One of the release before, and one of this."""
    settings = {"DRAIN_DELAY_SECONDS": "2", "ALLOWED_ORIGINS": hosts.allowed}
    with cluster(tmp_path, redis_server, postgres_server, settings=settings, project=release_before) as found:
        upgrade(found, THIS)
        yield found


@pytest.fixture
def visit(chromium: Browser, servers: Cluster, hosts: HostPages) -> Iterator[Visiting]:
    """Makes a visitor with two coins, who loads a host page that has the loader from an address, with further options."""
    context = chromium.new_context(viewport=WINDOW)
    context.set_default_timeout(PATIENCE_MS)

    def make(loader: str, **more: str) -> Visit:
        account, other = new_account(), new_account()
        ask(servers, "anvil_setBalance", account.address, hex(2 * WEI))
        options = {"networks": ["eip155:1"], "src": servers.url, "siwx": {"required": True}, **more}
        hosts.put("/", embedding_page(loader, options))
        page = context.new_page()
        page.add_init_script(WalletSetup((account, other), {1: servers.node}).init_script())
        modal, wallet, problems = Modal(page, servers.url), TestWallet(page), Problems(page)
        visitor = Visit(OwnPlace(context), page, modal, wallet, problems, account, other, f"{hosts.allowed}/")
        visitor.go()
        return visitor

    yield make
    context.close()


def ask(servers: Cluster, method: str, *params: object) -> Any:
    """The chain's node."""
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return httpx.post(servers.node, json=call, trust_env=False, timeout=PATIENCE).json()["result"]


def fill_form(visitor: Visit) -> str:
    """From the account's button to a complete form; to whom it sends."""
    receiver = new_account().address
    visitor.modal.open_account()
    enter(visitor.modal, "ETH", "0.5", receiver)
    expect(visitor.modal.part("send-preview-button")).to_be_enabled()
    return receiver


def send_it(visitor: Visit, servers: Cluster, receiver: str) -> None:
    """From a complete form to a closed modal."""
    review(visitor.modal)
    expect(visitor.modal.part("send-preview-address")).to_have_text(receiver)
    confirm(visitor)
    expect_final(visitor.modal)
    assert int(ask(servers, "eth_getBalance", receiver, "latest"), 16) == WEI // 2
    assert visitor.wallet.asked("eth_sendTransaction") == 1
    visitor.page.keyboard.press("Escape")
    visitor.modal.expect_closed()


def session(visitor: Visit, servers: Cluster, hosts: HostPages) -> str:
    """The visitor's session, as the modal's server tells the host's own."""
    found = Host(servers.url, hosts.allowed, api_key=API_KEY).verify(token(visitor.modal), online=True)
    assert found.address == visitor.account.address
    return found.session_id


def sign_in(visitor: Visit, servers: Cluster, hosts: HostPages) -> str:
    """From the Connect view to a closed modal; the session."""
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    visitor.modal.expect_view("Sign In")
    sign(visitor)
    return session(visitor, servers, hosts)


@pytest.mark.parametrize("server", [BEFORE, THIS], ids=["at the release before", "at this release"])
def test_the_loader_of_one_release_serves_at_the_other(
    visit: Visiting, servers: Cluster, hosts: HostPages, release_before: Path, server: int
) -> None:
    """A host has its scripts from a server of its own."""
    lead_to(servers, server)
    loader = (ROOT if server == BEFORE else release_before) / "assets"
    for script in SCRIPTS:
        hosts.put(f"/loader/{script}", (loader / script).read_text("utf-8"))
    visitor = visit(f"{hosts.allowed}/loader")
    visitor.modal.open()
    sign_in(visitor, servers, hosts)
    send_it(visitor, servers, fill_form(visitor))
    visitor.modal.disconnect()
    assert visitor.problems.except_for() == []


def move_on(servers: Cluster) -> None:
    """Drain the server of the release before, and end it; its pages are at the other one then."""
    this = servers.members[THIS].server
    lead_to(servers, THIS)
    servers.members[BEFORE].server.stop()
    until(
        lambda: this.metric("walletmodal_open_sockets") == 1, what="the page's socket at this release", seconds=PATIENCE
    )


def test_a_page_that_nobody_has_opened_connects_signs_in_and_sends_at_the_next_release(
    visit: Visiting, servers: Cluster, hosts: HostPages
) -> None:
    lead_to(servers, BEFORE)
    visitor = visit(servers.url, preload="eager")
    before = servers.members[BEFORE].server
    visitor.modal.wait(lambda: before.metric("walletmodal_open_sockets") == 1, what="the page's socket")
    move_on(servers)
    visitor.modal.open()
    sign_in(visitor, servers, hosts)
    send_it(visitor, servers, fill_form(visitor))
    assert visitor.problems.except_for() == []


def test_an_open_page_shows_the_same_view_and_connects_signs_in_and_sends_at_the_next_release(
    visit: Visiting, servers: Cluster, hosts: HostPages
) -> None:
    lead_to(servers, BEFORE)
    visitor = visit(servers.url)
    visitor.modal.open()
    move_on(servers)
    visitor.modal.expect_view("Connect Wallet")
    sign_in(visitor, servers, hosts)
    send_it(visitor, servers, fill_form(visitor))
    assert visitor.problems.except_for() == []


def test_a_form_that_was_filled_in_is_sent_at_the_next_release_by_who_is_still_signed_in(
    visit: Visiting, servers: Cluster, hosts: HostPages
) -> None:
    lead_to(servers, BEFORE)
    visitor = visit(servers.url)
    visitor.modal.open()
    before = sign_in(visitor, servers, hosts)
    receiver = fill_form(visitor)
    move_on(servers)
    expect(visitor.modal.part("send-amount-input")).to_have_value("0.5")
    send_it(visitor, servers, receiver)
    assert session(visitor, servers, hosts) == before
    assert visitor.problems.except_for() == []
