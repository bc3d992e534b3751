"""Where `open()` leads: an explicit view first, then account or connect; what needs an account waits behind Connect."""

import pytest
from playwright.sync_api import expect

from tests.browser.held_back import HeldBack
from tests.browser.visits import Visit, Visiting

TITLES = {
    "Connect": "Connect Wallet",
    "Networks": "Choose Network",
    "WhatIsAWallet": "What is a wallet?",
    "WhatIsANetwork": "What is a network?",
}


@pytest.mark.parametrize("view", TITLES)
def test_an_explicit_view_is_opened(guest: Visit, view: str) -> None:
    guest.modal.api("open", {"view": view})
    guest.modal.expect_view(TITLES[view])


@pytest.mark.parametrize("view", ["Networks", "WhatIsANetwork"])
def test_an_explicit_view_is_opened_when_connected_too(member: Visit, view: str) -> None:
    member.modal.api("open", {"view": view})
    member.modal.expect_view(TITLES[view])


def test_without_an_account_it_is_connect(guest: Visit) -> None:
    guest.modal.api("open")
    guest.modal.expect_view("Connect Wallet")


def test_with_an_account_it_is_the_account(member: Visit) -> None:
    member.modal.api("open")
    expect(member.modal.part("disconnect-button")).to_be_visible()


def test_a_view_that_needs_an_account_goes_to_connect_first(guest: Visit) -> None:
    guest.modal.api("open", {"view": "Account"})
    guest.modal.expect_view("Connect Wallet")


def test_a_view_that_needs_an_account_follows_once_there_is_one(visitor: Visit) -> None:
    visitor.modal.api("open", {"view": "Account"})
    visitor.modal.choose_wallet()
    visitor.wallet.approve()
    expect(visitor.modal.part("disconnect-button")).to_be_visible()


@pytest.fixture(scope="module")
def refused(shared_visit: Visiting) -> Visit:
    """A visitor to whom nothing was ever shown."""
    return shared_visit()


@pytest.mark.parametrize("view", ["NoSuchView", "constructor", "__proto__", "ConnectSocials", "SmartSessionList"])
def test_a_view_that_is_not_built_is_refused(refused: Visit, view: str) -> None:
    assert "view not available" in refused.modal.attempt("open", {"view": view})["message"]


def test_a_refusal_is_an_error_with_a_code(refused: Visit) -> None:
    outcome = refused.modal.attempt("open", {"view": "NoSuchView"})
    assert outcome["isError"] is True
    assert isinstance(outcome["code"], int)


def test_a_refused_view_opens_nothing(refused: Visit) -> None:
    refused.modal.attempt("open", {"view": "NoSuchView"})
    expect(refused.modal.card).to_be_hidden()


def test_the_host_is_told_that_it_is_open(guest: Visit) -> None:
    guest.modal.api("open")
    guest.modal.wait(lambda: guest.modal.api("isOpen"), what="isOpen()")


def test_opening_is_told_as_an_event(guest: Visit) -> None:
    guest.page.evaluate(
        "() => { window.told = []; modal.subscribeEvents((event) => told.push(JSON.stringify(event))); }"
    )
    guest.modal.api("open")
    guest.modal.wait(lambda: guest.page.evaluate("told.some((text) => text.includes('MODAL_OPEN'))"), what="MODAL_OPEN")


def test_a_second_open_goes_to_the_other_view(visitor: Visit) -> None:
    visitor.modal.api("open")
    visitor.modal.api("open", {"view": "Networks"})
    visitor.modal.expect_view("Choose Network")


def test_creating_twice_gives_the_same_modal(refused: Visit) -> None:
    assert refused.page.evaluate("WalletModal.create({networks: ['eip155:1']}) === modal") is True


# clicks before the frame is ready


def test_a_click_before_the_frame_is_ready_opens_it(visit: Visiting) -> None:
    visitor = visit(load=False)
    held = HeldBack(visitor.context, f"{visitor.modal.url}/assets/**")
    visitor.go()
    visitor.modal.connect_button.click()
    visitor.modal.wait(lambda: held.any, what="the frame's scripts, held back")
    held.release()
    visitor.modal.expect_view("Connect Wallet")


def test_clicks_before_the_frame_is_ready_open_it_once(visit: Visiting) -> None:
    visitor = visit(load=False)
    held = HeldBack(visitor.context, f"{visitor.modal.url}/assets/**")
    visitor.go()
    visitor.page.evaluate(
        "() => { window.told = []; modal.subscribeEvents((event) => told.push(JSON.stringify(event))); }"
    )
    for _ in range(3):
        visitor.modal.connect_button.click(force=True)
    visitor.modal.wait(lambda: held.any, what="the frame's scripts, held back")
    held.release()
    visitor.modal.expect_view("Connect Wallet")
    # Behind whatever the clicks have caused.
    visitor.modal.api("switchNetwork", "eip155:1")
    assert visitor.page.evaluate("told.filter((text) => text.includes('MODAL_OPEN')).length") == 1


def test_a_click_before_the_loader_has_run_opens_it(visit: Visiting) -> None:
    visitor = visit(load=False)
    held = HeldBack(visitor.context, "**/demo/demo.js")
    visitor.page.goto(visitor.address, wait_until="commit")
    visitor.modal.connect_button.click()
    visitor.modal.wait(lambda: held.any, what="the host's own script, held back")
    held.release()
    visitor.modal.expect_view("Connect Wallet")
