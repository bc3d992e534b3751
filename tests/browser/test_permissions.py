"""Permissions of an account of the embedded wallet, from the page that asks for one to the chain that holds it, and their end."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chain import WEI, Chain, new_account
from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import Stack
from tests.browser.visits import Visiting
from walletmodal.host.permissions import GrantedPermission, Spender, SpendingRefusedError

DAY = 86_400


@pytest.fixture
def chain(stack: Stack) -> Chain:
    return stack.chain(1)


@pytest.fixture
def owner(visit: Visiting, stack: Stack, chain: Chain) -> EmailVisitor:
    """Who has logged in by email and owns three coins: an ordinary account on this network so far."""
    visitor = EmailVisitor(visit, stack, options={"features": {"smartSessions": True}})
    chain.fund(visitor.log_in(), "3")
    return visitor


@pytest.fixture
def shop(chain: Chain) -> Spender:
    """The host's server, whose account pays for gas."""
    account = new_account()
    chain.fund(account.address, "1")
    return Spender(account.key, {chain.caip2: chain.node_url})


def daily_coin(to: str) -> dict[str, Any]:
    """What a page asks for: one coin a day for three days."""
    data = {"periodAmount": hex(WEI), "periodDuration": DAY, "justification": "Your subscription"}
    return {
        "chainId": "0x1",
        "to": to,
        "permission": {"type": "native-token-periodic", "isAdjustmentAllowed": False, "data": data},
        "rules": [{"type": "expiry", "data": {"timestamp": int(time.time()) + 3 * DAY}}],
    }


def granted(owner: EmailVisitor, shop: Spender, chain: Chain, name: str) -> GrantedPermission:
    """One coin a day for three days, which the page has asked for and the visitor has approved."""
    owner.modal.begin_request(name, "wallet_requestExecutionPermissions", [daily_coin(shop.address)])
    expect(owner.frame.get_by_test_id("frame-summary")).to_contain_text("At most every day")
    owner.approve()
    outcome = owner.modal.outcome(name)
    assert "value" in outcome, outcome
    (answer,) = outcome["value"]
    expect(owner.modal.part("smart-session-got-it")).to_be_visible()
    return shop.read(answer, account=owner.modal.api("getAddress"), chain=chain.caip2, token="")


def refused(shop: Spender, permission: GrantedPermission) -> str:
    with pytest.raises(SpendingRefusedError) as refusal:
        shop.pay(permission, new_account().address, 1)
    return refusal.value.short_message


def test_a_page_spends_what_was_granted_until_the_visitor_takes_it_back(
    owner: EmailVisitor, shop: Spender, chain: Chain
) -> None:
    modal, receiver = owner.modal, new_account().address
    permission = granted(owner, shop, chain, "first")
    assert str(chain.call("eth_getCode", owner.address, "latest")).startswith("0xef0100")
    modal.part("smart-session-got-it").click()

    shop.pay(permission, receiver, WEI // 4)
    assert (chain.balance(receiver), shop.left(permission)) == (WEI // 4, 3 * WEI // 4)
    with pytest.raises(SpendingRefusedError, match="more than is left"):
        shop.pay(permission, receiver, WEI)

    modal.part("w3m-header-smart-sessions").click()
    expect(modal.part("smart-session-item-0")).to_contain_text("0.25 ETH used in this period, 0.75 ETH left")
    modal.part("smart-session-revoke").click()
    owner.approve()
    expect(modal.frame.get_by_text("No active sessions")).to_be_visible()
    assert refused(shop, permission) == "The account has taken the permission back."
    modal.part("tab-Revoked").click()
    expect(modal.part("smart-session-item-0")).to_contain_text("Taken back")


def test_a_visitor_takes_back_all_permissions_at_once(owner: EmailVisitor, shop: Spender, chain: Chain) -> None:
    modal = owner.modal
    permissions = [granted(owner, shop, chain, name) for name in ("first", "second")]
    modal.part("smart-session-got-it").click()
    modal.part("w3m-header-smart-sessions").click()
    modal.part("smart-sessions-revoke-all").click()
    owner.approve()
    expect(modal.frame.get_by_text("No active sessions")).to_be_visible()
    told = {refused(shop, permission) for permission in permissions}
    assert told == {"The account has taken all its permissions back."}
