"""What can be done with an account, by the host's features and the namespace."""

from __future__ import annotations

import pytest

from tests.driver import Driver
from tests.features.namespaces import BITCOIN, BTC, SOL, SOLANA, WALLETS, told
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.protocol.options import Features, WalletFeature
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account.offers import has_history, offered_actions, offered_tabs

EVERY_ACTION: list[WalletFeature] = ["onramp", "swaps", "receive", "send"]


@pytest.mark.parametrize(
    ("namespace", "actions"),
    [
        ("eip155", EVERY_ACTION),
        ("solana", ["onramp", "receive", "send"]),
        ("bip122", ["receive"]),
        ("polkadot", ["receive"]),
    ],
)
def test_the_namespace_decides_what_can_be_done(namespace: Namespace, actions: list[WalletFeature]) -> None:
    assert offered_actions(Features(), namespace) == actions


def test_the_host_decides_about_the_order() -> None:
    features = Features(wallet_features_order=("send", "receive", "swaps", "onramp"), swaps=False)
    assert offered_actions(features, "eip155") == ["send", "receive", "onramp"]


@pytest.mark.parametrize(
    ("history", "namespace", "tabs"),
    [
        (True, "eip155", ["Tokens", "NFTs", "Activity"]),
        (True, "solana", ["Tokens", "NFTs", "Activity"]),
        (False, "eip155", ["Tokens", "NFTs"]),
        (True, "bip122", []),
    ],
)
def test_tabs_go_by_features_and_namespace(history: bool, namespace: Namespace, tabs: list[str]) -> None:
    features = Features(history=history)
    assert offered_tabs(features, namespace) == tabs
    assert has_history(features, namespace) is ("Activity" in tabs)


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_an_account_with_tokens_has_tabs(driver: Driver) -> None:
    await driver.connect()
    active = await driver.state(ActiveState)
    assert (active.compact, active.tab) == (False, "Tokens")


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_the_host_may_want_it_compact(driver: Driver) -> None:
    await driver.connect(options={"compactAccount": True})
    assert (await driver.state(ActiveState)).compact is True


@pytest.mark.usefixtures("every_chain")
@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_an_account_without_tokens_is_compact(driver: Driver) -> None:
    sessions = {"bip122": told(BITCOIN, BTC), "solana": told(SOLANA, SOL)}
    await driver.load(wallets=WALLETS, sessions=sessions, options={"defaultNetwork": BITCOIN})
    active = await driver.state(ActiveState)
    assert (active.namespace, active.compact, active.tab) == ("bip122", True, "")


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_a_tab_that_is_not_offered_cannot_be_opened(driver: Driver) -> None:
    await driver.connect(options={"features": {"history": False}})
    await driver.fire(ActiveState.choose_tab("NFTs"))
    await driver.fire(ActiveState.choose_tab("Activity"))
    assert (await driver.state(ActiveState)).tab == "NFTs"


@pytest.mark.parametrize("manager", ["memory"], indirect=True)
async def test_a_tab_that_the_host_takes_away_is_left(driver: Driver) -> None:
    await driver.connect()
    await driver.fire(ActiveState.choose_tab("Activity"))
    await driver.call("options", options={"features": {"history": False}})
    assert (await driver.state(ActiveState)).tab == "Tokens"
