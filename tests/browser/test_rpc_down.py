"""The chain cannot be read: the balance is unavailable, and everything else works."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.stack import Stack
from tests.browser.visits import Visit, Visiting

FAULTS = {
    "answers 500": {"status": 500},
    "drops the connection": {"drop": True},
    "answers nonsense": {"body": "<html>"},
    "answers a wrong shape": {"body": {"jsonrpc": "2.0", "id": 1, "result": {"no": "number"}}},
}


@pytest.fixture(params=FAULTS.values(), ids=list(FAULTS))
def without_rpc(request: pytest.FixtureRequest, healthy_sandbox: Stack, visit: Visiting) -> Visit:
    """A visitor who has connected while the gateway fails."""
    healthy_sandbox.fail("rpc", **request.param)
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    return visitor


def test_the_balance_shows_as_unavailable(without_rpc: Visit) -> None:
    without_rpc.modal.open_account()
    expect(without_rpc.modal.balance).to_have_text(re.compile("unavailable", re.IGNORECASE), timeout=20_000)


def test_the_account_is_connected_all_the_same(without_rpc: Visit) -> None:
    without_rpc.modal.expect_connected(without_rpc.account.address)


def test_the_network_can_be_switched_all_the_same(without_rpc: Visit) -> None:
    without_rpc.modal.begin("switch", "switchNetwork", "eip155:137")
    without_rpc.wallet.approve("wallet_switchEthereumChain")
    without_rpc.modal.expect_network("eip155:137")


def test_one_can_disconnect_all_the_same(without_rpc: Visit) -> None:
    without_rpc.modal.disconnect()
    without_rpc.modal.expect_closed()


def test_a_slow_rpc_holds_nothing_up(healthy_sandbox: Stack, visit: Visiting) -> None:
    healthy_sandbox.fail("rpc", delay_ms=60_000)
    visitor = visit()
    visitor.modal.connect(visitor.wallet)
    visitor.modal.disconnect()
    visitor.modal.expect_closed()
