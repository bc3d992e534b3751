"""A visitor whose smart account is a Safe: another address than the key's, made with the first thing that it does."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import httpx
import pytest
from playwright.sync_api import BrowserContext, Route, expect

from tests.browser.chain import Chain, new_account
from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import PAID_IN_TOKENS, SPONSORED, Stack
from tests.browser.test_send import USDC, enter, expect_final, fund_usdc, review, usdc_of
from tests.browser.test_sign_in import REQUIRED, token
from tests.browser.visits import Visiting
from tests.deliberate_click import deliberate_click
from tests.patience import PATIENCE
from walletmodal.core.smart_accounts.account_state import smart_account_address
from walletmodal.host import Modal as Verifier

VALUE = 10**17
OFFERED = '<meta name="walletmodal-smart-accounts" content="'
SAFES = '<meta name="walletmodal-safe" content="'
_OF_THE_TRANSFER = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def with_safes(context: BrowserContext) -> None:
    """Has the secure site's page be that of a site with SECURE_SMART_ACCOUNTS=safe."""

    def page(route: Route) -> None:
        # Asked for here: the browser's own answer may be gone before its text is read.
        answer = httpx.get(route.request.url, headers=route.request.headers, trust_env=False, timeout=PATIENCE)
        body = answer.text
        networks = body.partition(OFFERED)[2].partition('"')[0]
        assert networks
        changed = body.replace(f'{OFFERED}{networks}"', f'{OFFERED}"').replace(f'{SAFES}"', f'{SAFES}{networks}"')
        headers = {name: value for name, value in answer.headers.items() if name not in _OF_THE_TRANSFER}
        route.fulfill(status=answer.status_code, headers=headers, body=changed)

    context.route("**/sdk", page)


@pytest.fixture
def chain(stack: Stack) -> Chain:
    return stack.chain(SPONSORED)


@pytest.fixture
def owner(visit: Visiting, stack: Stack, chain: Chain) -> EmailVisitor:
    """Who has logged in by email, and whose Safe owns one coin of the network."""
    visitor = EmailVisitor(visit, stack, options={"defaultNetwork": chain.caip2}, prepare=with_safes)
    chain.fund(visitor.log_in(), "1")
    return visitor


def approved(owner: EmailVisitor, method: str, params: object) -> Any:
    """What a request gives that the owner approves."""
    owner.modal.begin_request(method, method, params)
    owner.approve()
    outcome = owner.modal.outcome(method)
    assert "value" in outcome, outcome
    return outcome["value"]


def test_a_safe_is_made_with_its_first_transaction_and_signs_before_and_after(
    owner: EmailVisitor, chain: Chain
) -> None:
    safe = owner.address
    early = approved(owner, "personal_sign", ["0x48656c6c6f", safe])
    receiver = new_account().address
    owner.modal.begin_request("send", "eth_sendTransaction", [{"from": safe, "to": receiver, "value": hex(VALUE)}])
    expect(owner.frame.get_by_text("New smart account")).to_be_visible()
    owner.approve()
    transaction = owner.modal.outcome("send")["value"]
    receipt: Any = chain.call("eth_getTransactionReceipt", transaction)
    assert (receipt["status"], chain.balance(receiver)) == ("0x1", VALUE)
    assert chain.call("eth_getCode", safe, "latest") != "0x"
    late = approved(owner, "personal_sign", ["0x48656c6c6f", safe])
    # What the Safe's contract takes for signed is in what was signed before there was one, with what makes it.
    assert early.endswith("6492" * 16)
    assert late[2:] in early


def use_other(owner: EmailVisitor) -> None:
    """From the host page's button to the other kind of account."""
    modal = owner.modal
    modal.open_account()
    modal.part("w3m-profile-button").click()
    expect(modal.part("profile-account-item")).to_have_text([re.compile("Smart Account"), re.compile("EOA")])
    modal.part("account-settings-button").click()
    modal.part("account-toggle-preferred-account-type").click()


def test_the_other_account_is_used_from_the_settings(owner: EmailVisitor) -> None:
    safe, modal = owner.address, owner.modal
    use_other(owner)
    modal.wait(lambda: owner.address != safe, what="the other account")
    assert smart_account_address("safe", owner.address) == safe
    expect(modal.part("account-toggle-preferred-account-type")).to_have_text("Switch to your smart account")
    owner.page.reload()
    modal.wait(lambda: modal.request("eth_accounts").get("value"), what="the account after a reload")
    assert owner.address != safe


def test_a_safe_signs_in_before_it_is_made_and_its_owner_anew(visit: Visiting, stack: Stack, chain: Chain) -> None:
    options = {"defaultNetwork": chain.caip2, **REQUIRED}
    owner = EmailVisitor(visit, stack, options=options, prepare=with_safes)
    modal = owner.modal
    owner.ask_for_code()
    owner.enter(owner.code())
    owner.approve()
    modal.expect_closed()
    safe = owner.address
    known = Verifier(stack.embedded_modal.url, stack.hosts.allowed).verify(token(modal))
    assert known.account == f"{chain.caip2}:{safe}"
    use_other(owner)
    modal.expect_view("Approve Transaction")
    assert smart_account_address("safe", owner.address) == safe


def test_the_modal_sends_for_a_safe_whose_fee_the_deployment_pays(owner: EmailVisitor, chain: Chain) -> None:
    modal, receiver, before = owner.modal, new_account().address, chain.balance(owner.address)
    modal.open_account()
    enter(modal, "POL", "0.1", receiver)
    review(modal)
    modal.part("send-confirm-button").click()
    expect(owner.frame.get_by_text("paid by the paymaster")).to_be_visible()
    owner.approve()
    expect_final(modal)
    assert (chain.balance(receiver), chain.balance(owner.address)) == (VALUE, before - VALUE)


def test_a_safe_without_coin_is_made_and_sends_for_a_fee_in_a_token(visit: Visiting, stack: Stack) -> None:
    held, paid = 100_000_000, 2_500_000
    network = stack.chain(PAID_IN_TOKENS)
    owner = EmailVisitor(visit, stack, options={"defaultNetwork": network.caip2}, prepare=with_safes)
    safe, receiver = owner.log_in(), new_account().address
    fund_usdc(stack, safe, held)
    transfer = "0xa9059cbb" + receiver[2:].lower().rjust(64, "0") + f"{paid:064x}"
    owner.modal.begin_request("pay", "eth_sendTransaction", [{"from": safe, "to": USDC, "data": transfer}])
    most = re.fullmatch(r"At most ([0-9.]+) USDC", owner.modal.part("gas-payer-most").inner_text())
    assert most
    units = int(Decimal(most[1]) * 10**6)
    deliberate_click(owner.modal.part("request-approve-button"))
    expect(owner.frame.get_by_test_id("frame-summary")).to_contain_text(f"at most {units} base units")
    owner.approve()
    receipt: Any = network.call("eth_getTransactionReceipt", owner.modal.outcome("pay")["value"])
    assert (receipt["status"], usdc_of(stack, receiver)) == ("0x1", paid)
    assert 0 < held - paid - usdc_of(stack, safe) <= units
    assert network.balance(safe) == 0
