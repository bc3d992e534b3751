"""A name for the account, as a visitor gets it: signed for in the wallet, registered at the sandbox's service, and used at once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.modal import Modal
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting


def label_of(address: str) -> str:
    """A name that nobody else in the run has."""
    return f"n-{address[2:14].lower()}"


def type_name(modal: Modal, label: str) -> None:
    """Types a name, and sees that it can be had."""
    modal.part("wui-ens-input").locator("input").fill(label)
    expect(modal.part("account-name-suggestion")).to_contain_text(f"{label}.reown.id")
    expect(modal.part("account-name-suggestion")).to_contain_text("Available", ignore_case=True)


def test_a_name_is_registered_with_the_keyboard_and_stands_on_the_account_and_in_send(
    visit: Visiting, stack: Stack
) -> None:
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "2")
    modal, label = visitor.modal, label_of(visitor.account.address)
    modal.connect(visitor.wallet)
    modal.open_account()
    modal.part("w3m-profile-button").click()
    modal.part("account-settings-button").click()
    modal.part("account-choose-name-button").click()
    modal.part("choose-name-button").click()
    modal.expect_view("Choose name")
    type_name(modal, label)
    modal.part("wui-ens-input").locator("input").press("Enter")
    visitor.wallet.approve("personal_sign")
    expect(modal.part("registered-name")).to_have_text(f"{label}.reown.id")
    expect(modal.account_button).to_contain_text(label)
    modal.part("register-name-finish").click()
    expect(modal.part("wui-profile-button")).to_have_text(f"{label}.reown.id")
    modal.part("wallet-features-send-button").click()
    modal.part("send-address-input").fill(f"{label}.reown.id")
    expect(modal.part("send-receiver-name")).to_contain_text(f"{label}.reown.id")


def test_who_declines_registers_with_the_button_afterwards(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.account_modal)
    modal, label = visitor.modal, label_of(visitor.account.address)
    modal.connect(visitor.wallet)
    visitor.page.evaluate("void window.modal.open({view: 'RegisterAccountName'})")
    type_name(modal, label)
    modal.part("register-name-submit").click()
    visitor.wallet.reject("personal_sign")
    expect(modal.part("register-name-note")).to_contain_text("declined")
    modal.part("register-name-submit").click()
    visitor.wallet.approve("personal_sign")
    expect(modal.part("registered-name")).to_have_text(f"{label}.reown.id")


@pytest.fixture
def phone(stack: Stack, chromium: Browser) -> Iterator[Page]:
    """A phone in a browser of its own."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{stack.demo}/phone")
    yield page
    context.close()


@pytest.fixture
def paired(visit: Visiting, stack: Stack, phone: Page) -> Visit:
    """A visitor whose phone is connected."""
    visitor = visit(server=stack.account_modal, query={"wallet": "none"})
    visitor.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    shown = visitor.modal.part("wui-qr-code")
    expect(shown).to_be_visible()
    phone.get_by_test_id("phone-uri").fill(shown.get_attribute("uri") or "")
    phone.get_by_test_id("phone-pair").click()
    phone.get_by_test_id("phone-approve").click()
    visitor.modal.expect_connected()
    visitor.modal.expect_closed()
    return visitor


def test_a_name_is_signed_for_on_the_phone(paired: Visit, phone: Page) -> None:
    modal = paired.modal
    label = label_of(modal.api("getAddress"))
    paired.page.evaluate("void window.modal.open({view: 'RegisterAccountName'})")
    type_name(modal, label)
    modal.part("register-name-submit").click()
    expect(phone.get_by_test_id("phone-detail")).to_contain_text(f"{label}.reown.id")
    phone.get_by_test_id("phone-approve").click()
    expect(modal.part("registered-name")).to_have_text(f"{label}.reown.id")
