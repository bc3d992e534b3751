"""What the host page lays over the modal keeps nobody from approving: meanwhile the modal is above all of the page."""

from __future__ import annotations

from eth_account import Account
from eth_account.messages import encode_defunct

from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import Stack
from tests.browser.visits import Visiting

ABOVE = """() => { const bubble = document.createElement("div"); bubble.id = "bubble";
    bubble.style.cssText = "position:fixed;inset:0;z-index:2147483647;background:#0f08"; document.body.append(bubble); }"""
ON_TOP = "() => document.elementFromPoint(innerWidth / 2, innerHeight / 2).localName"
LOCKED = "() => [document.activeElement.localName, getComputedStyle(document.documentElement).overflowY]"


def test_an_element_of_the_host_above_the_modal_does_not_block_an_approval(visit: Visiting, stack: Stack) -> None:
    owner = EmailVisitor(visit, stack)
    address = owner.log_in()
    owner.page.evaluate(ABOVE)
    owner.modal.begin_request("text", "personal_sign", ["0x" + b"hello there".hex(), address])
    owner.approve()
    signature = owner.modal.outcome("text")["value"]
    assert Account.recover_message(encode_defunct(text="hello there"), signature=signature) == address
    owner.modal.expect_closed()


def test_the_modal_is_above_the_page_for_the_time_of_the_approval_alone(visit: Visiting, stack: Stack) -> None:
    owner = EmailVisitor(visit, stack)
    address = owner.log_in()
    owner.modal.open_account()
    owner.page.evaluate(ABOVE)
    assert owner.page.evaluate(ON_TOP) == "div"
    owner.modal.begin_request("text", "personal_sign", ["0x61", address])
    owner.modal.wait(lambda: owner.page.evaluate(ON_TOP) == "iframe", what="the modal above the page")
    assert owner.page.evaluate(LOCKED) == ["iframe", "hidden"]
    owner.frame.get_by_test_id("frame-reject").click()
    owner.modal.wait(lambda: owner.page.evaluate(ON_TOP) == "div", what="the host's element above the modal again")
    assert owner.modal.outcome("text")["code"] == 4001
