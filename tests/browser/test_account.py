"""The account as a visitor sees it: what it owns, by its name, and as long as somebody looks."""

import pytest
from playwright.sync_api import expect

from tests.browser.modal import START_MS
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting


@pytest.fixture
def owner(visit: Visiting, stack: Stack) -> Visit:
    """A visitor of a deployment with a blockchain service, whose wallet has coins and a token."""
    visitor = visit(server=stack.account_modal)
    stack.chain(1).fund(visitor.account.address, "2")
    visitor.modal.connect(visitor.wallet)
    visitor.modal.open_account()
    return visitor


def test_tokens_are_listed_with_what_they_are_worth(owner: Visit) -> None:
    row = owner.modal.part("token-item-ETH")
    expect(row).to_contain_text("2.0000 ETH", timeout=START_MS)
    expect(owner.modal.part("account-total")).to_contain_text("$")
