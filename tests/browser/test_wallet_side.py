"""What the visitor does in the wallet's own window reaches the modal and the host."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.stack import UNSUPPORTED_CHAIN_ID, Stack
from tests.browser.visits import Visit, Visiting


def go_unsupported(visitor: Visit, stack: Stack) -> None:
    """Pick a network in the wallet that the deployment does not have; the modal opens by itself."""
    visitor.wallet.select_chain(UNSUPPORTED_CHAIN_ID, stack.node_urls[1])
    visitor.modal.wait(
        lambda: visitor.modal.api("getCaipNetworkId") == f"eip155:{UNSUPPORTED_CHAIN_ID}",
        what="the unsupported network at the host",
    )
    visitor.modal.expect_view("Switch Network")


def test_another_account_is_taken_over(member: Visit) -> None:
    member.wallet.select_accounts(member.other)
    member.modal.expect_connected(member.other.address)


def test_another_account_shows_in_the_open_modal(member: Visit) -> None:
    member.modal.open_account()
    member.wallet.select_accounts(member.other)
    expect(member.modal.card).to_contain_text(member.other.truncated, ignore_case=True)


def test_another_accounts_balance_replaces_the_first_ones(connected: Visit, stack: Stack) -> None:
    stack.chain(1).fund(connected.other.address, "4.2")
    connected.modal.open_account()
    connected.wallet.select_accounts(connected.other)
    expect(connected.modal.balance).to_have_text("4.2 ETH")


def test_another_network_is_taken_over(member: Visit) -> None:
    member.wallet.select_chain(137)
    member.modal.expect_network("eip155:137")


@pytest.fixture
def locking(member: Visit) -> Iterator[Visit]:
    """One whose wallet will be unlocked afterwards, and ask before it connects again."""
    yield member
    member.wallet.revoke()
    member.wallet.lock(locked=False)


def test_a_locked_wallet_is_no_longer_connected(locking: Visit) -> None:
    locking.wallet.lock()
    locking.modal.expect_disconnected()


def test_a_revoked_permission_disconnects(member: Visit) -> None:
    member.wallet.revoke()
    member.modal.expect_disconnected()


def test_a_revoked_permission_closes_the_account_view(member: Visit) -> None:
    member.modal.open_account()
    member.wallet.revoke()
    member.modal.expect_closed()


def test_a_wallet_that_vanishes_is_no_longer_connected(connected: Visit) -> None:
    connected.wallet.vanish()
    connected.modal.expect_disconnected()


def test_an_unsupported_network_leads_to_its_own_view(member: Visit, stack: Stack) -> None:
    go_unsupported(member, stack)
    expect(member.modal.part("w3m-network-switch-Ethereum")).to_be_visible()


def test_an_unsupported_network_replaces_an_open_view(member: Visit, stack: Stack) -> None:
    member.modal.open_account()
    member.wallet.select_chain(UNSUPPORTED_CHAIN_ID, stack.node_urls[1])
    member.modal.expect_view("Switch Network")


def test_closing_on_an_unsupported_network_is_refused(member: Visit, stack: Stack) -> None:
    go_unsupported(member, stack)
    member.modal.part("w3m-header-close").click()
    member.modal.wait(lambda: member.modal.api("isOpen"), what="the modal, still open")
    expect(member.modal.card).to_be_visible()


def test_a_refused_close_shakes_the_card(member: Visit, stack: Stack) -> None:
    go_unsupported(member, stack)
    member.modal.card.evaluate(
        """(card) => {
          window.__shaken = false;
          const look = () => {
            if (card.getAnimations().some((a) => /rotate|translate/.test(JSON.stringify(a.effect.getKeyframes())))) window.__shaken = true;
            else requestAnimationFrame(look);
          };
          look();
        }"""
    )
    member.page.keyboard.press("Escape")
    member.modal.wait(lambda: member.modal.card.evaluate("() => window.__shaken"), what="the shake")


def test_from_an_unsupported_network_one_can_switch(member: Visit, stack: Stack) -> None:
    go_unsupported(member, stack)
    member.modal.part("w3m-network-switch-Polygon").click()
    member.wallet.approve("wallet_switchEthereumChain")
    member.modal.expect_network("eip155:137")


def test_from_an_unsupported_network_one_can_disconnect(member: Visit, stack: Stack) -> None:
    go_unsupported(member, stack)
    member.modal.frame.get_by_role("button", name=re.compile("disconnect", re.IGNORECASE)).click()
    member.modal.expect_disconnected()


def test_the_host_may_allow_unsupported_networks(visit: Visiting, stack: Stack) -> None:
    visitor = visit(options={"allowUnsupportedChain": True})
    visitor.modal.connect(visitor.wallet)
    visitor.wallet.select_chain(UNSUPPORTED_CHAIN_ID, stack.node_urls[1])
    visitor.modal.expect_network(f"eip155:{UNSUPPORTED_CHAIN_ID}")
    visitor.modal.open_account()
    expect(visitor.modal.part("disconnect-button")).to_be_visible()
