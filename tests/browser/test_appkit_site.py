"""The modal with a secure site that knows AppKit's messages alone (`SECURE_SITE_PROTOCOL=appkit`), from end to end: ours, which answers them too."""

from __future__ import annotations

from collections.abc import Callable

import base58
import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from playwright.sync_api import expect
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.browser.chain import WEI
from tests.browser.email_visitor import EmailVisitor, allow_login, code_behind_link
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting

Arriving = Callable[..., EmailVisitor]


@pytest.fixture
def arrive(visit: Visiting, stack: Stack) -> Arriving:
    """Makes visitors of a host page whose modal speaks to such a site."""

    def make(*socials: str) -> EmailVisitor:
        return EmailVisitor(visit, stack, server=stack.appkit_modal, options={"features": {"socials": list(socials)}})

    return make


def test_a_visitor_logs_in_signs_sends_comes_back_and_logs_out(arrive: Arriving) -> None:
    visitor = arrive()
    address, chain = visitor.log_in(), visitor.stack.chain(137)
    assert "projectId=tests" in str(visitor.modal.frame.locator("#w3m-iframe").get_attribute("src"))
    visitor.modal.begin_request("text", "personal_sign", ["0x" + b"hello there".hex(), address])
    expect(visitor.frame.get_by_test_id("frame-origin")).to_have_text(visitor.stack.hosts.allowed)
    visitor.approve()
    signature = visitor.modal.outcome("text")["value"]
    assert Account.recover_message(encode_defunct(text="hello there"), signature=signature) == address
    visitor.modal.expect_closed()

    chain.fund(address, "1")
    visitor.modal.api("switchNetwork", "eip155:137")
    receiver = Account.create().address
    visitor.modal.begin_request(
        "send", "eth_sendTransaction", [{"from": address, "to": receiver, "value": hex(WEI // 4)}]
    )
    expect(visitor.frame.get_by_test_id("frame-summary")).to_contain_text("0.25")
    visitor.approve()
    assert visitor.modal.outcome("send")["value"].startswith("0x")
    assert chain.balance(receiver) == WEI // 4

    account = visitor.modal.api("getAccount", "solana")["address"]
    text = {"message": base58.b58encode(b"good evening").decode(), "pubkey": account}
    visitor.begin_solana("solana", "solana_signMessage", text)
    visitor.approve()
    signed = Signature.from_string(visitor.modal.outcome("solana")["value"]["signature"])
    assert signed.verify(Pubkey.from_string(account), b"good evening")

    visitor.page.reload()
    visitor.modal.expect_connected(address)
    visitor.modal.disconnect()
    visitor.page.reload()
    visitor.modal.open()
    visitor.modal.expect_disconnected()


def test_who_closes_signs_nothing_and_the_next_request_is_the_one_that_is_shown(arrive: Arriving) -> None:
    visitor = arrive()
    address = visitor.log_in()
    visitor.modal.begin_request("closed", "personal_sign", ["0x" + b"first".hex(), address])
    expect(visitor.frame.get_by_test_id("frame-approve")).to_be_visible()
    visitor.modal.part("w3m-header-close").click()
    assert visitor.modal.outcome("closed")["code"] == 4001
    visitor.modal.begin_request("next", "personal_sign", ["0x" + b"second".hex(), address])
    expect(visitor.frame.get_by_test_id("frame-summary")).to_contain_text("second")
    visitor.frame.get_by_test_id("frame-reject").click()
    assert visitor.modal.outcome("next")["code"] == 4001


@pytest.mark.parametrize("provider", ["google", "apple"])
def test_an_account_at_a_provider_leads_to_one_on_chain(arrive: Arriving, provider: str) -> None:
    visitor = arrive(provider)
    visitor.modal.open()
    allow_login(visitor.begin_social(provider))
    visitor.modal.expect_connected()
    address = visitor.address
    visitor.page.reload()
    visitor.modal.expect_connected(address)


def test_farcasters_app_logs_in_by_the_code(arrive: Arriving) -> None:
    visitor = arrive("google", "farcaster")
    visitor.modal.open()
    # Whoever has a wallet already, of another test, would need its key.
    visitor.approve_in_farcaster("1")


def test_no_passkey_is_offered_as_a_way_in(arrive: Arriving) -> None:
    visitor = arrive()
    visitor.modal.open()
    expect(visitor.modal.part("wui-email-input")).to_be_visible()
    expect(visitor.modal.part("passkey-login-button")).to_have_count(0)


def test_the_settings_have_the_address_alone(arrive: Arriving) -> None:
    visitor = arrive()
    visitor.log_in()
    visitor.modal.api("open", {"view": "AccountSettings"})
    expect(visitor.modal.part("account-person")).to_have_text(visitor.email)
    for name in ("account-add-passkey", "account-recovery", "account-devices", "account-data", "account-upgrade"):
        expect(visitor.modal.part(name)).to_have_count(0)


def test_an_address_is_changed_with_both_codes(arrive: Arriving, stack: Stack, move_clock: MoveClock) -> None:
    visitor = arrive()
    visitor.log_in()
    new = f"new.{visitor.email}"
    move_clock(31)
    visitor.save_address(new)
    visitor.modal.expect_view("Confirm Current Email")
    visitor.enter(code_behind_link(visitor.page, stack, visitor.email, new))
    visitor.confirm_address(new)
