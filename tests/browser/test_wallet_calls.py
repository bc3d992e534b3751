"""Batches of calls (EIP-5792) and assets (ERC-7811) with a wallet that has them, on a chain that carries them out."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.chain import WEI, new_account
from tests.browser.stack import Stack
from tests.browser.test_host_libraries import done
from tests.browser.test_send import USDC, fund_usdc, usdc_of
from tests.browser.visits import Visit, Visiting
from tests.browser.wallet_bundle import LIBRARIES, wallet_script

SEND = "wallet_sendCalls"
COINS, UNITS = WEI // 4, 1_500_000
"""What the batch pays: of the chain's coin, and of USDC."""
TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
"""The event of ERC-20."""
WITH_CALLS = {"extra": {"calls": {"tokens": {"1": [USDC]}}}}
CAN = {"atomic": {"status": "unsupported"}, "assetDiscovery": {"supported": True}}


def arrive(make: Visiting, stack: Stack, **options: Any) -> Visit:
    """A connected visitor with coins and USDC, whose wallet makes batches."""
    visitor = make(wallet=WITH_CALLS, **options)
    stack.chain(1).fund(visitor.account.address, "10")
    fund_usdc(stack, visitor.account.address, 50_000_000)
    visitor.modal.connect(visitor.wallet)
    return visitor


@pytest.fixture(scope="module")
def sender(shared_visit: Visiting, stack: Stack) -> Visit:
    """Whose host page asks the wallet without more ado."""
    return arrive(shared_visit, stack, before=[wallet_script(LIBRARIES)])


@pytest.fixture(scope="module")
def careful(shared_visit: Visiting, stack: Stack) -> Visit:
    """Whose host page has every request confirmed; the modal is closed after each test."""
    return arrive(shared_visit, stack, options={"confirmRequests": "all"})


def payments(receiver: str) -> list[dict[str, str]]:
    """Coins and USDC for a receiver."""
    transfer = "0xa9059cbb" + receiver[2:].lower().rjust(64, "0") + f"{UNITS:064x}"
    return [{"to": receiver, "value": hex(COINS)}, {"to": USDC, "data": transfer}]


def paid(stack: Stack, receiver: str) -> tuple[int, int]:
    """The coins and the USDC that a receiver has."""
    return stack.chain(1).balance(receiver), usdc_of(stack, receiver)


def batch(visitor: Visit, calls: list[dict[str, str]], **terms: Any) -> list[dict[str, Any]]:
    """The parameters of `wallet_sendCalls`."""
    of_us = {"version": "2.0.0", "from": visitor.account.address, "chainId": "0x1", "atomicRequired": False}
    return [{**of_us, "calls": calls, **terms}]


def sent(visitor: Visit, calls: list[dict[str, str]], **terms: Any) -> str:
    """The id of a batch to which the wallet's owner has agreed."""
    visitor.modal.begin_request("batch", SEND, batch(visitor, calls, **terms))
    visitor.wallet.approve(SEND)
    found: str = visitor.modal.outcome("batch")["value"]["id"]
    return found


def ended(visitor: Visit, batch_id: str) -> Any:
    """What the wallet tells of a batch once it is no longer on its way."""

    def status() -> Any:
        told = visitor.modal.request("wallet_getCallsStatus", [batch_id])["value"]
        return told if told["status"] != 100 else None

    return visitor.modal.wait(status, what="the end of the batch")


def test_the_wallet_says_what_it_can_on_each_of_its_networks(sender: Visit) -> None:
    told = sender.modal.request("wallet_getCapabilities", [sender.account.address])
    assert told == {"value": {"0x1": CAN, "0x89": CAN}}


def test_it_says_it_of_the_networks_that_were_named(sender: Visit) -> None:
    told = sender.modal.request("wallet_getCapabilities", [sender.account.address, ["0x89"]])
    assert told == {"value": {"0x89": CAN}}


def test_both_calls_are_made_and_confirmed(sender: Visit, stack: Stack) -> None:
    receiver = new_account().address
    told = ended(sender, sent(sender, payments(receiver)))
    assert (told["status"], told["chainId"], told["atomic"]) == (200, "0x1", False)
    assert paid(stack, receiver) == (COINS, UNITS)


def test_the_receipts_are_those_of_the_chain(sender: Visit, stack: Stack) -> None:
    receiver = new_account().address
    first, second = ended(sender, sent(sender, payments(receiver)))["receipts"]
    for told in (first, second):
        receipt: Any = stack.chain(1).call("eth_getTransactionReceipt", told["transactionHash"])
        assert {name: receipt[name] for name in told if name != "logs"} == {
            name: value for name, value in told.items() if name != "logs"
        }
    assert [log["topics"][0] for log in second["logs"]] == [TRANSFER]


def test_viem_sends_a_batch_and_waits_for_it(sender: Visit, stack: Stack) -> None:
    receivers = [new_account().address, new_account().address]
    assert done(sender, "viem", "pay", receivers, str(COINS), approve=SEND) == 2
    assert [stack.chain(1).balance(receiver) for receiver in receivers] == [COINS, COINS]


def test_what_is_told_of_a_batch_is_told_after_a_reload(sender: Visit) -> None:
    batch_id = sent(sender, payments(new_account().address))
    told = ended(sender, batch_id)
    sender.page.reload()
    sender.modal.expect_connected(sender.account.address)
    assert sender.modal.request("wallet_getCallsStatus", [batch_id])["value"] == told


def test_a_rejected_batch_pays_nothing(sender: Visit, stack: Stack) -> None:
    receiver = new_account().address
    sender.modal.begin_request("batch", SEND, batch(sender, payments(receiver)))
    sender.wallet.reject(SEND)
    assert sender.modal.outcome("batch")["code"] == 4001
    assert paid(stack, receiver) == (0, 0)


def test_a_call_that_fails_is_the_last_and_the_status_says_so(sender: Visit, stack: Stack) -> None:
    receiver = new_account().address
    coins, dollars = payments(receiver)
    too_much = {"to": receiver, "value": hex(1000 * WEI)}
    told = ended(sender, sent(sender, [coins, too_much, dollars]))
    assert (told["status"], len(told["receipts"])) == (600, 1)
    assert paid(stack, receiver) == (COINS, 0)


def test_a_batch_that_the_chain_does_not_take_has_no_receipts(sender: Visit) -> None:
    told = ended(sender, sent(sender, [{"to": new_account().address, "value": hex(1000 * WEI)}]))
    assert (told["status"], "receipts" in told) == (400, False)


def test_a_batch_that_nobody_has_sent_is_unknown(sender: Visit) -> None:
    assert sender.modal.request("wallet_getCallsStatus", ["0x" + "77" * 32])["code"] == 5730


def test_an_id_is_taken_once(sender: Visit) -> None:
    named = "0x" + new_account().address[2:] * 2
    calls = [{"to": new_account().address, "value": "0x1"}]
    assert sent(sender, calls, id=named) == named
    assert sender.modal.request(SEND, batch(sender, calls, id=named))["code"] == 5720


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        ({"atomicRequired": True}, 5760),
        ({"capabilities": {"paymasterService": {"url": "https://paymaster.test"}}}, 5700),
    ],
    ids=["calls as one", "a capability"],
)
@pytest.mark.parametrize("page", ["sender", "careful"])
def test_nobody_is_asked_about_what_the_wallet_cannot_do(
    request: pytest.FixtureRequest, page: str, terms: dict[str, Any], code: int
) -> None:
    visitor: Visit = request.getfixturevalue(page)
    before = visitor.wallet.asked(SEND)
    refused = visitor.modal.request(SEND, batch(visitor, payments(new_account().address), **terms))
    assert (refused["code"], visitor.wallet.asked(SEND)) == (code, before)
    visitor.modal.expect_closed()


def test_a_capability_that_may_be_left_out_is(sender: Visit) -> None:
    terms = {"capabilities": {"paymasterService": {"url": "https://paymaster.test", "optional": True}}}
    told = ended(sender, sent(sender, payments(new_account().address), **terms))
    assert told["status"] == 200


def test_permissions_that_the_wallet_does_not_have_are_not_granted(sender: Visit) -> None:
    wanted = [{"chainId": "0x1", "expiry": 4102444800, "signer": {"type": "keys", "data": {}}, "permissions": []}]
    assert sender.modal.request("wallet_grantPermissions", wanted)["code"] in (-32601, 4200)


def test_a_confirmed_batch_is_shown_and_made(careful: Visit, stack: Stack) -> None:
    receiver = new_account().address
    careful.modal.begin_request("batch", SEND, batch(careful, payments(receiver)))
    careful.modal.expect_view("Approve Transaction")
    expect(careful.modal.part("approve-part-0")).to_contain_text("Send 0.25 ETH")
    expect(careful.modal.part("approve-part-1")).to_contain_text("Send 1.5 USDC")
    careful.modal.part("request-approve-button").click()
    careful.wallet.approve(SEND)
    assert ended(careful, careful.modal.outcome("batch")["value"]["id"])["status"] == 200
    assert paid(stack, receiver) == (COINS, UNITS)
    careful.modal.expect_closed()


def test_a_batch_that_is_not_confirmed_never_reaches_the_wallet(careful: Visit) -> None:
    before = careful.wallet.calls(SEND)
    careful.modal.begin_request("batch", SEND, batch(careful, payments(new_account().address)))
    careful.modal.part("request-reject-button").click()
    assert (careful.modal.outcome("batch")["code"], careful.wallet.calls(SEND)) == (4001, before)
    careful.modal.expect_closed()


def test_the_assets_are_what_the_chain_says(sender: Visit, stack: Stack) -> None:
    told = sender.modal.request("wallet_getAssets", [{"account": sender.account.address, "chainFilter": ["0x1"]}])
    coins, dollars = told["value"]["0x1"]
    assert (coins["type"], int(coins["balance"], 16)) == ("native", stack.chain(1).balance(sender.account.address))
    assert (dollars["address"], int(dollars["balance"], 16)) == (USDC, usdc_of(stack, sender.account.address))
    assert (dollars["metadata"]["symbol"], dollars["metadata"]["decimals"]) == ("USDC", 6)


def test_the_assets_of_another_account_are_nobodys_business(sender: Visit) -> None:
    assert sender.modal.request("wallet_getAssets", [{"account": new_account().address}])["code"] == 4100
