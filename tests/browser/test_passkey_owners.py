"""A passkey that owns a Safe: added by the wallet's key, it signs alone, and goes again."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Request, expect

from tests.browser.chain import new_account
from tests.browser.email_visitor import EmailVisitor
from tests.browser.passkeys import Authenticator
from tests.browser.stack import SPONSORED, Stack
from tests.browser.test_passkeys import offered
from tests.browser.test_safe_accounts import VALUE, with_safes
from tests.browser.visits import Visiting


def test_a_passkey_becomes_an_owner_signs_without_the_key_and_goes_again(visit: Visiting, stack: Stack) -> None:
    chain = stack.chain(SPONSORED)
    owner = EmailVisitor(visit, stack, options={"defaultNetwork": chain.caip2}, prepare=with_safes)
    modal, frame, authenticator = owner.modal, owner.frame, Authenticator(owner.page)
    safe = offered(owner)
    chain.fund(safe, "1")
    modal.part("passkey-add").click()
    frame.get_by_test_id("passkey-continue").click()
    modal.expect_closed()

    modal.open_account()
    modal.part("w3m-profile-button").click()
    modal.part("safe-passkey-add").click()
    expect(frame.get_by_test_id("frame-summary")).to_contain_text("without your wallet's key")
    owner.approve()
    mine = modal.part("safe-owner").filter(has_text="Passkey, ")
    mine.get_by_test_id("safe-owner-use").click()
    expect(mine).to_contain_text("Signs")

    halves: list[str] = []

    def note(request: Request) -> None:
        if request.url.endswith("/v1/wallet/half"):
            halves.append(request.url)

    owner.page.on("request", note)
    receiver = new_account().address
    modal.begin_request("send", "eth_sendTransaction", [{"from": safe, "to": receiver, "value": hex(VALUE)}])
    expect(frame.get_by_test_id("frame-summary")).to_contain_text("Signed by")
    owner.approve()
    receipt: Any = chain.call("eth_getTransactionReceipt", modal.outcome("send")["value"])
    assert (receipt["status"], chain.balance(receiver), halves) == ("0x1", VALUE, [])

    # Nobody who is not known by the authenticator signs.
    authenticator.verifies(False)
    modal.begin_request("stolen", "eth_sendTransaction", [{"from": safe, "to": receiver, "value": hex(VALUE)}])
    owner.approve()
    frame.get_by_test_id("passkey-continue").click()
    expect(frame.get_by_test_id("passkey-error")).to_contain_text("No passkey was used")
    frame.get_by_test_id("passkey-cancel").click()
    assert "value" not in modal.outcome("stolen")

    modal.api("open", {"view": "Profile"})
    mine.get_by_test_id("safe-owner-remove").click()
    owner.approve()
    expect(mine).to_have_count(0)
    expect(modal.part("safe-passkey")).to_contain_text("Passkey, ")
