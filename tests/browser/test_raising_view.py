"""What raises in the frame: a card in its place, with a way back and a way out."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visits import Visit, Visiting

RAISES_ONCE = """
if (window.parent !== window && !sessionStorage.getItem("raised")) {
  window.ResizeObserver = class {
    constructor() {
      sessionStorage.setItem("raised", "yes");
      throw new Error("raised on purpose");
    }
  };
}
"""
"""The body of the card asks for it as soon as it is there."""


@pytest.fixture
def met(visit: Visiting) -> Visit:
    """A visitor who has opened the modal, which raised."""
    visitor = visit(before=[RAISES_ONCE])
    visitor.modal.connect_button.click()
    return visitor


def card(visitor: Visit) -> Locator:
    return visitor.modal.frame.get_by_role("alertdialog", name="Something went wrong")


def test_a_card_says_so(met: Visit) -> None:
    expect(card(met)).to_be_visible()
    expect(met.modal.iframe).to_be_visible()
    assert met.problems.said("raised on purpose")


def test_its_button_brings_the_view_back(met: Visit) -> None:
    card(met).get_by_role("button", name="Load again").click()
    met.modal.expect_view("Connect Wallet")
    assert met.problems.said("raised on purpose")


def test_its_other_button_gives_the_page_back(met: Visit) -> None:
    card(met).get_by_role("button", name="Close").click()
    expect(met.modal.iframe).to_be_hidden()
    assert met.problems.said("raised on purpose")
