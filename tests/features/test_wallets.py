"""The wallet list: its sections, what the host's options make of them, and what the directory does to them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.driver import METAMASK, Driver, session
from tests.features.catalogue import PHANTOM, Catalogue, asks, number, wallet
from tests.features.conftest import Configure
from walletmodal.deployment import Deployment
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState
from walletmodal.features.wallets.rows import SECTION_VARS
from walletmodal.features.wallets.state import WalletsState

BOTH = {**METAMASK, "namespaces": ["eip155", "solana"]}
RECENT = {"id": number(8)[7], "name": "Wallet 7", "rdns": "example.wallet7"}
SENT_AT_ONCE = 1024

# Where sessions live makes no difference to what is in the list.
pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture(autouse=True)
def relay(configure: Configure) -> None:
    """A deployment that pairs, with networks of two namespaces."""
    configure(
        RELAY_URL="ws://localhost:8700/relay", NETWORKS="eip155:1,eip155:137,solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
    )


@pytest_asyncio.fixture
async def catalogue(deployed: Deployment) -> AsyncIterator[Catalogue]:
    found = Catalogue()
    client = await asks(deployed, found)
    yield found
    await client.aclose()


def storage(*recent: dict[str, str]) -> dict[str, Any]:
    return {"activeNetworkId": None, "activeNamespace": None, "recent": list(recent), "interrupted": None}


async def rows(driver: Driver, section: str) -> list[str]:
    """The names of a section's rows."""
    return [row["name"] for row in (await driver.state(WalletsState)).get_value(section)]


async def drawn(driver: Driver, section: str) -> list[list[str]]:
    """What the browser was sent for a section, one after the other, without the empty one that every page begins with."""
    sent = [values for delta in driver.deltas for state, values in delta.items() if state.endswith("wallets_state")]
    names = [name for values in sent for name in values if name.partition("_rx")[0] == section]
    told = [[row["name"] for row in values[name]] for values in sent for name in names[:1] if name in values]
    return told[1:] if told[:1] == [[]] else told


# What the browser brings


async def test_pairing_comes_first_and_installed_wallets_next(driver: Driver) -> None:
    await driver.load()
    assert (await driver.state(WalletsState)).sections == ["pairing", "injected"]


async def test_the_hosts_order_of_sections_wins(driver: Driver) -> None:
    await driver.load(options={"features": {"connectorTypeOrder": ["injected", "walletConnect"]}})
    assert (await driver.state(WalletsState)).sections == ["injected", "pairing"]


async def test_a_wallet_of_several_namespaces_is_one_row_that_says_so(driver: Driver) -> None:
    await driver.load(wallets=[BOTH])
    assert [(row["id"], row["tag"]) for row in (await driver.state(WalletsState)).injected] == [
        (METAMASK["id"], "multichain")
    ]


async def test_a_wallet_that_announces_itself_twice_under_one_name_is_one_row(driver: Driver) -> None:
    await driver.load(wallets=[METAMASK, {**METAMASK, "id": "MetaMask", "namespaces": ["solana"], "rdns": ""}])
    assert await rows(driver, "injected") == ["MetaMask"]


async def test_two_wallets_with_one_name_and_two_rdns_are_two_rows(driver: Driver) -> None:
    await driver.load(wallets=[METAMASK, {**METAMASK, "id": "evil", "rdns": "example.evil"}])
    assert await rows(driver, "injected") == ["MetaMask", "MetaMask"]


async def test_namespaces_without_an_adapter_are_not_offered(driver: Driver) -> None:
    await driver.load(wallets=[METAMASK, {**PHANTOM, "namespaces": ["solana"]}], options={"adapters": ["solana"]})
    assert await rows(driver, "injected") == ["Phantom"]


async def test_a_connector_of_the_host_has_a_section_of_its_own(driver: Driver) -> None:
    await driver.load(wallets=[{**PHANTOM, "type": "EXTERNAL"}])
    assert await rows(driver, "external") == ["Phantom"]


async def test_a_filter_leaves_the_wallets_of_one_namespace(driver: Driver) -> None:
    await driver.load(wallets=[METAMASK, {**PHANTOM, "namespaces": ["solana"]}])
    async with driver.changing(WalletsState) as wallets:
        wallets._set_filter("solana")
    assert await rows(driver, "injected") == ["Phantom"]


async def test_without_a_filter_all_are_back(driver: Driver) -> None:
    await driver.load(wallets=[METAMASK, {**PHANTOM, "namespaces": ["solana"]}])
    async with driver.changing(WalletsState) as wallets:
        wallets._set_filter("solana")
        wallets._set_filter(None)
    assert await rows(driver, "injected") == ["MetaMask", "Phantom"]


async def test_a_wallet_that_appears_sends_its_section_alone(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(options={"featuredWalletIds": number(2)})
    driver.deltas.clear()
    await driver.tell(wallets=[METAMASK, PHANTOM])
    sent = [
        name
        for delta in driver.deltas
        for state, values in delta.items()
        if "wallets_state" in state
        for name in values
    ]
    assert [name.partition("_rx")[0] for name in sent] == ["injected"]


async def test_a_wallet_that_vanishes_leaves_the_list(driver: Driver) -> None:
    await driver.load(wallets=[METAMASK, PHANTOM])
    await driver.tell(wallets=[PHANTOM])
    assert await rows(driver, "injected") == ["Phantom"]


@pytest.mark.parametrize(
    ("found", "option"),
    [({"type": "ANNOUNCED"}, "enableEIP6963"), ({"type": "INJECTED"}, "enableInjected")],
)
async def test_what_the_host_switches_off_live_is_listed_no_more(
    driver: Driver, found: dict[str, str], option: str
) -> None:
    await driver.load(wallets=[{**METAMASK, **found}])
    await driver.call("options", options={option: False})
    assert await rows(driver, "injected") == []


# Pairing


@pytest.mark.parametrize(
    ("options", "offered"),
    [({}, True), ({"enableWalletConnect": False}, False), ({"enableWallets": False}, False)],
    ids=["by default", "switched off", "without wallets"],
)
async def test_pairing_is_the_hosts_to_switch_off(driver: Driver, options: dict[str, Any], offered: bool) -> None:
    await driver.load(options=options)
    assert bool(await rows(driver, "pairing")) == offered


async def test_without_a_relay_there_is_no_pairing(driver: Driver, configure: Configure) -> None:
    configure(RELAY_URL=None)
    await driver.load(options={"customWallets": [{"id": "own", "name": "House Wallet"}]})
    assert (await driver.state(WalletsState)).sections == ["injected"]


async def test_who_is_paired_already_is_not_offered_it_again(driver: Driver) -> None:
    await driver.load(sessions={"eip155": session(connector="walletConnect")})
    assert await rows(driver, "pairing") == []


# The directory


async def test_featured_wallets_stand_in_the_hosts_order(driver: Driver, catalogue: Catalogue) -> None:
    ids = number(3)
    await driver.load(options={"featuredWalletIds": [ids[2], ids[0]]})
    assert await rows(driver, "featured") == ["Wallet 2", "Wallet 0"]


async def test_while_the_directory_is_asked_the_rows_have_their_places(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(options={"featuredWalletIds": number(3)})
    assert await drawn(driver, "featured") == [["", "", ""], ["Wallet 0", "Wallet 1", "Wallet 2"]]


async def test_two_wallets_are_recommended_beside_none_installed(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(wallets=[])
    assert await drawn(driver, "recommended") == [["", ""], ["Wallet 0", "Wallet 1"]]


async def test_one_is_recommended_beside_one_installed(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load()
    assert await rows(driver, "recommended") == ["Wallet 0"]


async def test_none_is_recommended_where_the_host_features_some(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(wallets=[], options={"featuredWalletIds": number(1)})
    assert await rows(driver, "recommended") == []


async def test_an_installed_wallet_is_not_featured_again(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(wallets=[{**PHANTOM, "rdns": "example.wallet0"}], options={"featuredWalletIds": number(2)})
    assert await rows(driver, "featured") == ["Wallet 1"]


async def test_pictures_come_through_our_own_server(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(options={"featuredWalletIds": number(1)})
    assert (await driver.state(WalletsState)).featured[0]["icon"] == "/images/wallet/picture-0"


async def test_the_count_is_floored_to_tens(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load()
    assert (await driver.state(WalletsState)).count == "10+"


async def test_the_directory_is_asked_for_the_networks_and_wallets_that_the_host_wants(
    driver: Driver, catalogue: Catalogue
) -> None:
    ids = number(4)
    await driver.load(options={"includeWalletIds": ids[:3], "excludeWalletIds": ids[3:], "networks": ["eip155:137"]})
    wanted = {"chains": "eip155:137", "include": ",".join(ids[:3]), "exclude": ids[3], "entries": "4"}
    assert any(wanted.items() <= query.items() for query in catalogue.asked)


@pytest.mark.parametrize(
    "announced",
    [{"rdns": "example.wallet0"}, {"rdns": "", "name": "WALLET 0"}],
    ids=["by rdns", "by name"],
)
async def test_an_excluded_wallet_is_not_listed_although_it_is_installed(
    driver: Driver, catalogue: Catalogue, announced: dict[str, str]
) -> None:
    await driver.load(wallets=[{**PHANTOM, **announced}], options={"excludeWalletIds": number(1)})
    assert await rows(driver, "injected") == []


async def test_a_wallet_of_other_networks_is_not_offered_under_a_filter(driver: Driver, catalogue: Catalogue) -> None:
    catalogue.wallets[0]["chains"] = ["solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"]
    await driver.load(options={"featuredWalletIds": number(2)})
    async with driver.changing(WalletsState) as wallets:
        wallets._set_filter("solana")
    assert await rows(driver, "featured") == ["Wallet 0"]


async def test_a_wallet_that_was_used_before_has_its_picture(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(storage=storage(RECENT))
    found = (await driver.state(WalletsState)).recent
    assert found == [{"id": RECENT["id"], "name": "Wallet 7", "icon": "/images/wallet/picture-7", "tag": "recent"}]


@pytest.mark.parametrize(
    ("option", "mobile", "shown"),
    [("SHOW", False, True), ("HIDE", False, False), ("ONLY_MOBILE", False, False), ("ONLY_MOBILE", True, True)],
)
async def test_all_wallets_closes_the_list_as_the_host_wants(
    driver: Driver, catalogue: Catalogue, option: str, mobile: bool, shown: bool
) -> None:
    init = driver.init(options={"allWallets": option})
    init["host"]["mobile"] = mobile
    await driver.arrive(init)
    assert (await driver.state(WalletsState)).all_wallets == shown


@pytest.mark.parametrize(
    ("status", "body"),
    [(500, None), (403, None), (200, b"<html>"), (200, b"[]"), (200, b'{"count": "many", "data": 5}')],
    ids=["500", "403", "no JSON", "a list", "garbage"],
)
async def test_without_the_directory_the_browsers_wallets_and_pairing_stay(
    driver: Driver, catalogue: Catalogue, status: int, body: bytes | None
) -> None:
    catalogue.status, catalogue.body = status, body
    await driver.load(options={"featuredWalletIds": number(2)})
    wallets = await driver.state(WalletsState)
    assert (wallets.directory, wallets.sections) == ("failed", ["pairing", "injected"])


async def test_an_empty_directory_is_no_failure(driver: Driver, catalogue: Catalogue) -> None:
    catalogue.wallets = []
    await driver.load()
    assert (await driver.state(WalletsState)).directory == "known"


async def test_a_refused_origin_is_told_to_the_developer(driver: Driver, catalogue: Catalogue) -> None:
    catalogue.status = 403
    await driver.load()
    assert (await driver.state(AlertState)).message == "Invalid App Configuration"


async def test_trying_again_brings_what_was_missing(driver: Driver, catalogue: Catalogue) -> None:
    catalogue.status = 500
    await driver.load(options={"featuredWalletIds": number(1)})
    catalogue.status = 200
    await driver.fire(WalletsState.retry)
    assert ((await driver.state(WalletsState)).directory, await rows(driver, "featured")) == ("known", ["Wallet 0"])


async def test_opening_asks_a_directory_again_that_did_not_answer(driver: Driver, catalogue: Catalogue) -> None:
    catalogue.status = 500
    await driver.load()
    catalogue.status = 200
    await driver.call("open")
    assert (await driver.state(WalletsState)).directory == "known"


async def test_a_visitor_with_an_account_asks_nothing_before_the_modal_is_opened(
    driver: Driver, catalogue: Catalogue
) -> None:
    await driver.connect()
    before = len(catalogue.asked)
    await driver.call("open", view="Networks")
    assert (before, len(catalogue.asked) > 0) == (0, True)


async def test_a_page_that_tells_the_same_again_asks_nothing(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load()
    asked = len(catalogue.asked)
    await driver.tell(wallets=[METAMASK, PHANTOM])
    assert len(catalogue.asked) == asked


async def test_networks_that_the_host_adds_do_not_bring_the_places_back(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(options={"featuredWalletIds": number(1)})
    driver.deltas.clear()
    await driver.call("options", options={"networks": ["eip155:137"]})
    assert await drawn(driver, "featured") == []


async def test_a_question_that_died_with_its_process_is_asked_again(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(options={"featuredWalletIds": number(1)})
    async with driver.changing(WalletsState) as wallets:
        wallets.directory, wallets._answered, wallets._asker = "loading", None, "another process"
    await driver.reload_frame(options={"featuredWalletIds": number(1)})
    assert (await driver.state(WalletsState)).directory == "known"


async def test_what_the_directory_brings_is_a_small_message(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(options={"featuredWalletIds": number(4)})
    sent = [values for delta in driver.deltas for state, values in delta.items() if state.endswith("wallets_state")]
    assert len(json.dumps(sent[-1])) <= SENT_AT_ONCE


# Wallets to get


async def test_who_has_no_wallet_is_shown_the_first_four(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(
        options={"customWallets": [{"id": "own", "name": "House Wallet", "homepage": "https://own.example"}]}
    )
    await driver.fire(WalletsState.get_wallet)
    assert await rows(driver, "to_get") == ["House Wallet", "Wallet 0", "Wallet 1", "Wallet 2"]


@pytest.mark.parametrize(
    ("mobile", "system", "store"),
    [(False, "mac", "chrome_store"), (True, "ios", "app_store"), (True, "android", "play_store")],
)
async def test_the_store_of_the_device_is_preferred_to_a_homepage(
    driver: Driver, catalogue: Catalogue, mobile: bool, system: str, store: str
) -> None:
    stores = {name: f"https://store.example/{name}" for name in ("chrome_store", "app_store", "play_store")}
    catalogue.wallets = [wallet(0, **stores)]
    init = driver.init()
    await driver.arrive({**init, "host": {**init["host"], "mobile": mobile, "system": system}})
    await driver.fire(WalletsState.get_wallet)
    assert (await driver.state(WalletsState)).to_get[0]["page"] == stores[store]


async def test_getting_a_wallet_is_told_and_shown(driver: Driver) -> None:
    await driver.load()
    await driver.fire(WalletsState.get_wallet)
    told = [item["event"] for item in driver.told()]
    assert ((await driver.state(ShellState)).view, told[-1]) == ("GetWallet", "CLICK_GET_WALLET")


async def test_the_host_may_open_the_wallets_to_get_itself(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load()
    await driver.call("open", view="GetWallet")
    assert len(await rows(driver, "to_get")) == 4


async def test_every_section_has_a_variable(driver: Driver) -> None:
    assert set(SECTION_VARS.values()) <= set(WalletsState.get_fields())
