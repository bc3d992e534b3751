"""Which actions are told to the host's subscribers, each exactly once, and with which properties."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.driver import Driver, session
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState

Action = Callable[[Driver], Awaitable[None]]
WALLET = {"name": "MetaMask", "platform": "browser"}
POLYGON = {"network": "eip155:137"}


async def fresh(driver: Driver) -> None:
    """A page without a wallet."""
    await driver.load()


async def connected(driver: Driver) -> None:
    """A page with one."""
    await driver.connect()


async def declined(driver: Driver) -> None:
    """A wallet was selected and has declined."""
    await driver.load()
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.reply((await driver.commands("wallet.connect"))[0], code=4001, message="no")


async def not_switched(driver: Driver) -> None:
    """A network was picked and the wallet has declined."""
    await driver.connect()
    await driver.fire(NetworksState.choose("eip155:137"))
    await driver.reply((await driver.commands("wallet.request"))[0], code=4001, message="no")


async def opened(driver: Driver) -> None:
    """The account is shown."""
    await driver.connect()
    await driver.call("open")


async def select(driver: Driver) -> None:
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))


async def select_twice(driver: Driver) -> None:
    await select(driver)
    await select(driver)


async def retry_the_wallet(driver: Driver) -> None:
    await driver.fire(ConnectState.retry)


async def pick_a_network(driver: Driver) -> None:
    await driver.fire(NetworksState.choose("eip155:137"))


async def retry_the_network(driver: Driver) -> None:
    await driver.fire(NetworksState.retry)


async def host_switches(driver: Driver) -> None:
    await driver.call("switchNetwork", caipNetworkId="eip155:137")


async def provider_switches(driver: Driver) -> None:
    await driver.request("wallet_switchEthereumChain", [{"chainId": "0x89"}])


async def provider_stays(driver: Driver) -> None:
    await driver.request("wallet_switchEthereumChain", [{"chainId": "0x1"}])


async def wallet_switches(driver: Driver) -> None:
    await driver.tell(sessions={"eip155": session(chain="137")})


async def open_networks(driver: Driver) -> None:
    await driver.call("open", view="Networks", call_id="networks")


async def open_the_list(driver: Driver) -> None:
    await driver.fire(NetworksState.open_list)


async def ask_for_help(driver: Driver) -> None:
    await driver.fire(ShellState.push("WhatIsAWallet"))


@pytest.mark.parametrize(
    ("before", "action", "told"),
    [
        (fresh, select, [("SELECT_WALLET", WALLET)]),
        (fresh, select_twice, [("SELECT_WALLET", WALLET)]),
        (declined, select, [("SELECT_WALLET", WALLET)]),
        (declined, retry_the_wallet, []),
        (fresh, pick_a_network, [("SWITCH_NETWORK", POLYGON)]),
        (connected, pick_a_network, [("SWITCH_NETWORK", POLYGON)]),
        (connected, host_switches, [("SWITCH_NETWORK", POLYGON)]),
        (connected, provider_switches, [("SWITCH_NETWORK", POLYGON)]),
        (connected, provider_stays, []),
        (connected, wallet_switches, []),
        (not_switched, retry_the_network, []),
        (fresh, open_networks, [("MODAL_OPEN", {"connected": False}), ("CLICK_NETWORKS", {})]),
        (opened, open_networks, [("CLICK_NETWORKS", {})]),
        (opened, open_the_list, [("CLICK_NETWORKS", {})]),
        (fresh, ask_for_help, [("CLICK_WALLET_HELP", {})]),
    ],
)
async def test_an_action_is_told_once(
    driver: Driver, before: Action, action: Action, told: list[tuple[str, dict[str, Any]]]
) -> None:
    await before(driver)
    known = {item["number"] for item in driver.told()}
    await action(driver)
    new = [item for item in driver.told() if item["number"] not in known]
    assert [(item["event"], item["properties"]) for item in new] == told


def initializing(driver: Driver) -> list[dict[str, Any]]:
    """The properties of every INITIALIZE that the host was told."""
    return [item["properties"] for item in driver.told() if item["event"] == "INITIALIZE"]


async def test_a_page_is_told_its_options_once(driver: Driver) -> None:
    await driver.load(options={"debug": False})
    await driver.reload_frame(options={"debug": False})
    assert [properties["debug"] for properties in initializing(driver)] == [False]


async def test_the_next_page_is_told_its_own_options(driver: Driver) -> None:
    await driver.load(options={"debug": False})
    await driver.reload()
    assert ["debug" in properties for properties in initializing(driver)] == [True, False]


async def test_the_options_are_told_without_adapters_and_pictures(driver: Driver) -> None:
    picture = "https://example.com/i.png"
    await driver.load(
        options={
            "adapters": ["eip155"],
            "chainImages": {"eip155:1": picture},
            "connectorImages": {"injected": picture},
            "metadata": {"name": "Shop", "icons": [picture]},
            "customWallets": [{"id": "own", "name": "Own", "image_url": picture}],
        }
    )
    (properties,) = initializing(driver)
    assert ("adapters" in properties, picture in str(properties), properties["metadata"]["name"]) == (
        False,
        False,
        "Shop",
    )
