"""The way from one network to another: the wallet switches, adds, declines, or goes where the page does not work."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import METAMASK, Driver, session
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.text.texts import SWITCH_DECLINED, SWITCH_FAILED
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState

UNKNOWN = "31337"


async def switching(driver: Driver, chain: str = "eip155:137", **options: Any) -> dict[str, Any]:
    """A connected visitor has picked a network from the list."""
    await driver.connect(options=options)
    await driver.call("open")
    await driver.fire(NetworksState.open_list)
    await driver.fire(NetworksState.choose(chain))
    return (await driver.commands("wallet.request"))[0]


async def test_the_wallet_is_asked_to_switch(driver: Driver) -> None:
    command = await switching(driver)
    asked = {key: command["params"][key] for key in ("connector", "method", "params")}
    assert asked == {
        "connector": "io.metamask.test",
        "method": "wallet_switchEthereumChain",
        "params": [{"chainId": "0x89"}],
    }


async def test_switching_has_a_view_under_the_networks_name(driver: Driver) -> None:
    await switching(driver)
    shell = await driver.state(ShellState)
    assert (shell.view, shell.title) == ("SwitchNetwork", bundled_networks()["eip155:137"].name)


async def test_a_wallet_that_switches_leads_back_to_the_account(driver: Driver) -> None:
    command = await switching(driver)
    await driver.tell(sessions={"eip155": session(chain="137")})
    await driver.reply(command)
    shell, networks = await driver.state(ShellState), await driver.state(NetworksState)
    assert (shell.view, networks.active, networks.phase) == ("Account", "eip155:137", "idle")


async def test_a_reply_alone_switches_nothing(driver: Driver) -> None:
    await driver.reply(await switching(driver))
    assert (await driver.state(NetworksState)).active == "eip155:1"


@pytest.mark.parametrize(
    ("code", "message", "text"), [(4001, "no", SWITCH_DECLINED), (4200, "never heard of it", SWITCH_FAILED)]
)
async def test_a_wallet_that_does_not_switch_is_explained(driver: Driver, code: int, message: str, text: str) -> None:
    await driver.reply(await switching(driver), code=code, message=message)
    networks = await driver.state(NetworksState)
    assert (networks.phase, networks.error, networks.active) == ("error", text, "eip155:1")


async def test_try_again_asks_the_wallet_again(driver: Driver) -> None:
    command = await switching(driver)
    await driver.reply(command, code=4001, message="no")
    await driver.fire(NetworksState.retry)
    assert (await driver.commands("wallet.request"))[0]["id"] != command["id"]


async def test_try_again_while_the_wallet_is_asked_asks_nobody(driver: Driver) -> None:
    command = await switching(driver)
    await driver.fire(NetworksState.retry)
    assert [c["id"] for c in await driver.commands("wallet.request")] == [command["id"]]


async def adding(driver: Driver, **options: Any) -> dict[str, Any]:
    """The wallet did not know the network that was picked."""
    await driver.reply(await switching(driver, **options), code=4902, message="Unrecognized chain ID")
    return (await driver.commands("wallet.request"))[0]


async def test_a_network_that_the_wallet_does_not_know_is_added(driver: Driver) -> None:
    command = await adding(driver)
    assert (command["params"]["method"], command["params"]["params"][0]["chainId"]) == (
        "wallet_addEthereumChain",
        "0x89",
    )


async def test_the_wallet_gets_the_networks_public_urls(driver: Driver) -> None:
    command = await adding(driver)
    assert command["params"]["params"][0]["rpcUrls"] == list(bundled_networks()["eip155:137"].rpc)


async def test_a_wallet_that_adds_and_declines_is_explained(driver: Driver) -> None:
    await driver.reply(await adding(driver), code=4001, message="no")
    networks = await driver.state(NetworksState)
    assert (networks.phase, networks.error) == ("error", SWITCH_DECLINED)


async def test_a_wallet_that_adds_without_switching_is_asked_to_switch(driver: Driver) -> None:
    await driver.reply(await adding(driver))
    assert [c["params"]["method"] for c in await driver.commands("wallet.request")] == ["wallet_switchEthereumChain"]


async def test_a_wallet_that_adds_and_switches_is_asked_nothing_more(driver: Driver) -> None:
    command = await adding(driver)
    await driver.tell(sessions={"eip155": session(chain="137")})
    await driver.reply(command)
    assert await driver.commands("wallet.request") == []


async def test_a_wallet_that_never_knows_the_network_is_not_asked_forever(driver: Driver) -> None:
    await driver.reply(await adding(driver))
    await driver.reply((await driver.commands("wallet.request"))[0], code=4902, message="Unrecognized chain ID")
    assert await driver.commands("wallet.request") == []


async def test_nothing_is_added_for_a_visitor_who_has_disconnected(driver: Driver) -> None:
    command = await switching(driver)
    await driver.tell(sessions={})
    await driver.reply(command, code=4902, message="Unrecognized chain ID")
    assert await driver.commands("wallet.request") == []


async def test_a_second_choice_takes_the_place_of_the_first(driver: Driver) -> None:
    await switching(driver)
    await driver.fire(NetworksState.choose("eip155:10"))
    assert [c["params"]["params"] for c in await driver.commands("wallet.request")] == [[{"chainId": "0xa"}]]


async def test_a_second_choice_is_shown_under_its_own_name(driver: Driver) -> None:
    await switching(driver)
    await driver.fire(NetworksState.choose("eip155:10"))
    assert (await driver.state(ShellState)).title == bundled_networks()["eip155:10"].name


async def test_the_hosts_switch_is_answered_with_the_wallets_answer(driver: Driver) -> None:
    await driver.connect()
    await driver.call("switchNetwork", caipNetworkId="eip155:137")
    await driver.reply((await driver.commands("wallet.request"))[0], code=4001, message="no")
    answer = await driver.answer("call-switchNetwork")
    assert answer["error"]["code"] == 4001


async def test_the_hosts_switch_is_answered_after_the_network_was_added(driver: Driver) -> None:
    await driver.connect()
    await driver.call("switchNetwork", caipNetworkId="eip155:137")
    await driver.reply((await driver.commands("wallet.request"))[0], code=4902, message="?")
    await driver.tell(sessions={"eip155": session(chain="137")})
    await driver.reply((await driver.commands("wallet.request"))[0])
    answer = await driver.answer("call-switchNetwork")
    assert answer["ok"] is True


async def test_the_hosts_switch_is_rejected_when_another_takes_its_place(driver: Driver) -> None:
    await driver.connect()
    await driver.call("switchNetwork", call_id="first", caipNetworkId="eip155:137")
    await driver.call("switchNetwork", call_id="second", caipNetworkId="eip155:10")
    answer = await driver.answer("first")
    assert answer["ok"] is False


async def test_the_hosts_switch_is_rejected_when_the_network_is_removed_meanwhile(driver: Driver) -> None:
    await driver.connect()
    await driver.call("switchNetwork", caipNetworkId="eip155:137")
    await driver.call("removeNetwork", caipNetworkId="eip155:137")
    await driver.reply((await driver.commands("wallet.request"))[0], code=4902, message="?")
    answer = await driver.answer("call-switchNetwork")
    assert answer["ok"] is False


async def test_the_hosts_switch_without_a_wallet_is_answered_at_once(driver: Driver) -> None:
    await driver.load()
    await driver.call("switchNetwork", caipNetworkId="eip155:137")
    assert (await driver.answer("call-switchNetwork"))["ok"] is True


async def test_a_live_change_to_an_unsupported_network_opens_the_modal(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view) == (True, "UnsupportedChain")


async def test_it_opens_although_the_visitor_was_last_seen_connecting(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.tell(sessions={"eip155": session()})
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view) == (True, "UnsupportedChain")


async def test_a_live_change_to_an_unsupported_network_is_shown_in_an_open_modal(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view) == (True, "UnsupportedChain")


async def test_a_wallet_restored_on_an_unsupported_network_does_not_open_the_modal(driver: Driver) -> None:
    await driver.connect()
    await driver.reload(settled=False)
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    assert (await driver.state(ShellState)).open is False


async def test_connecting_on_an_unsupported_network_shows_it(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.select("connector", "io.metamask.test"))
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    shell = await driver.state(ShellState)
    assert (shell.open, shell.view) == (True, "UnsupportedChain")


@pytest.mark.parametrize("options", [{"allowUnsupportedChain": True}, {"enableNetworkSwitch": False}])
async def test_a_host_may_allow_unsupported_networks(driver: Driver, options: dict[str, Any]) -> None:
    await driver.connect(options=options)
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    shell, networks = await driver.state(ShellState), await driver.state(NetworksState)
    assert (shell.open, networks.unsupported) == (False, True)


async def test_a_wallet_that_comes_back_to_a_supported_network_frees_the_visitor(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    await driver.tell(sessions={"eip155": session(chain="1")})
    shell, networks = await driver.state(ShellState), await driver.state(NetworksState)
    assert (shell.open, networks.unsupported) == (False, False)


async def test_an_unsupported_network_is_left_by_choosing_another(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    await driver.fire(NetworksState.choose("eip155:137"))
    await driver.tell(sessions={"eip155": session(chain="137")})
    assert (await driver.state(ShellState)).open is False


async def test_an_unsupported_network_is_left_by_disconnecting(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    await driver.fire(NetworksState.disconnect)
    await driver.tell(sessions={})
    assert (await driver.state(ShellState)).open is False


async def test_a_network_changed_in_the_wallet_closes_the_account(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.tell(sessions={"eip155": session(chain="137")})
    assert (await driver.state(ShellState)).open is False


async def test_a_network_changed_in_the_wallet_does_not_disturb_the_connecting(driver: Driver) -> None:
    rabby = {**METAMASK, "id": "io.rabby.test", "name": "Rabby", "rdns": "io.rabby.test"}
    await driver.connect(wallets=[METAMASK, rabby])
    await driver.call("open", view="Connect")
    await driver.fire(ChoiceState.select("connector", "io.rabby.test"))
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)}, wallets=[METAMASK, rabby])
    assert (await driver.state(ShellState)).view == "ConnectingExternal"
