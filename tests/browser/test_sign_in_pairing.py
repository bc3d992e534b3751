"""Signing in by pairing: one approval on the phone connects and signs in; and a phone that only connects."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting, demo_address
from walletmodal.host import Modal as Verifier

WANTED: dict[str, Any] = {
    "siwx": {"required": True, "statement": "Welcome to the demo."},
    "networks": ["eip155:1", "eip155:137"],
}


@pytest.fixture
def phone(stack: Stack, chromium: Browser) -> Iterator[Page]:
    """A phone in a browser of its own."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{stack.demo}/phone")
    yield page
    context.close()


@pytest.fixture
def scanned(visit: Visiting, stack: Stack, phone: Page) -> Visit:
    """A visitor whose code the phone follows."""
    visitor = visit(demo_address(stack.other_site_demo, json.dumps(WANTED), wallet="none"))
    visitor.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    shown = visitor.modal.part("wui-qr-code")
    expect(shown).to_be_visible()
    phone.get_by_test_id("phone-uri").fill(shown.get_attribute("uri") or "")
    return visitor


def test_one_approval_on_the_phone_connects_and_signs_in(scanned: Visit, stack: Stack, phone: Page) -> None:
    phone.get_by_test_id("phone-pair").click()
    expect(phone.get_by_test_id("phone-detail")).to_contain_text("Welcome to the demo.")
    phone.get_by_test_id("phone-sign-in-network-1").check()
    phone.get_by_test_id("phone-approve").click()
    scanned.modal.expect_connected()
    scanned.modal.expect_closed()
    signed_in = Verifier(stack.modal.url, stack.other_site_demo).verify(scanned.modal.api("getSession")["token"])
    assert signed_in.account == scanned.page.evaluate("window.modal.getCaipAddress()")
    scanned.page.reload()
    scanned.modal.expect_connected()
    assert scanned.modal.api("getSession")["address"] == signed_in.account
    scanned.modal.expect_closed()


def test_a_phone_that_only_connects_is_asked_to_sign_afterwards(scanned: Visit, phone: Page) -> None:
    phone.get_by_test_id("phone-signs-in").uncheck()
    phone.get_by_test_id("phone-pair").click()
    phone.get_by_test_id("phone-approve").click()
    scanned.modal.expect_view("Sign In")
    scanned.modal.part("w3m-connecting-siwe-sign").click()
    expect(phone.get_by_test_id("phone-detail")).to_contain_text("Welcome to the demo.")
    phone.get_by_test_id("phone-approve").click()
    scanned.modal.expect_closed()
    assert scanned.modal.api("getSession")["chainId"] == "eip155:1"
