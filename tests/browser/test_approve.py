"""ApproveTransaction: what the host page asks for waits for the visitor, who sees it before the wallet does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from playwright.sync_api import Locator, expect

from tests.browser.chain import new_account
from tests.browser.regulars import Regular, put_away
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting

HELLO = "0x" + b"Hello from the shop".hex()
TITLE = "Approve Transaction"


@pytest.fixture(scope="module")
def regular_careful(shared_visit: Visiting) -> Regular[Visit]:
    def arrive() -> Visit:
        visitor = shared_visit(options={"confirmRequests": "all"})
        visitor.modal.connect(visitor.wallet)
        return visitor

    return Regular(arrive, put_away)


@pytest.fixture
def careful(regular_careful: Regular[Visit]) -> Iterator[Visit]:
    """A connected visitor of a page that has every request confirmed."""
    with regular_careful.returning() as visitor:
        yield visitor


def approve_button(visitor: Visit) -> Locator:
    return visitor.modal.part("request-approve-button")


def ask_to_sign(visitor: Visit) -> None:
    visitor.modal.begin_request("sign", "personal_sign", [HELLO, visitor.account.address])
    visitor.modal.expect_view(TITLE)


def test_what_is_approved_is_signed_and_the_modal_goes_away(careful: Visit) -> None:
    ask_to_sign(careful)
    expect(careful.modal.part("approve-text")).to_have_text("Hello from the shop")
    approve_button(careful).click()
    careful.wallet.approve("personal_sign")
    signature = careful.modal.outcome("sign")["value"]
    message = encode_defunct(b"Hello from the shop")
    assert Account.recover_message(message, signature=signature) == careful.account.address
    careful.modal.expect_closed()


def test_what_is_rejected_never_reaches_the_wallet(careful: Visit) -> None:
    asked = careful.wallet.calls("personal_sign")
    ask_to_sign(careful)
    careful.modal.part("request-reject-button").click()
    assert careful.modal.outcome("sign")["code"] == 4001
    assert careful.wallet.calls("personal_sign") == asked
    careful.modal.expect_closed()


def test_nobody_is_asked_about_a_batch_that_the_wallet_cannot_make(careful: Visit) -> None:
    batch = [{"version": "2.0.0", "chainId": "0x1", "atomicRequired": False, "calls": [{"to": "0x" + "11" * 20}]}]
    assert careful.modal.request("wallet_sendCalls", batch)["code"] == 4200
    careful.modal.expect_closed()


@pytest.mark.parametrize("way", ["button", "Escape"])
def test_closing_the_modal_rejects(careful: Visit, way: str) -> None:
    ask_to_sign(careful)
    if way == "button":
        careful.modal.part("w3m-header-close").click()
    else:
        careful.modal.part("request-reject-button").press("Escape")
    assert careful.modal.outcome("sign")["code"] == 4001
    careful.modal.expect_closed()


def test_several_requests_come_one_after_another(careful: Visit) -> None:
    ask_to_sign(careful)
    careful.modal.begin_request("second", "personal_sign", ["0x" + b"Second".hex(), careful.account.address])
    expect(careful.modal.card).to_contain_text("1 of 2", ignore_case=True)
    approve_button(careful).click()
    careful.wallet.approve("personal_sign")
    expect(careful.modal.part("approve-text")).to_have_text("Second")
    careful.modal.part("request-reject-button").click()
    assert (list(careful.modal.outcome("sign")), careful.modal.outcome("second")["code"]) == (["value"], 4001)
    careful.modal.expect_closed()


def test_a_payment_shows_what_leaves_the_account_and_is_sent_as_shown(careful: Visit, stack: Stack) -> None:
    stack.chain(1).fund(careful.account.address, "1")
    receiver = new_account().address
    transaction = {"from": careful.account.address, "to": receiver, "value": hex(5 * 10**17)}
    careful.modal.begin_request("send", "eth_sendTransaction", [transaction])
    expect(careful.modal.part("approve-title")).to_have_text("Send 0.5 ETH")
    expect(careful.modal.part("approve-leaves")).to_contain_text("0.5 ETH")
    approve_button(careful).click()
    careful.wallet.approve("eth_sendTransaction")
    careful.modal.outcome("send")
    careful.modal.wait(lambda: stack.chain(1).balance(receiver) == 5 * 10**17, what="the coins at the receiver")
    careful.modal.expect_closed()
