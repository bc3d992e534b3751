"""The alert bar: what a host's developer must see, and no visitor of a page that is live."""

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.visits import Visit, Visiting

NOWHERE = "eip155:56"
"""A network that the deployment does not offer."""


def alert(visit: Visiting) -> Visit:
    """A visitor whose host page has asked for a network that is not offered, with the modal open."""
    visitor = visit()
    visitor.modal.open()
    visitor.modal.attempt("switchNetwork", NOWHERE)
    return visitor


@pytest.fixture(scope="module")
def alerted(shared_visit: Visiting) -> Visit:
    """Such a visitor, for the tests that only look."""
    return alert(shared_visit)


@pytest.fixture(scope="module")
def dismissed(shared_visit: Visiting) -> Visit:
    """Such a visitor, who has clicked the alert's button."""
    visitor = alert(shared_visit)
    visitor.modal.frame.get_by_role("button", name="Close the alert").click()
    return visitor


def text(visitor: Visit) -> Locator:
    return visitor.modal.part("wui-alertbar-text")


def test_it_says_briefly_what_is_wrong(alerted: Visit) -> None:
    expect(text(alerted)).to_have_text("Network Not Found")


def test_it_is_announced(alerted: Visit) -> None:
    expect(alerted.modal.frame.get_by_role("alert")).to_contain_text("Network Not Found")


def test_the_console_says_what_to_set(alerted: Visit) -> None:
    alerted.modal.wait(lambda: alerted.problems.said("NETWORKS"), what="the setting's name on the console")


def test_it_stays_while_the_visitor_goes_on(visit: Visiting) -> None:
    visitor = alert(visit)
    visitor.modal.choose_wallet()
    visitor.wallet.await_question()
    expect(text(visitor)).to_be_visible()


def test_its_button_closes_it(dismissed: Visit) -> None:
    expect(text(dismissed)).to_have_count(0)


def test_closing_it_leaves_the_modal_open(dismissed: Visit) -> None:
    expect(text(dismissed)).to_have_count(0)
    expect(dismissed.modal.card).to_be_visible()


def test_without_debug_the_console_alone_tells(visit: Visiting) -> None:
    visitor = visit(options={"debug": False})
    visitor.modal.open()
    visitor.modal.attempt("switchNetwork", NOWHERE)
    visitor.modal.wait(lambda: visitor.problems.said("NETWORKS"), what="the setting's name on the console")
    expect(text(visitor)).to_have_count(0)
