"""NFTs and activity of an account that has some, on the sandbox's own chain and over its service."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.chain import TestAccount
from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting
from walletmodal.sandbox.evm.world import worlds

ALICE = TestAccount(
    "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
)
"""The first of the accounts whose keys everybody knows: it has NFTs and a history from the beginning."""


@pytest.fixture
def account() -> TestAccount:
    """Of these visitors."""
    return ALICE


@pytest.fixture
def alice(visit: Visiting, stack: Stack) -> Visit:
    """A visitor with a past, who looks at the account."""
    found = visit(server=stack.account_modal)
    found.modal.connect(found.wallet)
    found.modal.open_account()
    return found


def tab(visitor: Visit, name: str) -> None:
    """Opens a tab of the account."""
    visitor.modal.part(f"tab-{name}").click()


def entries(visitor: Visit) -> Locator:
    """The transactions that are shown."""
    return visitor.modal.frame.locator('[data-testid^="activity-item-"]')


def picture_is_there(cell: Locator) -> None:
    """Waits until the picture has loaded, not only its place."""
    expect(cell.locator('[data-picture="there"]')).to_be_visible()


def test_nfts_are_shown_with_their_pictures_and_each_in_detail(alice: Visit) -> None:
    tab(alice, "NFTs")
    expect(alice.modal.frame.locator('[data-testid^="nft-item-"]')).to_have_count(10)
    cell = alice.modal.part("nft-item-9")
    picture_is_there(alice.modal.part("nft-item-0"))
    expect(cell).to_contain_text("Lattice Birds #1")
    cell.click()
    alice.modal.expect_view("Lattice Birds #1")
    contract = next(one.address for one in worlds()["eip155:1"].collections if one.symbol == "BIRD")
    expect(alice.modal.part("nft-copy-contract")).to_have_attribute("title", contract)
    alice.modal.part("header-back").click()
    expect(cell).to_be_visible()


def test_an_nft_that_is_sent_away_is_gone(alice: Visit, stack: Stack) -> None:
    tab(alice, "NFTs")
    cell = alice.modal.frame.locator('[data-asset*="erc721"]').first
    expect(cell).to_be_visible()
    asset = cell.get_attribute("data-asset") or ""
    contract, _, token = asset.rpartition("erc721:")[2].partition("/")
    data = f"0x23b872dd{ALICE.address[2:]:0>64}{'70997970C51812dc3A010C7d01b50e0d17dc79C8':0>64}{int(token):064x}"
    sent = {"from": ALICE.address, "to": contract, "data": data}
    body = {"jsonrpc": "2.0", "id": 1, "method": "eth_sendTransactionSync", "params": [sent]}
    assert "result" in stack.client.post(stack.node_urls[1], json=body).json()
    cell.click()
    expect(alice.modal.part("nft-gone")).to_be_visible()


def test_the_demo_pages_faucet_gives_an_nft_that_is_there_then(connected: Visit) -> None:
    connected.page.get_by_test_id("demo-faucet-nft").click()
    said = connected.page.get_by_test_id("demo-result")
    expect(said).to_contain_text(re.compile(r"^Lattice Birds #\d+ is yours: eip155:1/erc721:"))
    name = (said.text_content() or "").partition(" is yours")[0]
    connected.modal.open_account()
    tab(connected, "NFTs")
    expect(connected.modal.frame.locator('[data-testid^="nft-item-"]', has_text=name)).to_be_visible()


def test_activity_is_shown_by_month_and_leads_to_the_explorer(alice: Visit) -> None:
    tab(alice, "Activity")
    expect(entries(alice).first).to_be_visible()
    expect(alice.modal.part("group-title").first).to_have_text(re.compile(r"^[A-Z][a-z]+( \d{4})?$"))
    hash_ = (entries(alice).first.get_attribute("data-testid") or "").removeprefix("activity-item-")
    expect(entries(alice).first).to_have_attribute("href", f"https://etherscan.io/tx/{hash_}")


def test_a_history_that_is_down_is_said_and_tried_again(alice: Visit, healthy_sandbox: Stack) -> None:
    healthy_sandbox.fail("blockchain", path="/v1/account", status=500)
    alice.modal.note_toasts()
    tab(alice, "Activity")
    alice.modal.expect_toast("Failed to fetch transactions")
    expect(alice.modal.part("activity-failed")).to_be_visible()
    healthy_sandbox.heal()
    alice.modal.part("activity-retry").click()
    expect(entries(alice).first).to_be_visible()
