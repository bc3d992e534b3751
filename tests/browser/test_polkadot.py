"""Polkadot from the host's button to a signature, with the Sandbox Wallet: the entry of `injectedWeb3` that a page meets."""

from typing import Any

import base58
import pytest
import sr25519
from playwright.sync_api import expect

from tests.browser.visits import Visit, Visiting

WALLET = "dev.walletmodal.sandbox"
FIRST = "15kyC2xTckettUR82sbpzmSx9k1KgYBcVLLP2q1RySgWm2V9"
THIRD = "15V4h6Ws6PqN72WRrjUheWAqJhwhDGWH4rEDhMGuqXv2vqeC"
NETWORK = "polkadot:91b171bb158e2d3848fa23a9f1c25182"
MESSAGE = "Grüße"

AS_THE_CONVENTION_HAS_IT = """Object.defineProperty(window, 'injectedWeb3', {
  configurable: true,
  set(entries) {
    const plain = Object.fromEntries(Object.entries(entries).map(([key, { version, enable }]) => [key, { version, enable }]));
    Object.defineProperty(window, 'injectedWeb3', { value: plain });
  },
});"""
"""Leaves an extension what all have: nothing that tells whether a page is known to it."""


def _asked(visit: Visiting, *before: str) -> Visit:
    query = {"wallet": "", "networks": "all"}
    visitor = visit(query=query, wallet={"announce": False, "extra": {"onWindow": False}}, before=before)
    visitor.modal.open()
    visitor.modal.wallet_row(WALLET).click()
    visitor.modal.part("wui-list-chain-polkadot").click()
    return visitor


def _connected(visitor: Visit) -> Visit:
    visitor.page.get_by_test_id("sandbox-wallet-approve").click()
    visitor.modal.expect_connected(FIRST)
    visitor.modal.expect_closed()
    return visitor


def _choose(visitor: Visit, account: int) -> None:
    visitor.page.get_by_test_id("sandbox-wallet-toggle").click()
    visitor.page.get_by_test_id("sandbox-wallet-tab-polkadot").click()
    visitor.page.get_by_test_id("sandbox-wallet-account").select_option(str(account))


def _forgotten(visitor: Visit) -> None:
    """The page has begun anew, and nothing is remembered that could still come back."""
    visitor.modal.wait(lambda: visitor.modal.api("getState")["initialized"], what="the beginning of the page")
    remembered = "localStorage.getItem('@appkit/polkadot:connected_connector_id')"
    visitor.modal.wait(lambda: visitor.page.evaluate(remembered) is None, what="the wallet being forgotten")
    visitor.modal.expect_disconnected()


@pytest.fixture
def asked(visit: Visiting) -> Visit:
    """A visitor who has picked Polkadot of the wallet's namespaces."""
    return _asked(visit)


@pytest.fixture
def connected(asked: Visit) -> Visit:
    """The same, once the owner has agreed."""
    return _connected(asked)


def test_the_owner_may_refuse(asked: Visit) -> None:
    asked.page.get_by_test_id("sandbox-wallet-reject").click()
    expect(asked.modal.card).to_contain_text("Connection declined")


def test_the_account_and_its_network_are_followed(connected: Visit) -> None:
    connected.modal.expect_network(NETWORK)
    _choose(connected, 2)
    connected.modal.expect_connected(THIRD)


def test_after_a_reload_it_is_connected_without_a_question(connected: Visit) -> None:
    connected.page.reload()
    connected.modal.expect_connected(FIRST)
    expect(connected.page.get_by_test_id("sandbox-wallet-approve")).to_have_count(0)


def test_an_extension_that_cannot_be_asked_silently_is_forgotten_and_never_prompts(visit: Visiting) -> None:
    visitor = _connected(_asked(visit, AS_THE_CONVENTION_HAS_IT))
    visitor.page.reload()
    _forgotten(visitor)
    expect(visitor.page.get_by_test_id("sandbox-wallet-approve")).to_have_count(0)


def test_what_was_disconnected_stays_so_after_a_reload(connected: Visit) -> None:
    connected.modal.disconnect()
    connected.page.reload()
    _forgotten(connected)


def test_what_the_owner_takes_back_is_gone(connected: Visit) -> None:
    connected.page.get_by_test_id("sandbox-wallet-toggle").click()
    connected.page.get_by_test_id("sandbox-wallet-tab-polkadot").click()
    connected.page.get_by_test_id("sandbox-wallet-disconnect").click()
    connected.modal.expect_disconnected()


def test_the_host_gets_signatures(connected: Visit) -> None:
    connected.page.evaluate(
        """([address, message]) => { modal.getProvider("polkadot")
          .request({ method: "polkadot_signMessage", params: { address, message } })
          .then((value) => { window.signed = value; }, (error) => { window.signed = { failed: String(error) }; }); }""",
        [FIRST, MESSAGE],
    )
    connected.page.get_by_test_id("sandbox-wallet-approve").click()
    signed: Any = connected.modal.wait(lambda: connected.page.evaluate("window.signed"), what="the signature")
    wrapped = b"<Bytes>" + MESSAGE.encode() + b"</Bytes>"
    assert sr25519.verify(bytes.fromhex(signed["signature"][2:]), wrapped, base58.b58decode(FIRST)[1:33])
