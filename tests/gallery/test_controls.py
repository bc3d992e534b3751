"""What the parts of the kit do in a browser: copying, searching, hints that come late, pictures that do not load."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.modal import NOTE_TOASTS
from tests.gallery.stage import Stage
from walletmodal.core.text.texts import ADDRESS_COPIED, FAILED_TO_COPY
from walletmodal.features.gallery.entries import BY_ID
from walletmodal.features.gallery.sample import ADDRESS

_NO_CLIPBOARD = (
    "() => { Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true });"
    " document.execCommand = () => false; }"
)
_CUT = """(numbers) => numbers.filter((number) => {
  const line = number.parentElement.getBoundingClientRect(), row = number.closest("li").getBoundingClientRect();
  return [...number.getClientRects()].some(({ right, bottom }) => right > line.right + 1 || bottom > row.bottom + 1);
}).map((number) => number.textContent)"""
_LATER = "() => document.getAnimations().forEach(animation => { animation.currentTime = 10_500; })"


@pytest.fixture
def show(stages: dict[str, Stage]) -> Callable[[str], Page]:
    """Brings an entry on stage in the dark look."""

    def shown(entry: str) -> Page:
        stages["dark"].show(BY_ID[entry])
        return stages["dark"].page

    return shown


def test_a_page_has_one_session(stages: dict[str, Stage]) -> None:
    stage, sockets = stages["dark"], list[str]()
    stage.page.on("websocket", lambda socket: sockets.append(socket.url))
    stage.show(BY_ID["account-full"])
    assert len(sockets) == 1


@pytest.mark.parametrize(
    ("entry", "words"), [("send-too-much", "Insufficient Funds"), ("swap-too-much", "Insufficient balance")]
)
def test_an_amount_that_is_too_much_is_described_so(show: Callable[[str], Page], entry: str, words: str) -> None:
    """The button that says it to those who see has no focus meanwhile."""
    amount = show(entry).get_by_role("textbox", name=re.compile("^Amount of"))
    expect(amount).to_have_accessible_description(re.compile(words))


def _copy(page: Page, toast: str) -> None:
    """Clicks on the address, until a toast has said this: it leaves by itself, perhaps between two looks of a busy machine."""
    page.locator("body").evaluate(NOTE_TOASTS)
    page.get_by_test_id("account-copy-address").click()
    page.wait_for_function("(text) => __toastsSaid.includes(text)", arg=toast)


def test_the_copy_button_puts_the_whole_address_on_the_clipboard(show: Callable[[str], Page]) -> None:
    page = show("account-full")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _copy(page, ADDRESS_COPIED)
    assert page.evaluate("() => navigator.clipboard.readText()") == ADDRESS


def test_a_refused_clipboard_is_told(show: Callable[[str], Page]) -> None:
    page = show("account-full")
    page.evaluate(_NO_CLIPBOARD)
    _copy(page, FAILED_TO_COPY)


def test_the_search_leaves_the_networks_with_that_name(show: Callable[[str], Page]) -> None:
    page = show("networks-full")
    page.get_by_role("searchbox").fill("poly")
    expect(page.locator("[data-testid^=w3m-network-switch-]")).to_have_text(["Polygon"])


def test_clearing_the_search_brings_all_networks_back(show: Callable[[str], Page]) -> None:
    page = show("networks-found")
    page.get_by_role("button", name="Clear the search").click()
    expect(page.locator("[data-testid^=w3m-network-switch-]")).to_have_count(8)


def test_numbers_of_forty_digits_are_seen_whole(show: Callable[[str], Page]) -> None:
    numbers = show("account-hostile").locator(".wm-token .wm-number")
    expect(numbers.first).to_have_text("9" * 40)
    assert numbers.evaluate_all(_CUT) == []


def test_a_wait_of_ten_seconds_brings_a_hint(show: Callable[[str], Page]) -> None:
    page = show("connecting-external-asking")
    hint = page.get_by_text("Nothing there?")
    expect(hint).to_be_hidden()
    page.evaluate(_LATER)
    expect(hint).to_be_visible()


def test_a_button_that_waits_keeps_its_name(show: Callable[[str], Page]) -> None:
    waits = show("send-review-checking").get_by_role("button", name="Send", exact=True)
    expect(waits).to_be_disabled()
    expect(waits).to_have_attribute("aria-busy", "true")
    expect(waits.locator(".wm-button-label")).to_have_css("opacity", "0")


def test_a_picture_that_does_not_load_uncovers_the_glyph(show: Callable[[str], Page]) -> None:
    page = show("connect-hostile")
    broken = page.get_by_test_id("wallet-selector-example.broken")
    expect(broken.locator("img")).to_be_hidden()
    expect(broken.locator("svg").first).to_be_visible()


def test_a_script_in_a_wallets_icon_does_not_run(show: Callable[[str], Page]) -> None:
    page = show("connect-hostile")
    assert page.evaluate("() => document.querySelectorAll('svg script').length") == 0


def test_an_embedded_card_has_a_shadow(show: Callable[[str], Page]) -> None:
    expect(show("embedded-connect").get_by_test_id("w3m-modal-card")).to_have_css(
        "box-shadow", re.compile(r"rgba\(17, 17, 18, 0\.25\) 0px 4px 12px 4px")
    )


def test_an_embedded_card_may_be_400_wide(show: Callable[[str], Page]) -> None:
    expect(show("embedded-connect").get_by_test_id("w3m-modal-card")).to_have_css("width", "400px")


def test_the_arrows_go_from_tab_to_tab_and_round_the_end(show: Callable[[str], Page]) -> None:
    page = show("pairing-tabs")
    page.get_by_role("tab", name="Mobile").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Webapp")).to_be_focused()
    expect(page.get_by_role("tab", name="Webapp")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("End")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tab", name="Browser")).to_be_focused()


def test_a_pane_is_named_by_its_tab(show: Callable[[str], Page]) -> None:
    page = show("pairing-desktop")
    expect(page.get_by_role("tabpanel", name="Desktop")).to_contain_text("Continue in Tidewater Wallet")


def test_the_stores_open_beside_the_page(show: Callable[[str], Page]) -> None:
    stores = show("downloads-all").locator("a[target=_blank][rel='noopener noreferrer']")
    expect(stores).to_have_text(
        [f"{name} (opens in a new tab)" for name in ("Chrome Extension", "iOS App", "Android App", "Website")]
    )
