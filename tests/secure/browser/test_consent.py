"""Consent in the embedded wallet's page: a trusted click on a card that is seen whole, with nothing over it."""

import pytest
from playwright.sync_api import Locator, expect

from tests.closing_click import closing_click
from tests.deliberate_click import deliberate_click
from tests.secure.browser.stage import MODAL, SECURE, Stage


def _ask(stage: Stage, text: str = "hello") -> tuple[Locator, str]:
    """Ask for the signature of a text; the button that approves, and the account."""
    user = stage.log_in()
    stage.request("personal_sign", ["0x" + text.encode().hex(), user["address"]])
    return stage.card.get_by_test_id("frame-approve"), user["address"]


def test_the_card_says_who_asks_and_what_is_signed(stage: Stage) -> None:
    _ask(stage, "Good morning")
    expect(stage.card.get_by_test_id("frame-origin")).to_have_text("http://host.localhost")
    expect(stage.card.get_by_test_id("frame-summary")).to_contain_text("Good morning")


def test_a_modal_that_lies_about_a_transfer_is_shown_beside_what_is_signed(stage: Stage) -> None:
    user = stage.log_in()
    liar, thief = "0x" + "11" * 20, "0x" + "22" * 20
    stage.site.node = {
        "eth_getTransactionCount": "0x7",
        "eth_estimateGas": "0x5208",
        "eth_gasPrice": "0x3b9aca00",
        "eth_feeHistory": {"baseFeePerGas": ["0x1", "0x3b9aca00"], "reward": [["0x5f5e100"]]},
        "eth_sendRawTransaction": "0x" + "ab" * 32,
    }
    transfer = {"from": user["address"], "to": thief, "value": hex(3 * 10**18)}
    lie = {"title": "Send 0.01 ETH", "lines": [f"To {liar}"]}
    stage.request("eth_sendTransaction", [transfer], hint=lie, site={"origin": "https://bank.example", "name": "Bank"})
    expect(stage.card.get_by_role("heading", level=1)).to_have_text("Send 3 ETH")
    # The host page is the one that the browser names.
    expect(stage.card.get_by_test_id("frame-origin")).to_have_text("http://host.localhost")
    said = stage.card.get_by_role("heading", name="The site's own words").locator("xpath=..")
    expect(said).to_contain_text(liar)
    read = stage.card.locator("section").filter(has_not=stage.card.get_by_role("heading", name="The site's own words"))
    assert thief in " ".join(read.all_inner_texts()).lower()
    assert liar not in " ".join(read.all_inner_texts()).lower()
    approve = stage.card.get_by_test_id("frame-approve")
    stage.card.get_by_role("region", name="Details of the request").evaluate(
        "(body) => body.scrollTo(0, body.scrollHeight)"
    )
    deliberate_click(approve)
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"
    ((_, (raw,)),) = [one for one in stage.site.rpc if one[0] == "eth_sendRawTransaction"]
    assert thief[2:] in raw
    assert liar[2:] not in raw


def test_the_button_is_dead_for_half_a_second(stage: Stage) -> None:
    stage.ready()
    stage.secure.evaluate("""() => { const note = {};
        window.noted = new Promise((resolve) => new MutationObserver(() => {
            const button = document.querySelector("[data-testid=frame-approve]");
            if (button) note.shown ??= performance.now();
            if (button && !button.disabled) resolve(performance.now() - note.shown);
        }).observe(document.body, {childList: true, subtree: true, attributes: true})); }""")
    approve, _ = _ask(stage)
    expect(approve).to_be_enabled()
    assert stage.secure.evaluate("noted") >= 500


def test_a_click_of_a_script_is_no_consent(stage: Stage) -> None:
    approve, _ = _ask(stage)
    expect(approve).to_be_enabled()
    approve.evaluate("""(button) => { button.click(); button.dispatchEvent(new MouseEvent("click", {bubbles: true}));
        button.dispatchEvent(new PointerEvent("click", {bubbles: true})); }""")
    assert stage.pending("asked")
    deliberate_click(approve)
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"


@pytest.mark.parametrize("way", ["the button", "Escape"])
def test_a_visitor_rejects(stage: Stage, way: str) -> None:
    approve, _ = _ask(stage)
    reject = stage.card.get_by_test_id("frame-reject")
    # The card stands still by then.
    expect(approve).to_be_enabled()
    if way == "Escape":
        reject.press("Escape")
    else:
        reject.click()
    answer = stage.answer("asked")
    assert answer["type"] == "@w3m-frame/RPC_REQUEST_ERROR"
    assert (answer["payload"]["message"], answer["payload"]["code"]) == ("User rejected the request", 4001)
    assert "/v1/wallet/half" not in stage.site.calls
    expect(reject).to_have_count(0)


def test_closing_the_modal_rejects_what_waits(stage: Stage) -> None:
    approve, account = _ask(stage)
    expect(approve).to_be_enabled()
    stage.begin(
        "second", "RPC_REQUEST", {"method": "personal_sign", "params": ["0x00", account], "chainId": "eip155:1"}
    )
    assert stage.call("RPC_ABORT")["type"] == "@w3m-frame/RPC_ABORT_SUCCESS"
    for name in ("asked", "second"):
        assert stage.answer(name)["payload"]["message"] == "Request was aborted"
    expect(approve).to_have_count(0)
    assert stage.modal.evaluate("heard.at(-1).type !== '@w3m-frame/SHOW'")


def test_requests_are_shown_one_after_the_other(stage: Stage) -> None:
    approve, account = _ask(stage, "the first")
    stage.begin(
        "second",
        "RPC_REQUEST",
        {"method": "personal_sign", "params": ["0x" + b"the second".hex(), account], "chainId": "eip155:1"},
    )
    summary = stage.card.get_by_test_id("frame-summary")
    expect(summary).to_contain_text("the first")
    deliberate_click(approve)
    expect(summary).to_contain_text("the second")
    deliberate_click(approve)
    assert stage.answer("asked")["payload"] != stage.answer("second")["payload"]


def test_a_long_request_is_read_to_its_end_first(stage: Stage) -> None:
    approve, _ = _ask(stage, "\n".join(f"line {number}" for number in range(200)))
    expect(stage.card.get_by_role("status")).to_have_text("Scroll to the end to approve.")
    expect(approve).to_be_disabled()
    stage.card.get_by_role("region", name="Details of the request").evaluate(
        "(body) => body.scrollTo(0, body.scrollHeight)"
    )
    deliberate_click(approve)
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"


def _resize(stage: Stage, height: int) -> None:
    """Make the frame that high; the page has noticed."""
    stage.modal.evaluate(f"() => {{ frame.style.height = '{height}px' }}")
    stage.secure.wait_for_function(f"() => innerHeight === {height}")
    stage.secure.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_a_request_that_fitted_a_large_frame_is_read_anew_in_a_small_one(stage: Stage) -> None:
    approve, _ = _ask(stage, "\n".join(f"line {number}" for number in range(200)))
    expect(approve).to_have_count(1)
    stage.modal.evaluate("() => { frame.style.height = '9000px' }")
    stage.secure.wait_for_function(
        "() => { const {clientHeight, scrollHeight} = document.querySelector('.body'); return clientHeight >= scrollHeight }"
    )
    stage.secure.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    stage.modal.evaluate("() => { frame.style.height = '240px' }")
    expect(stage.card.get_by_role("status")).to_have_text("Scroll to the end to approve.")
    expect(approve).to_be_disabled()


def test_a_request_in_a_frame_that_shows_nothing_of_it_cannot_be_approved(stage: Stage) -> None:
    approve, _ = _ask(stage)
    expect(approve).to_be_enabled()
    chrome = stage.secure.evaluate(
        "() => document.querySelector('.card').clientHeight - document.querySelector('.body').clientHeight"
    )
    stage.modal.evaluate(f"() => {{ frame.style.height = '{chrome + 8}px' }}")
    stage.card.get_by_role("region", name="Details of the request").evaluate(
        "(body) => body.scrollTo(0, body.scrollHeight)"
    )
    expect(stage.card.get_by_role("status")).to_have_text("Scroll to the end to approve.")
    expect(approve).to_be_disabled()


def test_where_the_browser_cannot_tell_what_is_seen_a_window_asks(stage: Stage) -> None:
    stage.ready()
    stage.secure.evaluate("() => { delete IntersectionObserverEntry.prototype.isVisible }")
    approve, account = _ask(stage, "in a window")
    expect(approve).to_have_text("Approve in a window")
    with stage.context.expect_page() as opening:
        approve.click()
    window = opening.value
    expect(window.get_by_test_id("frame-origin")).to_have_text("http://host.localhost")
    expect(window.get_by_test_id("frame-summary")).to_contain_text("in a window")
    expect(window.get_by_test_id("frame-summary")).to_contain_text(account)
    closing_click(window, window.get_by_test_id("frame-approve"))
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"


def test_a_window_in_which_the_visitor_rejects_rejects(stage: Stage) -> None:
    stage.ready()
    stage.secure.evaluate("() => { delete IntersectionObserverEntry.prototype.isVisible }")
    approve, _ = _ask(stage)
    with stage.context.expect_page() as opening:
        approve.click()
    expect(opening.value.get_by_test_id("frame-approve")).to_be_enabled()
    closing_click(opening.value, opening.value.get_by_test_id("frame-reject"))
    assert stage.answer("asked")["payload"]["code"] == 4001


def test_a_window_that_is_closed_can_be_opened_again(stage: Stage) -> None:
    stage.ready()
    stage.secure.evaluate("() => { delete IntersectionObserverEntry.prototype.isVisible }")
    approve, _ = _ask(stage)
    with stage.context.expect_page() as opening:
        approve.click()
    opening.value.close()
    closed = "The window was closed without an answer."
    expect(stage.card.get_by_role("status")).to_have_text(closed)
    _resize(stage, 500)
    assert stage.card.get_by_role("status").inner_text() == closed
    with stage.context.expect_page() as again:
        approve.click()
    again.value.get_by_test_id("frame-approve").click()
    assert stage.answer("asked")["type"] == "@w3m-frame/RPC_REQUEST_SUCCESS"


def test_messages_of_other_windows_are_no_answer(stage: Stage) -> None:
    stage.ready()
    stage.secure.evaluate("() => { delete IntersectionObserverEntry.prototype.isVisible }")
    approve, _ = _ask(stage)
    with stage.context.expect_page() as opening:
        approve.click()
    expect(opening.value.get_by_test_id("frame-approve")).to_be_enabled()
    forged = "{type: 'walletmodal:window-answer', answer: true}"
    stage.modal.evaluate(f"() => frame.contentWindow.postMessage({forged}, '*')")
    stage.page.evaluate(f"() => frames[0].frames[0].postMessage({forged}, '*')")
    stage.secure.evaluate(f"() => postMessage({forged}, '*')")
    # A message of the page to itself comes after those that were there before it.
    stage.secure.evaluate(
        "() => new Promise((done) => { addEventListener('message', done); postMessage('last', '*') })"
    )
    assert stage.pending("asked")


def test_the_frame_takes_one_port_from_the_modal_alone(stage: Stage) -> None:
    stage.ready()
    asking = "{id: 'x', type: '@w3m-app/IS_CONNECTED'}"
    silent = f"""(nonce) => new Promise((resolve) => {{
        const {{port1, port2}} = new MessageChannel();
        port1.onmessage = (event) => resolve(event.data);
        window.target.postMessage({{type: "walletmodal:secure-port", nonce}}, "*", [port2]);
        port1.postMessage({asking});
        call("IS_CONNECTED").then(() => resolve("nothing"));
    }})"""
    # A second port of the modal itself, with the right nonce.
    assert (
        stage.modal.evaluate(
            f"(nonce) => {{ window.target = frame.contentWindow; return ({silent})(nonce) }}",
            stage.modal.evaluate("nonce"),
        )
        == "nothing"
    )


def test_a_host_that_speaks_to_the_frame_gets_no_port(stage: Stage) -> None:
    nonce = stage.modal.evaluate("ready.then(() => nonce)")
    stage.reload_wallet(silent=True)
    stage.page.evaluate(
        """(nonce) => { window.got = []; const channel = new MessageChannel();
        channel.port1.onmessage = (event) => got.push(event.data);
        frames[0].frames[0].postMessage({type: "walletmodal:secure-port", nonce}, "*", [channel.port2]);
        channel.port1.postMessage({id: "x", type: "@w3m-app/IS_CONNECTED"}); }""",
        nonce,
    )
    # The modal is served after it, and the host still has no answer.
    stage.reload_wallet(silent=False)
    assert stage.call("IS_CONNECTED")["payload"] == {"isConnected": False}
    assert stage.page.evaluate("got") == []


def test_the_page_refuses_markup_from_text(stage: Stage) -> None:
    stage.ready()
    refused = stage.secure.evaluate(
        "() => { try { document.body.innerHTML = '<b>x</b>'; return '' } catch (error) { return error.name } }"
    )
    assert refused == "TypeError"


def test_on_its_own_the_page_does_nothing(stage: Stage) -> None:
    stage.page.goto(f"{SECURE}/sdk")
    expect(stage.page.locator("body")).to_contain_text("This page works within a wallet modal.")
    stage.page.goto(f"{MODAL}/")
    expect(stage.page.frame_locator("#w3m-iframe").locator("body")).to_be_empty()
