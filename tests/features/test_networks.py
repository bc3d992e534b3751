"""Which networks there are, which is active, and what the host may change of that."""

from __future__ import annotations

from typing import Any

import pytest

from tests.chain_double import ChainDouble
from tests.driver import ADDRESS, Driver, session
from tests.features.conftest import Configure
from walletmodal.core.chains.networks import bundled_networks
from walletmodal.core.text.texts import CANNOT_REMOVE_LAST_NETWORK, alert
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.networks.host_calls import MAX_NETWORKS
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState

UNKNOWN = "31337"
ADDED = {"id": 31337, "name": "Local", "nativeCurrency": {"name": "Ether", "symbol": "ETH", "decimals": 18}}
DESCRIBED = {
    **ADDED,
    "nativeCurrency": {"name": "Local", "symbol": "LOC", "decimals": 6},
    "explorer": {"name": "Scan", "url": "https://scan.example"},
}


def stored(network: str) -> dict[str, Any]:
    """What the page remembers of its network."""
    return {"activeNetworkId": network, "activeNamespace": "eip155", "recent": [], "interrupted": None}


async def offered(driver: Driver) -> list[str]:
    """The list as the visitor sees it."""
    return [row["id"] for row in (await driver.state(NetworksState)).rows]


@pytest.fixture
def fixed_networks(configure: Configure) -> None:
    """A deployment that lets an embed change its theme and nothing else."""
    configure(EMBED_MAY_CHANGE="themeMode")


@pytest.mark.parametrize(
    ("networks", "rows"),
    [
        (None, ["eip155:1", "eip155:137", "eip155:10"]),
        ([], ["eip155:1", "eip155:137", "eip155:10"]),
        (["eip155:10", "eip155:1"], ["eip155:10", "eip155:1"]),
        (["eip155:137", "eip155:56"], ["eip155:137"]),
        (["eip155:56"], ["eip155:1", "eip155:137", "eip155:10"]),
        (["nonsense"], ["eip155:1", "eip155:137", "eip155:10"]),
        ("eip155:10", ["eip155:1", "eip155:137", "eip155:10"]),
    ],
)
async def test_an_embed_chooses_out_of_the_deployments_networks(driver: Driver, networks: Any, rows: list[str]) -> None:
    await driver.load(options={"networks": networks})
    assert await offered(driver) == rows


async def test_a_network_that_the_deployment_lacks_is_named_on_the_hosts_console(driver: Driver) -> None:
    await driver.load(options={"networks": ["eip155:137", "eip155:56"]})
    warned = [c["params"]["message"] for c in await driver.commands("host.warn")]
    assert warned == ["networks: not offered by this deployment: eip155:56"]


@pytest.mark.parametrize(
    ("options", "remembered", "active"),
    [
        ({}, None, "eip155:1"),
        ({"defaultNetwork": "eip155:137"}, None, "eip155:137"),
        ({"defaultNetwork": "eip155:56"}, None, "eip155:1"),
        ({"defaultNetwork": "eip155:137"}, "eip155:10", "eip155:10"),
        ({}, "eip155:56", "eip155:1"),
        ({}, "nonsense", "eip155:1"),
        ({"networks": ["eip155:10"]}, "eip155:1", "eip155:10"),
    ],
)
async def test_the_first_network_without_a_wallet(
    driver: Driver, options: dict[str, Any], remembered: str | None, active: str
) -> None:
    await driver.load(options=options, storage=stored(remembered) if remembered else stored(""))
    assert (await driver.state(NetworksState)).active == active


async def test_the_wallets_network_beats_the_default(driver: Driver) -> None:
    await driver.connect(chain="10", options={"defaultNetwork": "eip155:137"})
    assert (await driver.state(NetworksState)).active == "eip155:10"


async def test_choosing_without_a_wallet_just_chooses(driver: Driver) -> None:
    await driver.load()
    await driver.fire(NetworksState.choose("eip155:137"))
    networks = await driver.state(NetworksState)
    assert (networks.active, await driver.commands("wallet.request")) == ("eip155:137", [])


async def test_choosing_without_a_wallet_leads_back(driver: Driver) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ShellState.push("Networks"))
    await driver.fire(NetworksState.choose("eip155:137"))
    assert (await driver.state(ShellState)).view == "Connect"


async def test_a_choice_before_init_is_made_after_it(driver: Driver) -> None:
    await driver.fire(NetworksState.choose("eip155:137"))
    await driver.load()
    assert (await driver.state(NetworksState)).active == "eip155:137"


@pytest.mark.parametrize("picked", ["eip155:1", "eip155:56", "", "__class__"])
async def test_choosing_the_active_or_an_unknown_network_asks_nobody(driver: Driver, picked: str) -> None:
    await driver.connect()
    await driver.fire(NetworksState.choose(picked))
    assert await driver.commands("wallet.request") == []


async def test_the_hosts_switch_to_an_unknown_network_raises_the_alert(driver: Driver) -> None:
    await driver.load()
    await driver.call("switchNetwork", caipNetworkId="eip155:56")
    assert (await driver.state(AlertState)).message == alert("SWITCH_NETWORK_NOT_FOUND").short


async def test_without_debug_the_alert_stays_on_the_console(driver: Driver) -> None:
    await driver.load(options={"debug": False})
    await driver.call("switchNetwork", caipNetworkId="eip155:56")
    told = ((await driver.state(AlertState)).message, len(await driver.commands("host.warn")))
    assert told == ("", 1)


async def test_the_long_text_of_an_alert_is_an_error_on_the_hosts_console(driver: Driver) -> None:
    await driver.load()
    await driver.call("switchNetwork", caipNetworkId="eip155:56")
    told = [c["params"] for c in await driver.commands("host.warn")]
    assert told == [{"message": alert("SWITCH_NETWORK_NOT_FOUND").long, "level": "error"}]


async def test_an_alert_goes_when_it_is_closed(driver: Driver) -> None:
    await driver.load()
    await driver.call("switchNetwork", caipNetworkId="eip155:56")
    await driver.fire(AlertState.close)
    assert (await driver.state(AlertState)).message == ""


async def test_the_list_can_be_opened_from_an_unsupported_network_alone(driver: Driver) -> None:
    await driver.connect(chain=UNKNOWN, options={"networks": ["eip155:1"]})
    assert (await driver.state(NetworksState)).choosable is True


async def test_one_network_leaves_nothing_to_choose(driver: Driver) -> None:
    await driver.connect(options={"networks": ["eip155:1"]})
    await driver.call("open")
    await driver.fire(NetworksState.open_list)
    assert (await driver.state(ShellState)).view == "Account"


async def test_the_search_finds_by_name(driver: Driver) -> None:
    await driver.load()
    await driver.fire(NetworksState.set_search(" POLY "))
    assert [row["id"] for row in (await driver.state(NetworksState)).found] == ["eip155:137"]


async def test_the_search_is_cut(driver: Driver) -> None:
    await driver.fire(NetworksState.set_search("x" * 1000))
    assert len((await driver.state(NetworksState)).search) == 64


@pytest.mark.parametrize(
    ("typed", "kept"), [("op\ud800", "op"), ("arbitrum ", "arbitrum "), ("a\u202eb\x00", "ab"), (5, "")]
)
async def test_the_search_keeps_what_can_be_typed_and_shown(driver: Driver, typed: Any, kept: str) -> None:
    await driver.fire(NetworksState.set_search(typed))
    assert (await driver.state(NetworksState)).search == kept


async def test_options_changed_live_change_the_list(driver: Driver) -> None:
    await driver.load()
    await driver.call("options", options={"networks": ["eip155:10"]})
    assert (await offered(driver), (await driver.state(NetworksState)).active) == (["eip155:10"], "eip155:10")


async def test_pictures_changed_live_are_shown(driver: Driver) -> None:
    await driver.load()
    await driver.call("options", options={"chainImages": {"eip155:1": "https://example.com/one.png"}})
    assert (await driver.state(NetworksState)).rows[0]["image"] == "https://example.com/one.png"


async def test_the_host_may_add_a_network(driver: Driver) -> None:
    await driver.load()
    await driver.call("addNetwork", network=ADDED)
    assert (await offered(driver))[-1] == "eip155:31337"


async def test_the_account_shows_the_coin_and_the_explorer_of_an_added_network(driver: Driver) -> None:
    await driver.load()
    await driver.call("addNetwork", network=DESCRIBED)
    await driver.tell(sessions={"eip155": session(chain=UNKNOWN)})
    held = await driver.account()
    assert (held.balance_symbol, held.explorer_url) == ("LOC", f"https://scan.example/address/{ADDRESS}")


async def test_adding_the_network_that_a_wallet_is_on_describes_it(driver: Driver) -> None:
    await driver.connect(chain=UNKNOWN)
    await driver.call("addNetwork", network=DESCRIBED)
    held = await driver.account()
    assert (held.balance_symbol, held.explorer_url) == ("LOC", f"https://scan.example/address/{ADDRESS}")


async def test_a_balance_is_counted_as_an_added_network_says(driver: Driver, chain: ChainDouble) -> None:
    chain.balance = 2_500_000
    await driver.connect(chain="137", options={"networks": ["eip155:1"]})
    await driver.call("addNetwork", network={**DESCRIBED, "id": 137})
    assert (await driver.account()).balance == "2.5"


async def test_an_added_network_is_kept_when_options_change(driver: Driver) -> None:
    await driver.load()
    await driver.call("addNetwork", network=ADDED)
    await driver.call("options", options={"debug": False})
    assert (await offered(driver))[-1] == "eip155:31337"


async def test_an_added_network_ends_with_its_page(driver: Driver) -> None:
    await driver.load()
    await driver.call("addNetwork", network=ADDED)
    await driver.reload()
    assert "eip155:31337" not in await offered(driver)


async def test_a_network_is_added_once(driver: Driver) -> None:
    await driver.load()
    for number in range(2):
        await driver.call("addNetwork", call_id=f"add-{number}", network=ADDED)
    assert (await offered(driver)).count("eip155:31337") == 1


@pytest.mark.parametrize("network", [None, {}, {"id": "x"}, {**ADDED, "name": ""}, {**ADDED, "rpc": ["javascript:1"]}])
async def test_a_network_that_cannot_be_used_is_refused(driver: Driver, network: Any) -> None:
    await driver.load()
    await driver.call("addNetwork", network=network)
    answer = await driver.answer("call-addNetwork")
    assert answer["ok"] is False


async def test_a_namespace_without_an_adapter_takes_no_network(driver: Driver) -> None:
    await driver.load(options={"adapters": ["solana"]})
    await driver.call("addNetwork", network=ADDED)
    answer = await driver.answer("call-addNetwork")
    assert answer["error"]["message"] == "Adapter for namespace eip155 doesn't exist"


async def test_a_host_cannot_add_networks_without_end(driver: Driver) -> None:
    await driver.load()
    networks = [
        bundled_networks()["eip155:1"].model_copy(update={"id": str(number)}) for number in range(1, MAX_NETWORKS + 1)
    ]
    async with driver.changing(NetworksState) as state:
        state._set_networks(networks, {})
    await driver.call("addNetwork", network=ADDED)
    answer = await driver.answer("call-addNetwork")
    assert answer["ok"] is False


async def test_a_host_cannot_add_large_networks_without_end(driver: Driver) -> None:
    await driver.load()
    large = {**ADDED, "rpc": [f"https://node.example/{'x' * 2_000}{number}" for number in range(8)]}
    for number in (1, 2, 3):
        await driver.call("addNetwork", call_id=f"add-{number}", network={**large, "id": 7_000 + number})
    answers = [await driver.answer(f"add-{number}") for number in (1, 2, 3)]
    assert [answer["error"] and answer["error"]["code"] for answer in answers] == [None, None, -32005]


async def test_many_ordinary_networks_can_be_added(driver: Driver) -> None:
    await driver.load()
    for number in range(60):
        await driver.call("addNetwork", call_id=f"add-{number}", network={**ADDED, "id": 7_000 + number})
    assert len(await offered(driver)) == 63


@pytest.mark.usefixtures("fixed_networks")
@pytest.mark.parametrize(
    ("method", "params"), [("addNetwork", {"network": ADDED}), ("removeNetwork", {"caipNetworkId": "eip155:10"})]
)
async def test_a_deployment_may_fix_its_networks(driver: Driver, method: str, params: dict[str, Any]) -> None:
    await driver.load()
    await driver.call(method, **params)
    assert await offered(driver) == ["eip155:1", "eip155:137", "eip155:10"]


async def test_the_host_may_remove_a_network(driver: Driver) -> None:
    await driver.load()
    await driver.call("removeNetwork", caipNetworkId="eip155:137")
    assert await offered(driver) == ["eip155:1", "eip155:10"]


async def test_removing_the_active_network_activates_another(driver: Driver) -> None:
    await driver.load()
    await driver.call("removeNetwork", caipNetworkId="eip155:1")
    assert (await driver.state(NetworksState)).active == "eip155:137"


async def test_removing_the_wallets_network_leaves_the_wallet_on_an_unsupported_one(driver: Driver) -> None:
    await driver.connect()
    await driver.call("removeNetwork", caipNetworkId="eip155:1")
    networks = await driver.state(NetworksState)
    assert (networks.active, networks.unsupported) == ("eip155:1", True)


async def test_the_last_network_cannot_be_removed(driver: Driver) -> None:
    await driver.load(options={"networks": ["eip155:1"]})
    await driver.call("removeNetwork", caipNetworkId="eip155:1")
    answer = await driver.answer("call-removeNetwork")
    assert answer["error"]["message"] == CANNOT_REMOVE_LAST_NETWORK


async def test_removing_an_unknown_network_is_refused(driver: Driver) -> None:
    await driver.load()
    await driver.call("removeNetwork", caipNetworkId="eip155:56")
    answer = await driver.answer("call-removeNetwork")
    assert answer["error"]["message"] == "Network with ID eip155:56 not found"


async def test_the_host_sees_the_network_as_the_protocol_says(driver: Driver) -> None:
    await driver.connect(address=ADDRESS, chain="137")
    told = (await driver.state(NetworksState)).public
    assert (told["caipNetworkId"], told["id"], told["chainNamespace"], told["unsupported"]) == (
        "eip155:137",
        137,
        "eip155",
        False,
    )


async def test_a_fresh_session_has_no_network_to_tell(driver: Driver) -> None:
    await driver.fire(ResumeState.restore)
    await driver.fire(BridgeState.on_connect)
    assert (await driver.state(NetworksState)).public["caipNetworkId"] == ""
