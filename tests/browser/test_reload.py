"""What a reload of the host page keeps, and what it does not believe."""

from playwright.sync_api import expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting, demo_address

ANOTHER_PAGE = "/demo/favicon.svg"
"""A page of the host's origin without the modal; the wallet is there too."""

TOLD = """
window.__told = [];
let modal;
Object.defineProperty(window, "modal", {
  get: () => modal,
  set(made) {
    modal = made;
    made.subscribeAccount(({ status }) => window.__told.push(status));
  },
});
"""
"""Keeps every status of the account that the host page is told from its first moment on."""


def test_after_a_reload_the_account_is_still_connected(connected: Visit) -> None:
    connected.page.reload()
    connected.modal.expect_connected(connected.account.address)


def test_after_a_reload_the_wallet_asks_nothing(connected: Visit) -> None:
    connected.page.reload()
    connected.modal.expect_connected(connected.account.address)
    assert connected.wallet.pending() == []


def test_after_a_reload_the_account_view_opens(connected: Visit) -> None:
    connected.page.reload()
    connected.modal.open_account()
    expect(connected.modal.card).to_contain_text(connected.account.truncated, ignore_case=True)


def test_after_a_reload_the_network_is_the_wallets(connected: Visit) -> None:
    connected.wallet.select_chain(137)
    connected.modal.expect_network("eip155:137")
    connected.page.reload()
    connected.modal.expect_network("eip155:137")


def test_after_a_reload_it_is_connected_on_another_site_too(visit: Visiting, stack: Stack) -> None:
    visitor = visit(demo_address(stack.other_site_demo, wallet="none"))
    visitor.modal.connect(visitor.wallet)
    visitor.page.reload()
    visitor.modal.expect_connected(visitor.account.address)


def test_it_counts_as_connected_only_once_the_wallet_has_said_so(
    connected: Visit, stack: Stack, visit: Visiting
) -> None:
    # The wallet keeps silent in the reloaded page from its first moment on; everything that the host is told is kept.
    connected.context.add_init_script(
        "if (window.top === window) window.__wallet.misbehave('eth_accounts', {kind: 'hang'});"
    )
    connected.context.add_init_script(TOLD)
    connected.page.reload()
    connected.modal.wait(lambda: connected.modal.api("getState")["initialized"], what="the server's word")
    assert "connected" not in connected.page.evaluate("window.__told")


def test_a_permission_revoked_while_away_is_not_connected(connected: Visit, stack: Stack) -> None:
    connected.page.goto(stack.demo + ANOTHER_PAGE)
    connected.wallet.revoke()
    connected.go()
    connected.modal.open()
    assert connected.modal.api("getIsConnectedState") is False


def test_another_account_chosen_while_away_is_the_connected_one(connected: Visit, stack: Stack) -> None:
    connected.page.goto(stack.demo + ANOTHER_PAGE)
    connected.wallet.select_accounts(connected.other)
    connected.go()
    connected.modal.expect_connected(connected.other.address)


def test_after_disconnecting_a_reload_stays_disconnected(connected: Visit) -> None:
    connected.modal.disconnect()
    connected.modal.expect_closed()
    connected.page.reload()
    connected.modal.open()
    assert connected.modal.api("getIsConnectedState") is False


def test_a_remembered_wallet_that_keeps_silent_is_not_connected(connected: Visit) -> None:
    connected.wallet.misbehave("*", "hang")
    connected.page.reload()
    connected.modal.open()
    assert connected.modal.api("getIsConnectedState") is False


def test_nothing_secret_is_left_in_the_hosts_storage(connected: Visit) -> None:
    kept = connected.page.evaluate("Object.keys(localStorage).filter((key) => !key.includes('the wallet'))")
    assert [key for key in kept if not key.startswith(("@appkit/", "walletmodal:", "demo", "walletmodal-demo"))] == []


def test_a_visitor_who_never_connected_loads_no_frame(visitor: Visit) -> None:
    visitor.page.wait_for_load_state("networkidle")
    expect(visitor.modal.iframe).to_have_count(0)
