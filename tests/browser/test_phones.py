"""On a phone: which app a tap opens, when and in which window; and the way back from it."""

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.browser.phones import COINBASE, DEEP_LINK, METAMASK, PHANTOM, PHONE, RECENT, WalletApp, on_phone
from tests.browser.stack import SOLANA, Stack
from tests.browser.visits import Visiting
from walletmodal.core.text.texts import PAIRING_INTERRUPTED


@pytest.fixture
def app(stack: Stack, chromium: Browser) -> Iterator[WalletApp]:
    """The wallet's app, in a browser of its own."""
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"{stack.demo}/phone")
    yield WalletApp(page)
    context.close()


def test_an_app_with_a_web_address_opens_beside_the_page_and_connects(visit: Visiting, stack: Stack) -> None:
    visitor = on_phone(visit, stack, "android")
    with visitor.visit.context.expect_page() as beside:
        visitor.choose(PHONE)
    wallet = WalletApp(beside.value)
    wallet.approve()
    beside.value.close()
    visitor.expect_connected()
    assert visitor.opened().active
    assert visitor.kept(DEEP_LINK) == {"href": f"{stack.demo}/phone/", "name": "Sandbox Phone"}
    assert visitor.kept(RECENT) == [{"id": PHONE, "name": "Sandbox Phone", "rdns": ""}]


def test_an_app_with_a_scheme_opens_in_the_page_on_the_tap(visit: Visiting, stack: Stack) -> None:
    visitor = on_phone(visit, stack, "android")
    visitor.choose(METAMASK)
    opened = visitor.opened()
    assert (opened.href.partition("?")[0], opened.target, opened.active) == ("metamask://wc", "_self", True)
    assert opened.uri.startswith("wc:")


def test_telegram_on_android_opens_apps_in_a_window_of_their_own_with_the_code_encoded_twice(
    visit: Visiting, stack: Stack
) -> None:
    visitor = on_phone(visit, stack, "android", telegram=True)
    visitor.choose(METAMASK)
    opened = visitor.opened()
    assert (opened.target, opened.active) == ("_blank", True)
    assert opened.href.startswith("metamask://wc?uri=wc%253A")


def test_in_telegram_on_ios_rows_wait_for_the_code_and_the_tap_opens_the_app(
    visit: Visiting, stack: Stack, healthy_sandbox: Stack
) -> None:
    healthy_sandbox.fail("relay", delay_ms=1500)
    visitor = on_phone(visit, stack, "ios", telegram=True)
    visitor.open()
    list_ = visitor.visit.modal.frame.locator(".wm-pairing-ahead").last
    expect(list_).to_have_attribute("data-waits", "true")
    visitor.row(METAMASK).tap()
    expect(list_).to_have_attribute("data-waits", "false")
    visitor.visit.modal.expect_view("Connect Wallet")
    healthy_sandbox.heal()
    visitor.row(METAMASK).tap()
    opened = visitor.opened()
    assert (opened.target, opened.active) == ("_blank", True)


@pytest.mark.parametrize(
    ("wallet", "start"),
    [
        (PHANTOM, "https://phantom.app/ul/browse/{page}?ref={origin}"),
        (COINBASE, "https://go.cb-w.com/dapp?cb_url={page}"),
    ],
)
def test_on_solana_the_page_opens_in_the_wallets_own_browser(
    visit: Visiting, stack: Stack, wallet: str, start: str
) -> None:
    visitor = on_phone(visit, stack, "ios", options={"networks": [SOLANA]})
    visitor.choose(wallet)
    opened = visitor.opened()
    page, origin = quote(visitor.page.url, safe=""), quote(stack.hosts.allowed, safe="")
    assert (opened.href, opened.target) == (start.format(page=page, origin=origin), "_self")


def test_a_wallet_without_app_and_stores_has_a_code_and_a_link_to_copy(visit: Visiting, stack: Stack) -> None:
    visitor = on_phone(visit, stack, "android", options={"customWallets": [{"id": "bare", "name": "Bare Wallet"}]})
    visitor.open()
    visitor.visit.modal.part("wallet-selector-bare").tap()
    expect(visitor.visit.modal.part("wui-qr-code")).to_be_visible()
    expect(visitor.visit.modal.part("copy-wc2-uri")).to_be_enabled()
    expect(visitor.visit.modal.part("get-wallet-button")).to_have_count(0)
    assert visitor.taps() == []


def test_a_reload_offers_the_app_again_and_a_late_approval_still_counts(
    visit: Visiting, stack: Stack, app: WalletApp
) -> None:
    visitor = on_phone(visit, stack, "ios")
    visitor.choose(METAMASK)
    app.scan(visitor.opened().uri)
    visitor.page.reload()
    visitor.visit.modal.expect_view("MetaMask")
    expect(visitor.visit.modal.card).to_contain_text(PAIRING_INTERRUPTED)
    assert visitor.taps() == []
    app.approve()
    visitor.expect_connected()
    assert [wallet["id"] for wallet in visitor.kept(RECENT)] == [METAMASK]


def test_trying_again_after_a_reload_opens_the_app_with_a_fresh_code(
    visit: Visiting, stack: Stack, app: WalletApp
) -> None:
    visitor = on_phone(visit, stack, "ios")
    visitor.choose(METAMASK)
    first = visitor.opened().uri
    visitor.page.reload()
    visitor.visit.modal.expect_view("MetaMask")
    visitor.visit.modal.retry.tap()
    again = visitor.opened()
    assert again.active
    assert again.uri != first
    app.scan(again.uri)
    app.approve()
    visitor.expect_connected()


def test_the_grid_of_all_wallets_has_two_columns_on_a_narrow_phone(visit: Visiting, stack: Stack) -> None:
    visitor = on_phone(visit, stack, "ios", viewport=(320, 568))
    visitor.open()
    visitor.visit.modal.part("all-wallets").tap()
    cells = visitor.visit.modal.frame.locator("[data-testid^=wallet-search-item-]")
    expect(cells.nth(4)).to_be_visible()
    lefts = cells.evaluate_all("(cells) => [...new Set(cells.map((cell) => cell.getBoundingClientRect().left))].length")
    overflow = visitor.visit.modal.card.evaluate("(card) => card.scrollWidth - card.clientWidth")
    assert (lefts, overflow) == (2, 0)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_pane_of_the_code_has_no_barriers(visit: Visiting, stack: Stack, look: str) -> None:
    visitor = on_phone(visit, stack, "ios", options={"themeMode": look}).visit
    visitor.page.evaluate("void window.modal.open({view: 'ConnectingWalletConnect'})")
    expect(visitor.modal.part("wui-qr-code")).to_be_visible()
    visitor.modal.expect_rest()
    found = Axe().run(visitor.page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [rule for rule in found if rule["impact"] in ("serious", "critical")] == []
