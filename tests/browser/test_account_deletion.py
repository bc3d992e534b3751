"""What the secure site holds of a visitor, and its end: from the settings to the new wallet of a later login."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting
from tests.closing_click import closing_click


def test_a_wallet_is_deleted_in_a_window_of_the_secure_site_and_the_next_login_makes_another(
    visit: Visiting, stack: Stack, move_clock: MoveClock
) -> None:
    owner = EmailVisitor(visit, stack)
    former = owner.log_in()
    move_clock(31)
    owner.modal.api("open", {"view": "AccountData"})
    owner.modal.part("account-delete").click()
    expect(owner.frame.get_by_test_id("frame-approve")).to_have_text("Approve in a window")
    with owner.page.context.expect_page() as opening:
        owner.frame.get_by_test_id("frame-approve").click()
    window = opening.value
    expect(window.get_by_test_id("frame-summary")).to_contain_text(former)
    closing_click(window, window.get_by_test_id("frame-approve"))
    expect(owner.frame.get_by_text("You are about to delete your wallet")).to_be_visible()
    owner.frame.get_by_test_id("recovery-code-input").press_sequentially(owner.code(8))
    owner.modal.expect_disconnected()
    move_clock(60)
    assert EmailVisitor(visit, stack, email=owner.email).log_in() != former


def test_a_visitor_saves_what_the_site_holds_and_the_modal_sees_nothing_of_it(visit: Visiting, stack: Stack) -> None:
    owner = EmailVisitor(visit, stack)
    address = owner.log_in()
    owner.modal.api("open", {"view": "AccountData"})
    owner.modal.part("account-data-show").click()
    with owner.page.context.expect_page() as opening:
        owner.frame.get_by_test_id("window-open").click()
    window = opening.value
    with window.expect_download() as saving:
        window.get_by_test_id("data-save").click()
    held = json.loads(Path(saving.value.path()).read_text())
    assert (held["email"], held["wallets"][0]["evm"]) == (owner.email, address)
    closing_click(window, window.get_by_test_id("data-done"))
    expect(owner.modal.part("account-data-show")).to_be_visible()
