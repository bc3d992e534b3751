"""The wallet on another site of the same browser: a window of the secure site, whose storage is one for all sites, hands it over."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.closing_click import closing_click
from tests.patience import PATIENCE_MS
from tests.secure.browser.site_double import SiteDouble
from tests.secure.browser.stage import HOST, OTHER, Stage, serve
from tests.secure.browser.test_login import signs


def window_of(stage: Stage) -> Page:
    """The window that the visitor opens by the frame's card."""
    with stage.page.expect_popup() as opened:
        stage.card.get_by_test_id("window-open").click()
    return opened.value


def remember(stage: Stage) -> None:
    """Has the browser keep the wallet for other sites."""
    stage.begin("remembered", "DEVICE_REMEMBER")
    window = window_of(stage)
    closing_click(window, window.get_by_test_id("popup-approve"))
    assert stage.answer("remembered")["type"] == "@w3m-frame/DEVICE_REMEMBER_SUCCESS"


def newcomer(context: BrowserContext, site: SiteDouble, said: str = "") -> Stage:
    """The same visitor on another site, logged in there, where the wallet cannot be opened yet; `said`: the site, as the modal says."""
    stage = Stage(context, site, OTHER)
    stage.call("CONNECT_EMAIL", {"email": "kim@example.org"})
    stage.call("CONNECT_OTP", {"otp": "123456"})
    assert stage.call("GET_USER")["payload"]["reason"] == "recovery_needed"
    stage.begin("recovered", "RECOVERY", {"way": "window", "site": said})
    return stage


def test_a_window_opens_the_wallet_on_a_second_site(context: BrowserContext, site: SiteDouble) -> None:
    first = Stage(context, site)
    user = first.log_in()
    remember(first)
    second = newcomer(context, site)
    window = window_of(second)
    expect(window.get_by_test_id("frame-origin")).to_have_text(OTHER)
    expect(window.get_by_test_id("frame-summary")).to_contain_text("kim@example.org")
    expect(window.get_by_test_id("frame-summary")).to_contain_text(user["address"])
    closing_click(window, window.get_by_test_id("popup-approve"))
    assert second.answer("recovered")["payload"] == {}
    assert second.call("GET_USER", {"chainId": 1})["payload"]["address"] == user["address"]
    assert signs(second, user["address"])
    # The first site's, the window's, and one of the second site's own.
    assert len(site.wallets["kim@example.org"]["halves"]) == 3
    assert site.wallets["kim@example.org"]["site"] == "http://host.localhost"
    assert second.errors == []


def test_a_window_without_the_wallet_says_so(context: BrowserContext, site: SiteDouble) -> None:
    Stage(context, site).log_in()
    stage = newcomer(context, site)
    window = window_of(stage)
    expect(window.get_by_test_id("popup-error")).to_contain_text("does not keep your wallet for other sites yet")
    closing_click(window, window.get_by_test_id("popup-reject"))
    # Said there in the language of the cards; the modal says this much in its visitor's.
    assert stage.answer("recovered")["payload"]["message"].startswith("The wallet could not be opened.")


def test_a_page_that_opens_the_window_by_itself_is_told_nothing(context: BrowserContext, site: SiteDouble) -> None:
    stage = Stage(context, site)
    stage.log_in()
    remember(stage)
    loaded = context.expect_event("response", lambda response: response.url.endswith("/sdk/handover.js"))
    with loaded, stage.page.expect_popup() as opened:
        stage.page.evaluate(
            """() => { window.heard = []; addEventListener("message", ({origin}) => heard.push(origin));
            window.own = open("http://secure.localhost/popup#handover"); }"""
        )
    window = opened.value
    window.evaluate("() => { window.got = new Promise((done) => addEventListener('message', done)); }")
    question = {"user": {"id": "id-kim@example.org", "email": "kim@example.org", "wallet": {"evm": "0x", "solana": ""}}}
    message = {"type": "walletmodal:window-question", "question": {**question, "site": "", "handover": "x", "key": "x"}}
    stage.page.evaluate("(message) => own.postMessage(message, '*')", message)
    window.evaluate("() => got.then(() => true)")
    expect(window.get_by_test_id("popup-approve")).to_have_count(0)
    assert "http://secure.localhost" not in stage.page.evaluate("() => heard")


@pytest.fixture
def silent_context(chromium: Browser, site: SiteDouble) -> Iterator[BrowserContext]:
    """A browser that tells no frame which site is around it, as Firefox does."""
    with chromium.new_context() as made:
        made.set_default_timeout(PATIENCE_MS)
        serve(made, site, tells_site=False)
        yield made


def test_a_browser_that_tells_no_site_confirms_the_one_that_the_modal_says(
    silent_context: BrowserContext, site: SiteDouble
) -> None:
    Stage(silent_context, site).log_in()
    stage = newcomer(silent_context, site, OTHER)
    expect(window_of(stage).get_by_test_id("frame-origin")).to_have_text(OTHER)
    assert stage.errors == []


def test_a_modal_that_names_another_site_gets_no_wallet(silent_context: BrowserContext, site: SiteDouble) -> None:
    Stage(silent_context, site).log_in()
    stage = newcomer(silent_context, site, HOST)
    assert stage.answer("recovered")["payload"]["reason"] == "site"
    assert "/v1/handover/start" not in site.calls


def test_where_storage_is_denied_a_window_opens_the_wallet_for_the_pages_life(
    denying_chromium: Browser, site: SiteDouble
) -> None:
    with denying_chromium.new_context() as context:
        context.set_default_timeout(PATIENCE_MS)
        serve(context, site)
        first = Stage(context, site)
        user = first.log_in()
        # Denied to the frame within another site, not to a window of its own.
        remember(first)
        first.page.reload()
        first.call("CONNECT_EMAIL", {"email": "kim@example.org"})
        first.call("CONNECT_OTP", {"otp": "123456"})
        assert first.call("GET_USER")["payload"]["reason"] == "recovery_needed"
        first.begin("recovered", "RECOVERY", {"way": "window"})
        window = window_of(first)
        closing_click(window, window.get_by_test_id("popup-approve"))
        assert first.answer("recovered")["payload"] == {}
        assert signs(first, user["address"])
