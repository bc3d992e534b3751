"""Calls of the embedded wallet's owner who has no coin of the network, and pays its fee in a token."""

from __future__ import annotations

import re
from decimal import Decimal

from playwright.sync_api import expect

from tests.browser.chain import new_account
from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import PAID_IN_TOKENS, Stack
from tests.browser.test_send import USDC, fund_usdc, usdc_of
from tests.browser.visits import Visiting
from tests.deliberate_click import deliberate_click

HELD, PAID = 100_000_000, 2_500_000
CONFIRMED = 200


def test_a_fee_is_paid_in_a_token_and_takes_no_more_than_was_shown(visit: Visiting, stack: Stack) -> None:
    owner = EmailVisitor(visit, stack, options={"defaultNetwork": f"eip155:{PAID_IN_TOKENS}"})
    fund_usdc(stack, owner.log_in(), HELD)
    receivers = [new_account().address, new_account().address]
    transfers = ["0xa9059cbb" + one[2:].lower().rjust(64, "0") + f"{PAID:064x}" for one in receivers]
    asked = {"version": "2.0.0", "from": owner.address, "calls": [{"to": USDC, "data": data} for data in transfers]}
    owner.modal.begin_request("pay", "wallet_sendCalls", [asked])
    most = re.fullmatch(r"At most ([0-9.]+) USDC", owner.modal.part("gas-payer-most").inner_text())
    assert most
    units = int(Decimal(most[1]) * 10**6)
    expect(owner.modal.part("approve-leaves")).to_contain_text("5 USDC")
    deliberate_click(owner.modal.part("request-approve-button"))
    summary = owner.frame.get_by_test_id("frame-summary")
    expect(summary).to_contain_text(f"at most {units} base units")
    expect(summary).to_contain_text("2. Send a token")
    owner.approve()
    bundle = owner.modal.outcome("pay")["value"]["id"]
    owner.modal.wait(
        lambda: owner.modal.request("wallet_getCallsStatus", [bundle])["value"]["status"] == CONFIRMED,
        what="confirmed calls",
    )
    assert [usdc_of(stack, one) for one in receivers] == [PAID, PAID]
    assert 0 < HELD - 2 * PAID - usdc_of(stack, owner.address) <= units
    assert stack.chain(PAID_IN_TOKENS).balance(owner.address) == 0
