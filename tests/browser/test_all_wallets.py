"""The grid of all wallets in a browser: pictures as they are seen, pages as they are reached, keys, the way back."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.modal import Modal
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from tests.browser.wallet import RDNS

CELLS = '[data-testid^="wallet-search-item-"]'
FIRST_PAGE = 45
"""Four recommended wallets, forty more, and the browser's own."""
FOCUSED = "(cells) => cells.findIndex((cell) => cell === document.activeElement)"

TYPE = (
    "(field, text) => { field.focus(); for (const letter of text) document.execCommand('insertText', false, letter); }"
)


def opened(visit: Visiting, stack: Stack, **options: object) -> Visit:
    """A visitor who looks at all wallets."""
    visitor = visit(server=stack.listing_modal, options=options)
    visitor.page.evaluate("() => void modal.open({ view: 'AllWallets' })")
    expect(cells(visitor.modal).nth(1)).to_be_visible()
    return visitor


def cells(modal: Modal) -> Locator:
    """The wallets that are there."""
    return modal.frame.locator(CELLS)


def to_the_end(visitor: Visit) -> None:
    """Turns the wheel over the grid."""
    visitor.modal.part("wallet-list").hover()
    visitor.page.mouse.wheel(0, 5000)


def test_only_the_pictures_of_cells_in_view_are_loaded(visit: Visiting, stack: Stack) -> None:
    loaded: set[str] = set()
    visitor = visit(server=stack.listing_modal, load=False)
    visitor.page.on("request", lambda request: loaded.add(request.url) if "/images/wallet/" in request.url else None)
    visitor.go()
    visitor.page.evaluate("() => void modal.open({ view: 'AllWallets' })")
    expect(cells(visitor.modal)).to_have_count(FIRST_PAGE)
    seen = visitor.modal.frame.locator('[data-picture="there"]')
    expect(seen.nth(8)).to_be_visible()
    assert len(loaded) < FIRST_PAGE // 2


def test_reaching_the_end_brings_the_next_page(visit: Visiting, stack: Stack) -> None:
    visitor = opened(visit, stack)
    expect(cells(visitor.modal)).to_have_count(FIRST_PAGE)
    to_the_end(visitor)
    expect(cells(visitor.modal)).to_have_count(FIRST_PAGE + 40)


def test_the_way_back_leads_to_the_pages_that_were_there(visit: Visiting, stack: Stack) -> None:
    visitor = opened(visit, stack)
    to_the_end(visitor)
    expect(cells(visitor.modal)).to_have_count(FIRST_PAGE + 40)
    visitor.modal.part(f"wallet-search-item-{RDNS}").click()
    visitor.modal.part("header-back").click()
    expect(cells(visitor.modal)).to_have_count(FIRST_PAGE + 40)


def test_arrows_lead_through_the_grid_and_tab_leads_out_of_it(visit: Visiting, stack: Stack) -> None:
    visitor = opened(visit, stack)
    expect(cells(visitor.modal)).to_have_count(FIRST_PAGE)
    cells(visitor.modal).first.focus()
    went = []
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "Tab"):
        visitor.page.keyboard.press(key)
        went.append(cells(visitor.modal).evaluate_all(FOCUSED))
    assert went == [1, 4, 3, 0, -1]
    assert visitor.modal.card.evaluate("(card) => card.contains(document.activeElement)")


def test_a_search_is_asked_once_the_visitor_pauses(visit: Visiting, stack: Stack) -> None:
    visitor = opened(visit, stack)
    # In one go: between keys that a loaded machine lets wait for half a second the visitor would have paused.
    visitor.modal.part("wui-input-text").evaluate(TYPE, "rainbow")
    expect(cells(visitor.modal)).to_have_count(1)
    searches = stack.client.get(f"{stack.demo}/sandbox/requests", params={"service": "directory"}).json()
    assert [asked["query"]["search"] for asked in searches if "search" in asked["query"]] == ["rainbow"]


def test_a_directory_that_is_back_is_asked_by_the_button(visit: Visiting, stack: Stack, healthy_sandbox: Stack) -> None:
    # Another question than that of the other tests, whose answers are still known. A list that comes into view asks by itself, once:
    # the page that fails is the next one.
    visitor = opened(visit, stack, excludeWalletIds=["none"])
    expect(cells(visitor.modal)).to_have_count(FIRST_PAGE)
    healthy_sandbox.fail("directory", path="/getWallets", status=500)
    to_the_end(visitor)
    again = visitor.modal.part("all-wallets-retry")
    expect(again).to_be_visible()
    healthy_sandbox.heal()
    again.click()
    expect(cells(visitor.modal)).to_have_count(FIRST_PAGE + 40)
    expect(again).to_be_hidden()
