"""Export of the embedded wallet: its phrase and keys, shown in a window of the secure site and in no other page."""

from __future__ import annotations

from typing import Any

from eth_account import Account
from playwright.sync_api import expect

from tests.browser.email_visitor import EmailVisitor
from tests.browser.stack import MoveClock, Stack
from tests.browser.visits import Visiting
from tests.closing_click import closing_click
from tests.deliberate_click import deliberate_click


def test_the_phrase_and_keys_open_the_wallet_anywhere(visit: Visiting, stack: Stack, move_clock: MoveClock) -> None:
    owner = EmailVisitor(visit, stack)
    address = owner.log_in()
    solana = str(owner.modal.api("getAccount", "solana")["address"])
    owner.modal.open_account()
    owner.modal.part("w3m-profile-button").click()
    owner.modal.part("account-settings-button").click()
    owner.modal.part("account-upgrade").click()
    move_clock(31)
    owner.modal.part("export-begin").click()
    owner.frame.get_by_test_id("recovery-code-input").press_sequentially(owner.code(8))
    with owner.page.expect_popup() as opened:
        deliberate_click(owner.frame.get_by_test_id("window-open"))
    window = opened.value
    expect(window.get_by_test_id("export-phrase")).to_contain_text("••••")
    window.get_by_test_id("export-show-phrase").click()
    words = window.get_by_test_id("export-phrase").locator("li").all_inner_texts()
    found: Any = Account
    found.enable_unaudited_hdwallet_features()
    assert len(words) == 12
    assert found.from_mnemonic(" ".join(words)).address == address
    window.get_by_test_id("export-show-evm").click()
    assert found.from_key(window.get_by_test_id("export-evm").inner_text()).address == address
    expect(window.get_by_text(solana)).to_be_visible()
    closing_click(window, window.get_by_test_id("export-done"))
    expect(owner.modal.part("export-begin")).to_be_visible()
