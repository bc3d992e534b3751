"""A visitor connects a wallet that the browser brings, looks at the account, and leaves again."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.chain import TestAccount, floored
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting, demo_address

SITES = ("same site", "other site, storage partitioned")


@pytest.fixture(params=SITES)
def anywhere(request: pytest.FixtureRequest, visit: Visiting, stack: Stack) -> Visit:
    """A visitor of the demo page, on the modal's site and on another one."""
    origin = stack.demo if request.param == SITES[0] else stack.other_site_demo
    return visit(demo_address(origin, wallet="none"))


def test_the_button_opens_the_modal(anywhere: Visit) -> None:
    anywhere.modal.open()
    expect(anywhere.modal.card).to_be_visible()


def test_the_browsers_wallet_is_listed_by_name_as_installed(anywhere: Visit) -> None:
    anywhere.modal.open()
    expect(anywhere.modal.wallet_row()).to_have_text(re.compile(r"Test Wallet\s*installed", re.IGNORECASE))


def test_the_wallets_own_icon_is_shown(visitor: Visit) -> None:
    visitor.modal.open()
    expect(visitor.modal.wallet_row().locator("img").first).to_have_attribute("src", re.compile("^data:image/svg"))


def test_the_wallet_is_asked_once(anywhere: Visit) -> None:
    anywhere.modal.connect(anywhere.wallet)
    assert anywhere.wallet.asked("eth_requestAccounts") == 1


def test_approving_connects_the_account(anywhere: Visit) -> None:
    anywhere.modal.connect(anywhere.wallet)
    anywhere.modal.expect_connected(anywhere.account.address)


def test_approving_closes_the_modal(anywhere: Visit) -> None:
    anywhere.modal.connect(anywhere.wallet)
    anywhere.modal.expect_closed()


def test_the_host_gets_the_account_as_caip10(connected: Visit) -> None:
    assert connected.modal.api("getCaipAddress").lower() == f"eip155:1:{connected.account.address}".lower()


def test_the_account_view_shows_the_truncated_address(anywhere: Visit) -> None:
    anywhere.modal.connect(anywhere.wallet)
    anywhere.modal.open_account()
    expect(anywhere.modal.card).to_contain_text(anywhere.account.truncated, ignore_case=True)


def test_the_account_view_shows_an_avatar(connected: Visit) -> None:
    connected.modal.open_account()
    expect(connected.modal.part("single-account-avatar")).to_be_visible()


def test_the_balance_is_the_chains(visit: Visiting, stack: Stack, account: TestAccount) -> None:
    stack.chain(1).fund(account.address, "12.345678901234567891")
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    expect(visitor.modal.balance).to_have_text(f"{floored(stack.chain(1).balance(account.address))} ETH")


def test_an_account_without_coins_has_a_balance_of_zero(connected: Visit) -> None:
    connected.modal.open_account()
    expect(connected.modal.balance).to_have_text("0.000 ETH")


def test_the_hosts_account_button_shows_the_balance(visit: Visiting, stack: Stack, account: TestAccount) -> None:
    stack.chain(1).fund(account.address, "7.5")
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    expect(visitor.modal.account_button).to_contain_text("7.5 ETH")


def test_the_host_learns_which_wallet_it_is(connected: Visit) -> None:
    assert connected.modal.api("getWalletInfo")["name"] == "Test Wallet"


def test_a_refusal_is_shown(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.reject()
    expect(visitor.modal.card).to_contain_text("Connection declined")


def test_after_a_refusal_nobody_is_connected(visitor: Visit) -> None:
    visitor.modal.open()
    visitor.modal.choose_wallet()
    visitor.wallet.reject()
    expect(visitor.modal.retry).to_be_enabled()
    assert visitor.modal.api("getIsConnectedState") is False


def test_trying_again_after_a_refusal_connects(anywhere: Visit) -> None:
    anywhere.modal.open()
    anywhere.modal.choose_wallet()
    anywhere.wallet.reject()
    anywhere.modal.retry.click()
    anywhere.wallet.approve()
    anywhere.modal.expect_connected(anywhere.account.address)


def test_disconnecting_forgets_the_account(anywhere: Visit) -> None:
    anywhere.modal.connect(anywhere.wallet)
    anywhere.modal.disconnect()
    assert anywhere.modal.api("getAddress") in (None, "")


def test_disconnecting_closes_the_modal(connected: Visit) -> None:
    connected.modal.disconnect()
    connected.modal.expect_closed()


def test_disconnecting_asks_the_wallet_to_forget_the_site(connected: Visit) -> None:
    connected.modal.disconnect()
    connected.modal.wait(lambda: connected.wallet.calls("wallet_revokePermissions"), what="wallet_revokePermissions")


def test_after_disconnecting_one_can_connect_again(connected: Visit) -> None:
    connected.modal.disconnect()
    connected.modal.expect_closed()
    connected.modal.connect(connected.wallet)
    connected.modal.expect_connected(connected.account.address)


def test_the_host_disconnects_by_its_api(connected: Visit) -> None:
    connected.modal.api("disconnect")
    connected.modal.expect_disconnected()


def test_a_browser_without_wallets_says_so(visit: Visiting) -> None:
    visitor = visit(options={"enableWalletConnect": False}, wallet={"announce": False, "extra": {"onWindow": False}})
    visitor.modal.open()
    expect(visitor.modal.part("no-wallet-found")).to_be_visible()


def test_a_wallet_that_nothing_announced_is_not_offered_on_a_computer(visit: Visiting) -> None:
    visitor = visit(wallet={"announce": False})
    visitor.modal.open()
    expect(visitor.modal.part("wallet-selector-walletconnect")).to_be_visible()
    expect(visitor.modal.wallet_row("injected")).to_have_count(0)


def test_a_wallet_that_nothing_announced_connects_in_its_own_browser_on_a_phone(visit: Visiting) -> None:
    visitor = visit(wallet={"announce": False}, is_mobile=True, has_touch=True)
    visitor.modal.connect(visitor.wallet, "injected")
    visitor.modal.expect_connected(visitor.account.address)


def test_an_announced_wallet_is_not_offered_as_injected_too(visitor: Visit) -> None:
    visitor.modal.open()
    expect(visitor.modal.wallet_row()).to_be_visible()
    expect(visitor.modal.wallet_row("injected")).to_have_count(0)


@pytest.mark.parametrize("policy", ["", "strict"], ids=["no policy", "strict policy"])
def test_the_whole_journey_leaves_no_error_on_the_console(visit: Visiting, policy: str) -> None:
    visitor = visit(query={"csp": policy})
    visitor.modal.connect(visitor.wallet)
    visitor.modal.disconnect()
    visitor.modal.expect_closed()
    assert visitor.problems.errors == []


def test_a_host_with_a_strict_policy_connects(visit: Visiting) -> None:
    visitor = visit(query={"csp": "strict"})
    visitor.modal.connect(visitor.wallet)
    visitor.modal.expect_connected(visitor.account.address)


def test_the_journey_works_on_two_workers_over_redis(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.redis_modal)
    visitor.modal.connect(visitor.wallet)
    visitor.modal.disconnect()
    visitor.modal.expect_closed()
