"""Signing in, the wallet that comes of it, and the way back to it: reloads, other tabs, other sites, other devices."""

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from eth_utils.crypto import keccak
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from tests.deliberate_click import deliberate_click
from tests.patience import PATIENCE_MS
from tests.secure.browser.site_double import RECOVERY_CODE, SiteDouble
from tests.secure.browser.stage import OTHER, Stage, serve

TO = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"


def signs(stage: Stage, account: str) -> bool:
    """Whether the wallet signs for the account."""
    stage.request("personal_sign", ["0x68656c6c6f", account])
    deliberate_click(stage.card.get_by_test_id("frame-approve"))
    signature = stage.answer("asked")["payload"]
    return bool(Account.recover_message(encode_defunct(text="hello"), signature=signature) == account)


def code_input(stage: Stage) -> Locator:
    """Where the recovery code is typed."""
    return stage.card.get_by_test_id("recovery-code-input")


def test_a_code_opens_a_wallet_that_signs(stage: Stage) -> None:
    ready = stage.ready()
    assert ready["version"] == "1"
    assert "email" in ready["capabilities"]
    user = stage.log_in()
    assert user["address"] == user["addresses"]["eip155"]
    assert stage.call("GET_USER", {"chainId": "solana:x"})["payload"]["address"] == user["addresses"]["solana"]
    assert signs(stage, user["address"])
    assert stage.errors == []
    assert stage.site.unsigned == []


def test_a_wrong_code_opens_nothing(stage: Stage) -> None:
    stage.call("CONNECT_EMAIL", {"email": "kim@example.org"})
    answer = stage.call("CONNECT_OTP", {"otp": "654321"})
    assert answer["payload"]["reason"] == "invalid_code"
    assert stage.call("IS_CONNECTED")["payload"] == {"isConnected": False}
    assert stage.call("GET_USER")["payload"]["code"] == 4100


def test_after_a_reload_the_visitor_is_still_there(stage: Stage) -> None:
    user = stage.log_in()
    stage.page.reload()
    assert stage.call("IS_CONNECTED")["payload"] == {"isConnected": True}
    assert stage.call("GET_USER", {"chainId": 1})["payload"]["address"] == user["address"]
    assert signs(stage, user["address"])


def test_after_signing_out_the_code_alone_opens_the_same_wallet(stage: Stage) -> None:
    user = stage.log_in()
    assert stage.call("SIGN_OUT")["type"] == "@w3m-frame/SIGN_OUT_SUCCESS"
    assert stage.call("IS_CONNECTED")["payload"] == {"isConnected": False}
    assert stage.call("RPC_REQUEST", {"method": "personal_sign", "params": [], "chainId": 1})["payload"]["code"] == 4100
    assert stage.log_in()["address"] == user["address"]
    assert signs(stage, user["address"])


def test_a_session_that_has_ended_is_told(stage: Stage) -> None:
    user = stage.log_in()
    stage.site.end_sessions()
    stage.request("personal_sign", ["0x00", user["address"]])
    deliberate_click(stage.card.get_by_test_id("frame-approve"))
    assert stage.answer("asked")["payload"]["reason"] == "session"
    stage.modal.wait_for_function("() => heard.some((one) => one.type === '@w3m-frame/SESSION_UPDATE')")


def test_two_tabs_that_make_the_wallet_at_once_have_the_same(context: BrowserContext, site: SiteDouble) -> None:
    one, other = Stage(context, site), Stage(context, site)
    for stage in (one, other):
        stage.call("CONNECT_EMAIL", {"email": "kim@example.org"})
        stage.call("CONNECT_OTP", {"otp": "123456"})
    one.begin("user", "GET_USER")
    other.begin("user", "GET_USER")
    addresses = {stage.answer("user")["payload"]["address"] for stage in (one, other)}
    assert len(addresses) == 1
    [address] = addresses
    assert signs(one, address)
    assert signs(other, address)


def test_a_lost_answer_loses_no_wallet(stage: Stage) -> None:
    # The page asks by itself as well.
    stage.site.lost += ["/v1/wallet"] * 20
    stage.call("CONNECT_EMAIL", {"email": "kim@example.org"})
    stage.call("CONNECT_OTP", {"otp": "123456"})
    assert stage.call("GET_USER")["payload"]["reason"] == "unreachable"
    # The tab is closed before the visitor tries again.
    stage.site.lost.clear()
    stage.page.reload()
    user = stage.call("GET_USER")["payload"]
    assert user["address"] == stage.site.wallets["kim@example.org"]["evm"]
    assert signs(stage, user["address"])


def test_on_another_site_a_code_of_the_recovery_service_opens_the_wallet(
    context: BrowserContext, site: SiteDouble
) -> None:
    first = Stage(context, site)
    user = first.log_in()
    second = Stage(context, site, OTHER)
    second.call("CONNECT_EMAIL", {"email": "kim@example.org"})
    second.call("CONNECT_OTP", {"otp": "123456"})
    assert second.call("GET_USER")["payload"]["reason"] == "recovery_needed"
    second.begin("recovered", "RECOVERY", {"way": "code"})
    code_input(second).fill("00000000")
    expect(second.card.get_by_role("alert")).to_have_text("Refused: invalid_code")
    expect(code_input(second)).to_have_value("")
    code_input(second).fill(RECOVERY_CODE)
    assert second.answer("recovered")["payload"] == {}
    expect(code_input(second)).to_have_count(0)
    assert second.call("GET_USER", {"chainId": 1})["payload"]["address"] == user["address"]
    assert signs(second, user["address"])
    assert signs(first, user["address"])
    assert len(site.wallets["kim@example.org"]["halves"]) == 2


@pytest.mark.parametrize("way", ["the button", "Escape", "closing the modal"])
def test_recovery_can_be_cancelled(context: BrowserContext, site: SiteDouble, way: str) -> None:
    Stage(context, site).log_in()
    stage = Stage(context, site, OTHER)
    stage.call("CONNECT_EMAIL", {"email": "kim@example.org"})
    stage.call("CONNECT_OTP", {"otp": "123456"})
    stage.begin("recovered", "RECOVERY", {"way": "code"})
    expect(code_input(stage)).to_be_focused()
    if way == "the button":
        stage.card.get_by_role("button", name="Cancel").click()
    elif way == "Escape":
        code_input(stage).press("Escape")
    else:
        stage.call("RPC_ABORT")
    assert stage.answer("recovered")["payload"]["code"] == 4001
    expect(code_input(stage)).to_have_count(0)


def test_where_storage_is_denied_the_wallet_works_for_the_pages_life(
    denying_chromium: Browser, site: SiteDouble
) -> None:
    with denying_chromium.new_context() as context:
        context.set_default_timeout(PATIENCE_MS)
        serve(context, site)
        stage = Stage(context, site)
        stage.ready()
        denied = "new Promise((done) => { const opening = indexedDB.open('x'); opening.onsuccess = () => done(false); opening.onerror = () => done(true); })"
        assert stage.secure.evaluate(denied)
        user = stage.log_in()
        assert signs(stage, user["address"])
        stage.page.reload()
        assert stage.call("IS_CONNECTED")["payload"] == {"isConnected": False, "forgets": True}


def test_a_clock_that_is_wrong_is_corrected(stage: Stage) -> None:
    stage.site.clock = 7200
    assert signs(stage, stage.log_in()["address"])


def test_nothing_of_the_key_is_seen_by_the_modal_or_left_in_storage(stage: Stage) -> None:
    user = stage.log_in()
    assert signs(stage, user["address"])
    wallet = stage.site.wallets["kim@example.org"]
    heard = stage.modal.evaluate("JSON.stringify(heard)")
    for half in (*wallet["halves"].values(), wallet["recoveryHalf"]):
        assert half not in heard
    kept = stage.secure.evaluate("""() => new Promise((done) => { const opening = indexedDB.open("walletmodal-secure");
        opening.onsuccess = () => { const all = opening.result.transaction("kept").objectStore("kept").getAll();
            all.onsuccess = () => done(all.result.map((one) => one.sealing ? [one.sealing.extractable, one.signing.extractable]
                : one.box ? one.box.length : one)); }; })""")
    [known] = [one["user"] for one in kept if isinstance(one, dict)]
    assert (known["email"], known["wallet"]["evm"]) == ("kim@example.org", user["address"])
    # The device's keys, its half with the cipher's tag, the session.
    assert sorted(str(one) for one in kept if not isinstance(one, dict)) == ["32", "[False, False]", "session-0"]


def test_a_transaction_is_filled_signed_and_sent(stage: Stage) -> None:
    stage.site.node = {
        "eth_getTransactionCount": "0x7",
        "eth_estimateGas": "0x5208",
        "eth_feeHistory": {"baseFeePerGas": ["0x3b9aca00"], "reward": [["0x5f5e100"]]},
        "eth_sendRawTransaction": "0x" + "00" * 32,
    }
    user = stage.log_in()
    stage.request("eth_sendTransaction", [{"from": user["address"], "to": TO, "value": hex(10**16)}])
    summary = stage.card.get_by_test_id("frame-summary")
    expect(summary).to_contain_text(TO)
    expect(summary).to_contain_text("at most 0.0000441 ETH")
    deliberate_click(stage.card.get_by_test_id("frame-approve"))
    found = stage.answer("asked")["payload"]
    [raw] = next(params for method, params in stage.site.rpc if method == "eth_sendRawTransaction")
    assert Account.recover_transaction(raw) == user["address"]
    assert found == f"0x{keccak(hexstr=raw).hex()}"
