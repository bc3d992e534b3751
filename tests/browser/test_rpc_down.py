"""The chain cannot be read: the balance is unavailable, and everything else works."""

import re
from contextlib import suppress
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.stack import Stack
from tests.browser.visiting import visiting
from tests.browser.visits import Visiting

UNAVAILABLE = re.compile("unavailable", re.IGNORECASE)

FAULTS = {
    "answers 500": {"status": 500},
    "drops the connection": {"drop": True},
    "answers nonsense": {"body": "<html>"},
    "answers a wrong shape": {"body": {"jsonrpc": "2.0", "id": 1, "result": {"no": "number"}}},
}


@dataclass(frozen=True)
class Found:
    """What a visitor found who connected while the gateway failed, changed the network, and left again.

    Attributes:
        account: the address that connected, and `wanted` the one that should.
        network: the one that the host knew after the change.
        left: whether nobody was connected in the end, and nothing shown.
    """

    account: str
    wanted: str
    balance: str
    network: str
    left: bool


@pytest.fixture(scope="module", params=FAULTS.values(), ids=list(FAULTS))
def without_rpc(request: pytest.FixtureRequest, stack: Stack, chromium: Browser) -> Found:
    """A whole visit while the gateway fails."""
    stack.fail("rpc", **request.param)
    try:
        with visiting(stack, chromium) as visit:
            visitor = visit()
            modal = visitor.modal
            modal.connect(visitor.wallet)
            account = str(modal.api("getAddress"))
            modal.open_account()
            # Whether it came to that is for the tests to say, here and below.
            with suppress(AssertionError):
                expect(modal.balance).to_have_text(UNAVAILABLE)
            balance = modal.balance.inner_text()
            modal.begin("switch", "switchNetwork", "eip155:137")
            visitor.wallet.approve("wallet_switchEthereumChain")
            with suppress(AssertionError):
                modal.expect_network("eip155:137")
            network = str(modal.api("getCaipNetworkId"))
            modal.part("disconnect-button").click()
            with suppress(AssertionError):
                modal.expect_closed()
                modal.expect_disconnected()
            left = modal.api("getIsConnectedState") is False and modal.card.is_hidden()
            return Found(account, visitor.account.address, balance, network, left)
    finally:
        stack.heal()


def test_the_balance_shows_as_unavailable(without_rpc: Found) -> None:
    assert UNAVAILABLE.search(without_rpc.balance)


def test_the_account_is_connected_all_the_same(without_rpc: Found) -> None:
    assert without_rpc.account.lower() == without_rpc.wanted.lower()


def test_the_network_can_be_switched_all_the_same(without_rpc: Found) -> None:
    assert without_rpc.network == "eip155:137"


def test_one_can_disconnect_all_the_same(without_rpc: Found) -> None:
    assert without_rpc.left


def test_a_slow_rpc_holds_nothing_up(healthy_sandbox: Stack, visit: Visiting) -> None:
    healthy_sandbox.fail("rpc", delay_ms=60_000)
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    visitor.modal.disconnect()
    visitor.modal.expect_closed()
