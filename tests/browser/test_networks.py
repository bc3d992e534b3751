"""Switching the network from the modal, from the host, and into networks that the wallet does not know yet."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.chain import TestAccount
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting


def open_networks(visitor: Visit) -> None:
    """From the host page to the list of networks, by way of the account."""
    visitor.modal.open_account()
    visitor.modal.part("w3m-account-select-network").click()
    visitor.modal.expect_view("Choose Network")


def test_every_configured_network_is_listed(member: Visit) -> None:
    open_networks(member)
    names = ["Ethereum", "Polygon", "OP Mainnet", "Base", "Arbitrum One"]
    expect(member.modal.frame.locator('[data-testid^="w3m-network-switch-"]')).to_contain_text(names)


def test_search_narrows_the_list(member: Visit) -> None:
    open_networks(member)
    member.modal.frame.get_by_role("searchbox").fill("poly")
    expect(member.modal.frame.locator('[data-testid^="w3m-network-switch-"]')).to_have_text(["Polygon"])


def test_a_search_without_match_says_so(member: Visit) -> None:
    open_networks(member)
    member.modal.frame.get_by_role("searchbox").fill("nothing like it")
    expect(member.modal.frame.get_by_text("No network")).to_be_visible()


def test_a_known_network_is_switched_to(member: Visit) -> None:
    open_networks(member)
    member.modal.network_row("Polygon").click()
    member.wallet.approve("wallet_switchEthereumChain")
    member.modal.expect_network("eip155:137")


def test_after_switching_the_account_is_shown_again(member: Visit) -> None:
    open_networks(member)
    member.modal.network_row("Polygon").click()
    member.wallet.approve("wallet_switchEthereumChain")
    expect(member.modal.part("disconnect-button")).to_be_visible()


def test_the_balance_follows_the_network(visit: Visiting, stack: Stack, account: TestAccount) -> None:
    stack.chain(137).fund(account.address, "3.25")
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    open_networks(visitor)
    visitor.modal.network_row("Polygon").click()
    visitor.wallet.approve("wallet_switchEthereumChain")
    expect(visitor.modal.balance).to_have_text("3.25 POL")


def test_while_the_wallet_is_asked_the_modal_waits_for_it(member: Visit) -> None:
    open_networks(member)
    member.modal.network_row("Polygon").click()
    expect(member.modal.card).to_contain_text("Approve in wallet")
    # Answered when the visitor is brought back; asked later, it would be the next test's.
    member.wallet.await_question("wallet_switchEthereumChain")


def test_a_declined_switch_is_shown(member: Visit) -> None:
    open_networks(member)
    member.modal.network_row("Polygon").click()
    member.wallet.reject("wallet_switchEthereumChain")
    expect(member.modal.card).to_contain_text("Switch declined")


def test_a_declined_switch_leaves_the_network(member: Visit) -> None:
    open_networks(member)
    member.modal.network_row("Polygon").click()
    member.wallet.reject("wallet_switchEthereumChain")
    expect(member.modal.retry).to_be_visible()
    assert member.modal.api("getCaipNetworkId") == "eip155:1"


def test_trying_a_declined_switch_again_switches(member: Visit) -> None:
    open_networks(member)
    member.modal.network_row("Polygon").click()
    member.wallet.reject("wallet_switchEthereumChain")
    member.modal.retry.click()
    member.wallet.approve("wallet_switchEthereumChain")
    member.modal.expect_network("eip155:137")


@pytest.fixture
def learning(member: Visit) -> Iterator[Visit]:
    """One whose wallet does not know Base, and will have forgotten it afterwards."""
    yield member
    member.wallet.forget_chain(8453)


def test_a_network_unknown_to_the_wallet_is_added(learning: Visit) -> None:
    open_networks(learning)
    learning.modal.network_row("Base").click()
    question = learning.wallet.approve("wallet_addEthereumChain")
    assert question["params"][0]["chainId"] == hex(8453)
    # What follows from the answer would come in between while the visitor is brought back.
    learning.modal.expect_network("eip155:8453")


def test_an_added_network_becomes_the_active_one(learning: Visit) -> None:
    open_networks(learning)
    learning.modal.network_row("Base").click()
    learning.wallet.approve("wallet_addEthereumChain")
    learning.modal.expect_network("eip155:8453")


def test_the_hosts_own_rpc_urls_reach_the_wallet(visit: Visiting, stack: Stack) -> None:
    visitor = visit(options={"customRpcUrls": {"eip155:8453": [{"url": stack.node_urls[8453]}]}})
    visitor.modal.connect(visitor.wallet)
    visitor.modal.begin("switch", "switchNetwork", "eip155:8453")
    question = visitor.wallet.approve("wallet_addEthereumChain")
    assert question["params"][0]["rpcUrls"] == [stack.node_urls[8453]]


def test_the_host_switches_by_its_api(member: Visit) -> None:
    member.modal.begin("switch", "switchNetwork", "eip155:137")
    member.wallet.approve("wallet_switchEthereumChain")
    assert "value" in member.modal.outcome("switch")


def test_a_declined_switch_rejects_the_hosts_promise(member: Visit) -> None:
    member.modal.begin("switch", "switchNetwork", "eip155:137")
    member.wallet.reject("wallet_switchEthereumChain")
    assert member.modal.outcome("switch")["code"] == 4001


def test_a_network_that_is_not_configured_is_refused_to_the_host(connected: Visit) -> None:
    # The alert about it would stay in the way of others.
    assert connected.modal.attempt("switchNetwork", "eip155:56").get("message")


def test_without_an_account_a_network_is_chosen_without_the_wallet(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.api("switchNetwork", "eip155:137")
    visitor.modal.expect_network("eip155:137")


def test_the_hosts_network_button_opens_the_list(member: Visit) -> None:
    member.page.get_by_test_id("w3m-network-button").click()
    member.modal.expect_view("Choose Network")


def test_the_hosts_network_button_names_the_network(member: Visit) -> None:
    member.modal.begin("switch", "switchNetwork", "eip155:137")
    member.wallet.approve("wallet_switchEthereumChain")
    expect(member.page.get_by_test_id("w3m-network-button")).to_contain_text("Polygon")
