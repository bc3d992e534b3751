"""The embedded wallet from end to end: a code by email, the accounts, confirmations in the secure frame, other devices."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import base58
import pytest
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from playwright.sync_api import Playwright, expect
from solders.pubkey import Pubkey
from solders.signature import Signature

from tests.browser.chain import WEI
from tests.browser.denied_storage import denying_context
from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting

Arriving = Callable[..., EmailVisitor]

TYPED_DATA = {
    "domain": {"name": "Test", "version": "1", "chainId": 1},
    "types": {"Order": [{"name": "item", "type": "string"}, {"name": "count", "type": "uint256"}]},
    "primaryType": "Order",
    "message": {"item": "tea", "count": 3},
}


STORAGE = pytest.mark.parametrize("arrive", ["kept", "denied"], indirect=True)
"""Also where the browser denies storage to the frames of modal and secure site, which then keep everything for the page's life."""


@pytest.fixture
def arrive(
    request: pytest.FixtureRequest, visit: Visiting, stack: Stack, driver: Playwright, tmp_path: Path
) -> Arriving:
    """Makes visitors of a host page with the embedded wallet."""
    denies = getattr(request, "param", "kept") == "denied"

    def make(**wishes: Any) -> EmailVisitor:
        if denies:
            context = denying_context(driver, tmp_path, stack.embedded_modal.port, stack.secure_port)
            return EmailVisitor(partial(visit, context=context), stack, **wishes)
        return EmailVisitor(visit, stack, **wishes)

    return make


@pytest.fixture
def owner(arrive: Arriving) -> EmailVisitor:
    """Who has just logged in for the first time."""
    found = arrive()
    found.log_in()
    return found


def test_a_code_leads_to_an_account_on_each_chain_that_is_there_again_after_a_reload(owner: EmailVisitor) -> None:
    accounts = {space: owner.modal.api("getAccount", space)["address"] for space in ("eip155", "solana")}
    assert len(Pubkey.from_string(accounts["solana"]).__bytes__()) == 32
    mails = len(owner.stack.mails(owner.email))
    owner.page.reload()
    owner.modal.expect_connected(accounts["eip155"])
    assert owner.modal.api("getAccount", "solana")["address"] == accounts["solana"]
    assert len(owner.stack.mails(owner.email)) == mails


@STORAGE
def test_a_wrong_code_is_told_and_the_right_one_still_counts(arrive: Arriving) -> None:
    visitor = arrive()
    visitor.ask_for_code()
    words = visitor.modal.part("email-mail-words").inner_text()
    right = visitor.code()
    assert words in visitor.stack.mails(visitor.email)[-1]["text"]
    visitor.enter(str((int(right) + 1) % 1_000_000).zfill(6))
    expect(visitor.modal.part("otp-error")).to_contain_text("Invalid code")
    visitor.enter(right)
    visitor.modal.expect_connected()


@STORAGE
def test_messages_are_signed_as_the_frame_shows_them(owner: EmailVisitor) -> None:
    owner.modal.begin_request("text", "personal_sign", ["0x" + b"hello there".hex(), owner.address])
    expect(owner.frame.get_by_test_id("frame-summary")).to_contain_text("hello there")
    expect(owner.frame.get_by_test_id("frame-origin")).to_have_text(owner.stack.hosts.allowed)
    owner.approve()
    signature = owner.modal.outcome("text")["value"]
    assert Account.recover_message(encode_defunct(text="hello there"), signature=signature) == owner.address
    owner.modal.begin_request("typed", "eth_signTypedData_v4", [owner.address, TYPED_DATA])
    expect(owner.frame.get_by_test_id("frame-summary")).to_contain_text("tea")
    owner.approve()
    value = owner.modal.outcome("typed")["value"]
    signed = encode_typed_data(TYPED_DATA["domain"], TYPED_DATA["types"], TYPED_DATA["message"])  # type: ignore[arg-type]  # a table of anything
    assert Account.recover_message(signed, signature=value) == owner.address


def test_a_message_of_solana_is_signed(owner: EmailVisitor) -> None:
    account = owner.modal.api("getAccount", "solana")["address"]
    message = base58.b58encode(b"good evening").decode()
    owner.begin_solana("text", "solana_signMessage", {"message": message, "pubkey": account})
    expect(owner.frame.get_by_test_id("frame-summary")).to_contain_text("good evening")
    owner.approve()
    signature = Signature.from_string(owner.modal.outcome("text")["value"]["signature"])
    assert signature.verify(Pubkey.from_string(account), b"good evening")


@STORAGE
def test_a_transfer_is_shown_filled_in_and_arrives(owner: EmailVisitor) -> None:
    chain, receiver = owner.stack.chain(1), Account.create().address
    chain.fund(owner.address, "1")
    transfer = {"from": owner.address, "to": receiver, "value": hex(WEI // 4)}
    owner.modal.begin_request("send", "eth_sendTransaction", [transfer])
    expect(owner.frame.get_by_test_id("frame-summary")).to_contain_text(receiver)
    expect(owner.frame.get_by_test_id("frame-summary")).to_contain_text("0.25")
    owner.approve()
    assert owner.modal.outcome("send")["value"].startswith("0x")
    assert chain.balance(receiver) == WEI // 4


@STORAGE
def test_who_rejects_or_closes_signs_nothing(owner: EmailVisitor) -> None:
    owner.modal.begin_request("rejected", "personal_sign", ["0x61", owner.address])
    owner.frame.get_by_test_id("frame-reject").click()
    assert owner.modal.outcome("rejected")["code"] == 4001
    owner.modal.expect_closed()
    owner.modal.begin_request("closed", "personal_sign", ["0x62", owner.address])
    expect(owner.frame.get_by_test_id("frame-approve")).to_be_visible()
    owner.modal.part("w3m-header-close").click()
    assert "value" not in owner.modal.outcome("closed")
    owner.modal.expect_closed()


def test_the_profile_shows_which_kind_of_account_is_in_use_and_switches_it(owner: EmailVisitor) -> None:
    owner.modal.api("open", {"view": "Profile"})
    kinds = owner.modal.part("profile-account-item")
    expect(kinds).to_have_text([re.compile("Smart Account.*In use"), re.compile("EOA.*Switch")])
    owner.modal.part("profile-switch-button-1").click()
    expect(kinds).to_have_text([re.compile("Smart Account.*Switch"), re.compile("EOA.*In use")])


def test_another_device_brings_the_wallet_back_with_the_code_of_the_recovery_service(
    owner: EmailVisitor, arrive: Arriving, move_clock: MoveClock
) -> None:
    move_clock(60)
    other = arrive(email=owner.email, site=owner.stack.hosts.other_site)
    assert other.recover() == owner.address
    other.page.reload()
    other.modal.expect_connected(owner.address)


def test_who_disconnects_is_not_there_after_a_reload(owner: EmailVisitor) -> None:
    owner.modal.disconnect()
    owner.page.reload()
    owner.modal.open()
    owner.modal.expect_disconnected()
    expect(owner.modal.part("wui-email-input")).to_be_visible()


def test_a_secure_site_that_fails_is_told_and_the_next_try_goes_through(
    arrive: Arriving, healthy_sandbox: Stack
) -> None:
    visitor = arrive()
    healthy_sandbox.fail("secure", path="/v1/login/email", status=503, times=1)
    visitor.modal.open()
    visitor.modal.note_toasts()
    visitor.modal.part("wui-email-input").locator("input").fill(visitor.email)
    visitor.modal.part("email-submit").click()
    visitor.modal.expect_toast("The wallet service failed. Please try again")
    visitor.modal.part("email-submit").click()
    visitor.modal.expect_view("Confirm Email")


def test_a_page_that_is_loaded_anew_while_its_mail_is_on_the_way_goes_on_with_that_mail(
    arrive: Arriving, healthy_sandbox: Stack
) -> None:
    visitor = arrive()
    # With a clock that another test has moved, the answer that is lost may be that the page's is wrong.
    healthy_sandbox.restore_clock()
    healthy_sandbox.fail("secure", path="/v1/login/email", drop=True, after=True, times=1)
    visitor.modal.open()
    visitor.modal.part("wui-email-input").locator("input").fill(visitor.email)
    visitor.modal.part("email-submit").click()
    code = visitor.code()
    visitor.page.reload()
    visitor.ask_for_code()
    visitor.enter(code)
    visitor.modal.expect_connected()
    assert len(visitor.stack.mails(visitor.email)) == 1


@STORAGE
def test_a_sign_in_is_approved_once_as_the_frame_shows_it(arrive: Arriving) -> None:
    owner = arrive(options={"siwx": {"required": True, "statement": "Welcome."}})
    owner.ask_for_code()
    owner.enter(owner.code())
    expect(owner.frame.get_by_test_id("frame-summary")).to_contain_text("Welcome.")
    owner.approve()
    owner.modal.expect_closed()
    assert owner.modal.api("getSession")["token"]
