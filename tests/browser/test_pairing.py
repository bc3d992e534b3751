"""Pairing with a real wallet SDK on the sandbox's phone, through the sandbox's relay."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from walletmodal.core.text.texts import ALERTS, PAIRING_FAILED, RELAY_REFUSED


class Phone:
    """The sandbox's phone page, which asks its owner before it answers."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def scan(self, uri: str) -> None:
        """Takes up a pairing; the question is on its screen then."""
        self.page.get_by_test_id("phone-uri").fill(uri)
        self.page.get_by_test_id("phone-pair").click()
        self.page.get_by_test_id("phone-approve").wait_for()

    def approve(self) -> None:
        """Its owner agrees."""
        self.page.get_by_test_id("phone-approve").click()

    def reject(self) -> None:
        """Its owner does not."""
        self.page.get_by_test_id("phone-reject").click()


@pytest.fixture
def phone(stack: Stack, chromium: Browser) -> Iterator[Phone]:
    """A phone in a browser of its own."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{stack.demo}/phone")
    yield Phone(page)
    context.close()


@pytest.fixture
def scanning(visitor: Visit) -> Visit:
    """A visitor who looks at the code."""
    visitor.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    code(visitor)
    return visitor


def code(visitor: Visit, *, other_than: str = "") -> str:
    """The link in the code on the screen."""
    shown = visitor.modal.part("wui-qr-code")
    expect(shown).to_be_visible()
    if other_than:
        expect(shown).not_to_have_attribute("uri", other_than)
    return shown.get_attribute("uri") or ""


def connected(visitor: Visit) -> str:
    """The account that the host page sees, once there is one."""
    found: str = visitor.page.wait_for_function("window.modal.getCaipAddress()").json_value()
    return found


def test_a_phone_that_approves_connects_and_the_modal_closes(scanning: Visit, phone: Phone) -> None:
    phone.scan(code(scanning))
    phone.approve()
    assert connected(scanning).startswith("eip155:1:0x")
    expect(scanning.modal.card).to_be_hidden()


def test_after_a_reload_the_phone_is_still_connected(scanning: Visit, phone: Phone) -> None:
    phone.scan(code(scanning))
    phone.approve()
    before = connected(scanning)
    scanning.page.reload()
    assert connected(scanning) == before


def test_after_a_reload_a_fresh_code_is_there_without_a_click(scanning: Visit, phone: Phone) -> None:
    first = code(scanning)
    scanning.page.reload()
    phone.scan(code(scanning, other_than=first))
    phone.approve()
    assert connected(scanning)
    expect(scanning.modal.card).to_be_hidden()


def test_a_phone_that_declines_is_asked_again_with_another_code(scanning: Visit, phone: Phone) -> None:
    first = code(scanning)
    phone.scan(first)
    phone.reject()
    expect(scanning.modal.card).to_contain_text("Connection declined")
    scanning.modal.retry.click()
    phone.scan(code(scanning, other_than=first))
    phone.approve()
    assert connected(scanning)


def test_a_frame_that_loads_anew_shows_a_code_without_a_click(scanning: Visit, phone: Phone) -> None:
    first = code(scanning)
    scanning.modal.iframe.evaluate("(frame) => { frame.contentWindow.location.href = frame.src; }")
    phone.scan(code(scanning, other_than=first))
    phone.approve()
    assert connected(scanning)


def test_an_approval_after_closing_connects(scanning: Visit, phone: Phone) -> None:
    phone.scan(code(scanning))
    scanning.modal.part("w3m-header-close").click()
    expect(scanning.modal.card).to_be_hidden()
    phone.approve()
    assert connected(scanning)


def test_the_code_is_still_there_on_the_way_back(scanning: Visit) -> None:
    before = code(scanning)
    scanning.page.evaluate("void window.modal.open({view: 'WhatIsAWallet'})")
    expect(scanning.modal.title).to_have_text("What is a wallet?")
    scanning.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    assert code(scanning) == before


def test_the_code_has_the_picture_of_the_row_that_leads_to_it(visit: Visiting, stack: Stack) -> None:
    visitor = visit(server=stack.listing_modal)
    visitor.modal.open()
    row = visitor.modal.part("wallet-selector-walletconnect")
    expect(row.locator("img")).to_have_attribute("src", re.compile("/images/"))
    picture = row.locator("img").get_attribute("src") or ""
    row.click()
    expect(visitor.modal.frame.locator(".wm-qr-logo")).to_have_attribute("src", picture)


def test_a_relay_that_turns_the_site_away_tells_its_developer(visitor: Visit, healthy_sandbox: Stack) -> None:
    healthy_sandbox.fail("relay", body="Unauthorized: invalid key")
    visitor.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    expect(visitor.modal.card).to_contain_text(RELAY_REFUSED)
    expect(visitor.modal.part("wui-alertbar-text")).to_have_text(ALERTS["INVALID_PROJECT_ID"].short)


def test_a_relay_that_is_down_leaves_a_way_on(visitor: Visit, healthy_sandbox: Stack) -> None:
    healthy_sandbox.fail("relay", status=503)
    visitor.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    expect(visitor.modal.card).to_contain_text(PAIRING_FAILED)
    healthy_sandbox.heal()
    visitor.modal.retry.click()
    assert code(visitor)
