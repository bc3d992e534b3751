"""A visitor connects a wallet that the browser brings, looks at the account, and leaves again."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chain import TestAccount, floored
from tests.browser.stack import Stack
from tests.browser.visiting import visiting
from tests.browser.visits import Visit, Visiting, demo_address

SITES = ("same site", "other site, storage partitioned")
STRICT = "strict policy"
"""Of the host page, on the same site."""


@dataclass(frozen=True)
class Journey:
    """What a visitor saw who opened the modal, connected, looked at the account and left again.

    Attributes:
        listed: the text of the wallet's row.
        icon: the address of the picture in it.
        approved: the address that the host page knew once the wallet had approved.
        closed: whether nothing was shown then.
        asked: how often the wallet was asked.
        shown: the text of the account view.
        left: the address that the host page knew in the end.
        account: the address of the visitor's account.
        errors: what went wrong on the console until nothing was shown any more.
    """

    listed: str
    icon: str
    approved: str
    closed: bool
    asked: int
    shown: str
    left: str | None
    account: TestAccount
    errors: Sequence[str]


@pytest.fixture(scope="module", params=(pytest.param(SITES[0], marks=pytest.mark.slow), SITES[1], STRICT))
def journey(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Journey:
    """A whole visit of the demo page: on the modal's site, on another one, and with a strict policy."""
    origin = stack.other_site_demo if request.param == SITES[1] else stack.demo
    with visiting(stack, chromium) as visit:
        visitor = visit(demo_address(origin, wallet="none", csp="strict" if request.param == STRICT else ""))
        modal = visitor.modal
        modal.open()
        row = modal.wallet_row()
        listed, icon = row.inner_text(), row.locator("img").first.get_attribute("src") or ""
        modal.choose_wallet()
        visitor.wallet.approve()
        modal.expect_connected()
        # Whether it came to that is for the tests to say.
        with suppress(AssertionError):
            modal.expect_closed()
        approved, closed = str(modal.api("getAddress")), modal.card.is_hidden() and modal.iframe.is_hidden()
        modal.open_account()
        shown = modal.card.inner_text()
        modal.part("disconnect-button").click()
        modal.expect_disconnected()
        with suppress(AssertionError):
            modal.expect_closed()
        return Journey(
            listed,
            icon,
            approved,
            closed,
            visitor.wallet.asked("eth_requestAccounts"),
            shown,
            modal.api("getAddress"),
            visitor.account,
            visitor.problems.errors,
        )


def test_the_browsers_wallet_is_listed_by_name_as_installed(journey: Journey) -> None:
    assert re.fullmatch(r"Test Wallet\s*installed", journey.listed, re.IGNORECASE)


def test_the_wallets_own_icon_is_shown(journey: Journey) -> None:
    assert journey.icon.startswith("data:image/svg")


def test_the_wallet_is_asked_once(journey: Journey) -> None:
    assert journey.asked == 1


def test_approving_connects_the_account(journey: Journey) -> None:
    assert journey.approved.lower() == journey.account.address.lower()


def test_approving_closes_the_modal(journey: Journey) -> None:
    assert journey.closed


def test_the_account_view_shows_the_truncated_address(journey: Journey) -> None:
    assert journey.account.truncated.lower() in journey.shown.lower()


def test_disconnecting_forgets_the_account(journey: Journey) -> None:
    assert journey.left in (None, "")


def test_the_whole_journey_leaves_no_error_on_the_console(journey: Journey) -> None:
    assert journey.errors == []


@pytest.fixture(scope="module")
def settled(shared_visit: Visiting) -> Visit:
    """A visitor who is connected and looks at the account, and still does after each test that has this one."""
    visitor = shared_visit()
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    return visitor


def test_the_host_gets_the_account_as_caip10(settled: Visit) -> None:
    assert settled.modal.api("getCaipAddress").lower() == f"eip155:1:{settled.account.address}".lower()


def test_the_account_view_shows_an_avatar(settled: Visit) -> None:
    expect(settled.modal.part("single-account-avatar")).to_be_visible()


def test_an_account_without_coins_has_a_balance_of_zero(settled: Visit) -> None:
    expect(settled.modal.balance).to_have_text("0.000 ETH")


def test_the_host_learns_which_wallet_it_is(settled: Visit) -> None:
    assert settled.modal.api("getWalletInfo")["name"] == "Test Wallet"


def test_the_balance_is_the_chains(visit: Visiting, stack: Stack, account: TestAccount) -> None:
    stack.chain(1).fund(account.address, "12.345678901234567891")
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    expect(visitor.modal.balance).to_have_text(f"{floored(stack.chain(1).balance(account.address))} ETH")


def test_the_hosts_account_button_shows_the_balance(visit: Visiting, stack: Stack, account: TestAccount) -> None:
    stack.chain(1).fund(account.address, "7.5")
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    expect(visitor.modal.account_button).to_contain_text("7.5 ETH")


@dataclass(frozen=True)
class Refusal:
    """What a visitor saw whose wallet refused, and approved when it was tried again.

    Attributes:
        shown: the text of the card after the refusal.
        connected: whether the host page knew an account then.
        later: the address that it knows after the second try; `wanted`: the one that it should.
    """

    shown: str
    connected: bool
    later: str
    wanted: str


@pytest.fixture(scope="module", params=(pytest.param(SITES[0], marks=pytest.mark.slow), SITES[1]))
def refusal(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Refusal:
    """A wallet that refuses first."""
    origin = stack.demo if request.param == SITES[0] else stack.other_site_demo
    with visiting(stack, chromium) as visit:
        visitor = visit(demo_address(origin, wallet="none"))
        modal = visitor.modal
        modal.open()
        modal.choose_wallet()
        visitor.wallet.reject()
        expect(modal.retry).to_be_enabled()
        shown, connected = modal.card.inner_text(), modal.api("getIsConnectedState")
        modal.retry.click()
        visitor.wallet.approve()
        modal.expect_connected()
        return Refusal(shown, connected, str(modal.api("getAddress")), visitor.account.address)


def test_a_refusal_is_shown(refusal: Refusal) -> None:
    assert "Connection declined" in refusal.shown


def test_after_a_refusal_nobody_is_connected(refusal: Refusal) -> None:
    assert refusal.connected is False


def test_trying_again_after_a_refusal_connects(refusal: Refusal) -> None:
    assert refusal.later.lower() == refusal.wanted.lower()


def test_disconnecting_closes_the_modal(member: Visit) -> None:
    member.modal.disconnect()
    member.modal.expect_closed()


def test_disconnecting_asks_the_wallet_to_forget_the_site(member: Visit) -> None:
    before = member.wallet.calls("wallet_revokePermissions")
    member.modal.disconnect()
    member.modal.wait(lambda: member.wallet.calls("wallet_revokePermissions") > before, what="wallet_revokePermissions")


def test_after_disconnecting_one_can_connect_again(member: Visit) -> None:
    member.modal.disconnect()
    member.modal.expect_closed()
    member.modal.connect(member.wallet)
    member.modal.expect_connected(member.account.address)


def test_the_host_disconnects_by_its_api(member: Visit) -> None:
    member.modal.api("disconnect")
    member.modal.expect_disconnected()


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


@pytest.mark.parametrize("over", ["redis", "cluster"])
def test_the_journey_works_on_two_workers_over_redis(visit: Visiting, stack: Stack, over: str) -> None:
    visitor = visit(server=stack.redis_modal if over == "redis" else stack.cluster_modal)
    visitor.modal.connect(visitor.wallet)
    visitor.modal.disconnect()
    visitor.modal.expect_closed()
