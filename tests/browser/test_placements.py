"""Other places than over the page: in the page's flow, and on a page of its own."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.host_pages import embedding_page
from tests.browser.regulars import Regular
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting


def show_connect_again(visitor: Visit) -> None:
    """Nobody is connected, and the card in the page's flow says so."""
    if visitor.modal.api("getIsConnectedState"):
        visitor.modal.api("disconnect")
    visitor.modal.expect_disconnected()
    visitor.modal.expect_view("Connect Wallet")


@pytest.fixture(scope="module")
def regular_embedded(shared_visit: Visiting, stack: Stack) -> Regular[Visit]:
    """A visitor of a page with the card in its flow, for one test after the other."""
    page = embedding_page(
        stack.modal.url, {"enableEmbedded": True}, "<p>before</p><wallet-modal-embed></wallet-modal-embed><p>after</p>"
    )
    stack.hosts.put("/embedded", page)
    return Regular(lambda: shared_visit(f"{stack.hosts.allowed}/embedded"), show_connect_again)


@pytest.fixture
def embedded(regular_embedded: Regular[Visit]) -> Iterator[Visit]:
    """The same for one test."""
    with regular_embedded.returning() as visitor:
        yield visitor


def test_embedded_the_card_is_there_without_a_click(embedded: Visit) -> None:
    embedded.modal.expect_view("Connect Wallet")


def test_embedded_the_frame_stands_in_the_pages_flow(embedded: Visit) -> None:
    embedded.modal.expect_view("Connect Wallet")
    inside = embedded.modal.iframe.evaluate(
        "(iframe) => iframe.closest('wallet-modal-embed') !== null && getComputedStyle(iframe).position !== 'fixed'"
    )
    assert inside is True


def test_embedded_the_frame_is_as_high_as_what_it_shows(embedded: Visit) -> None:
    embedded.modal.expect_view("Connect Wallet")
    fits = "(card) => card.getBoundingClientRect().top > 0 && document.documentElement.scrollHeight === innerHeight"
    embedded.modal.wait(lambda: embedded.modal.card.evaluate(fits), what="the whole card, its edge with it")


def test_embedded_the_page_keeps_scrolling(embedded: Visit) -> None:
    embedded.modal.expect_view("Connect Wallet")
    assert embedded.page.evaluate("getComputedStyle(document.documentElement).overflow") != "hidden"


def test_embedded_escape_does_not_close(embedded: Visit) -> None:
    embedded.modal.expect_view("Connect Wallet")
    embedded.modal.title.click()
    embedded.page.keyboard.press("Escape")
    expect(embedded.modal.card).to_be_visible()


def test_embedded_a_wallet_connects(embedded: Visit) -> None:
    embedded.modal.choose_wallet()
    embedded.wallet.approve()
    embedded.modal.expect_connected(embedded.account.address)


def test_embedded_the_account_follows_in_place(embedded: Visit) -> None:
    embedded.modal.choose_wallet()
    embedded.wallet.approve()
    expect(embedded.modal.part("disconnect-button")).to_be_visible()


def test_embedded_after_disconnecting_connect_is_back(embedded: Visit) -> None:
    embedded.modal.choose_wallet()
    embedded.wallet.approve()
    embedded.modal.part("disconnect-button").click()
    embedded.modal.expect_view("Connect Wallet")


def test_embedded_there_is_no_way_back_from_connect(embedded: Visit) -> None:
    embedded.modal.expect_view("Connect Wallet")
    expect(embedded.modal.part("header-back")).to_have_count(0)


# the modal's own page

STANDALONE_PARTS = {"card": "w3m-modal-card", "row": "wallet-selector-test.wallet.parts", "leave": "disconnect-button"}


def show_row_again(visitor: Visit) -> None:
    """Nobody is connected on the modal's page, and the wallet's row says so."""
    visitor.wallet.revoke()
    expect(visitor.page.get_by_test_id(STANDALONE_PARTS["row"])).to_be_visible()
    expect(visitor.page.get_by_test_id(STANDALONE_PARTS["leave"])).to_have_count(0)


@pytest.fixture(scope="module")
def regular_standalone(shared_visit: Visiting, stack: Stack) -> Regular[Visit]:
    """A visitor of the modal's page itself, with a wallet in the browser, for one test after the other."""
    return Regular(lambda: shared_visit(f"{stack.modal.url}/"), show_row_again)


@pytest.fixture
def standalone(regular_standalone: Regular[Visit]) -> Iterator[Visit]:
    """The same for one test."""
    with regular_standalone.returning() as visitor:
        yield visitor


def test_on_its_own_the_page_shows_the_modal(standalone: Visit) -> None:
    expect(standalone.page.get_by_test_id(STANDALONE_PARTS["card"])).to_be_visible()


def test_on_its_own_a_wallet_connects(standalone: Visit) -> None:
    standalone.page.get_by_test_id(STANDALONE_PARTS["row"]).click()
    standalone.wallet.approve()
    expect(
        standalone.page.get_by_text(re.compile(re.escape(standalone.account.truncated), re.IGNORECASE)).first
    ).to_be_visible()


def test_on_its_own_it_is_still_connected_after_a_reload(standalone: Visit) -> None:
    standalone.page.get_by_test_id(STANDALONE_PARTS["row"]).click()
    standalone.wallet.approve()
    text = re.compile(re.escape(standalone.account.truncated), re.IGNORECASE)
    expect(standalone.page.get_by_text(text).first).to_be_visible()
    standalone.page.reload()
    expect(standalone.page.get_by_text(text).first).to_be_visible()


def test_on_its_own_one_can_disconnect(standalone: Visit) -> None:
    standalone.page.get_by_test_id(STANDALONE_PARTS["row"]).click()
    standalone.wallet.approve()
    standalone.page.get_by_test_id(STANDALONE_PARTS["leave"]).click()
    expect(standalone.page.get_by_test_id(STANDALONE_PARTS["row"])).to_be_visible()


def test_on_its_own_it_leaves_no_error_on_the_console(standalone: Visit) -> None:
    standalone.page.get_by_test_id(STANDALONE_PARTS["row"]).click()
    standalone.wallet.approve()
    expect(standalone.page.get_by_test_id(STANDALONE_PARTS["leave"])).to_be_visible()
    assert standalone.problems.errors == []
