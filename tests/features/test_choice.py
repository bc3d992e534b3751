"""One click on a wallet, wherever it is listed, leads to what connects it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.driver import METAMASK, Driver
from tests.features.catalogue import PHANTOM, SOLANA, Catalogue, asks, number
from tests.features.conftest import Configure
from tests.patience import patience
from walletmodal.core.text.texts import WALLET_NOT_LOADED
from walletmodal.deployment import Deployment
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.connect.legal import LegalState
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

INSTALLED = "io.metamask.test"
BOTH = {**METAMASK, "namespaces": ["eip155", "solana"]}
TERMS = {"termsConditionsUrl": "https://host.example/terms"}
ASKS = {**TERMS, "features": {"legalCheckbox": True}}
OWN = {"id": "own", "name": "House Wallet", "mobile_link": "house://"}
RECENT = {"id": number(8)[7], "name": "Wallet 7", "rdns": "example.wallet7"}

# Where sessions live makes no difference to where a click leads.
pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture(autouse=True)
def relay(configure: Configure) -> None:
    """A deployment that pairs, with networks of two namespaces."""
    configure(RELAY_URL="ws://localhost:8700/relay", NETWORKS=f"eip155:1,eip155:137,{SOLANA}")


@pytest_asyncio.fixture
async def catalogue(deployed: Deployment) -> AsyncIterator[Catalogue]:
    found = Catalogue()
    client = await asks(deployed, found)
    yield found
    await client.aclose()


async def choose(driver: Driver, kind: str, wallet_id: str = "", **parts: Any) -> ShellState:
    """A visitor has opened the modal and clicked a row; what is shown then."""
    await driver.load(**parts)
    await driver.call("open")
    await driver.fire(ChoiceState.select(kind, wallet_id))
    return await driver.state(ShellState)


async def on_a_phone(driver: Driver, **parts: Any) -> None:
    init = driver.init(**parts)
    init["host"]["mobile"] = True
    await driver.arrive(init)
    await driver.call("open")


async def test_an_installed_wallet_is_asked(driver: Driver) -> None:
    shell = await choose(driver, "connector", INSTALLED)
    command = (await driver.commands("wallet.connect"))[0]
    assert (shell.view, shell.title, command["params"]["connector"]) == (
        "ConnectingExternal",
        "MetaMask",
        INSTALLED,
    )


async def test_a_connector_of_the_host_is_asked(driver: Driver) -> None:
    shell = await choose(driver, "external", "phantom", wallets=[{**PHANTOM, "type": "EXTERNAL"}])
    assert (shell.view, shell.title) == ("ConnectingExternal", "Phantom")


async def test_a_wallet_of_several_namespaces_asks_which(driver: Driver) -> None:
    shell = await choose(driver, "connector", INSTALLED, wallets=[BOTH])
    assert shell.view == "ConnectingMultiChain"


async def test_the_row_of_pairing_leads_to_a_code_for_any_wallet(driver: Driver) -> None:
    shell = await choose(driver, "walletconnect")
    assert (shell.view, shell.title) == ("ConnectingWalletConnect", "WalletConnect")


async def test_a_wallet_of_the_host_leads_to_its_panes(driver: Driver) -> None:
    shell = await choose(driver, "custom", "own", options={"customWallets": [OWN]})
    assert (shell.view, shell.title) == ("ConnectingWalletConnect", "House Wallet")


@pytest.mark.parametrize("kind", ["featured", "listed"])
async def test_a_wallet_of_the_directory_leads_to_its_panes(driver: Driver, catalogue: Catalogue, kind: str) -> None:
    shell = await choose(driver, kind, number(1)[0], options={"featuredWalletIds": number(1)})
    assert (shell.view, shell.title) == ("ConnectingWalletConnect", "Wallet 0")


async def test_a_wallet_that_was_used_before_leads_to_its_panes(driver: Driver, catalogue: Catalogue) -> None:
    storage = {"activeNetworkId": None, "activeNamespace": None, "recent": [RECENT], "interrupted": None}
    shell = await choose(driver, "recent", RECENT["id"], storage=storage)
    assert (shell.view, shell.title) == ("ConnectingWalletConnect", "Wallet 7")


async def test_a_listed_wallet_that_is_installed_is_asked(driver: Driver, catalogue: Catalogue) -> None:
    installed = {**PHANTOM, "rdns": "example.wallet3"}
    shell = await choose(driver, "listed", number(4)[3], wallets=[installed])
    assert (shell.view, shell.title) == ("ConnectingExternal", "Phantom")


async def test_a_wallet_that_a_list_has_shown_is_not_looked_up_again(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(options={"featuredWalletIds": number(1)})
    asked = len(catalogue.asked)
    await driver.call("open")
    await driver.fire(ChoiceState.select("featured", number(1)[0]))
    assert len(catalogue.asked) == asked


async def test_without_the_directory_the_code_for_any_wallet_is_shown(driver: Driver, catalogue: Catalogue) -> None:
    catalogue.status = 500
    shell = await choose(driver, "listed", number(1)[0])
    assert (shell.view, shell.title) == ("ConnectingWalletConnect", "WalletConnect")


async def test_without_the_directory_a_phone_says_what_is_missing(driver: Driver, catalogue: Catalogue) -> None:
    catalogue.status = 500
    await on_a_phone(driver)
    await driver.fire(ChoiceState.select("listed", number(1)[0]))
    toast, shell = await driver.state(ToastState), await driver.state(ShellState)
    assert (toast.message, shell.view) == (WALLET_NOT_LOADED, "Connect")


async def recalled(driver: Driver, catalogue: Catalogue, wallet_id: str) -> asyncio.Task[None]:
    """A click on a wallet whose links the directory has not told yet."""
    await driver.load()
    await driver.call("open")
    catalogue.gate.clear()
    task = asyncio.create_task(driver.fire(ChoiceState.select("listed", wallet_id)))
    async with patience():
        while (await driver.state(ChoiceState)).pending != wallet_id:
            await asyncio.sleep(0)
    return task


async def test_the_row_shows_that_its_wallet_is_looked_up(driver: Driver, catalogue: Catalogue) -> None:
    task = await recalled(driver, catalogue, number(10)[9])
    catalogue.gate.set()
    await task
    assert (await driver.state(ChoiceState)).pending == ""


async def test_who_has_moved_on_is_not_led_away(driver: Driver, catalogue: Catalogue) -> None:
    task = await recalled(driver, catalogue, number(10)[9])
    await driver.fire(ShellState.push("WhatIsAWallet"))
    catalogue.gate.set()
    await task
    assert (await driver.state(ShellState)).view == "WhatIsAWallet"


async def test_another_choice_takes_the_place_of_one_that_is_looked_up(driver: Driver, catalogue: Catalogue) -> None:
    task = await recalled(driver, catalogue, number(10)[9])
    await driver.fire(ChoiceState.select("connector", INSTALLED))
    catalogue.gate.set()
    await task
    assert (await driver.state(ShellState)).view == "ConnectingExternal"


async def test_who_has_closed_the_modal_waits_for_no_wallet(driver: Driver, catalogue: Catalogue) -> None:
    task = await recalled(driver, catalogue, number(10)[9])
    await driver.fire(ShellState.close)
    catalogue.gate.set()
    await task
    assert ((await driver.state(ShellState)).open, await driver.commands("wallet.connect")) == (False, [])


# What cannot be chosen


@pytest.mark.parametrize(
    ("kind", "wallet_id"),
    [
        ("connector", "nobody"),
        ("external", "nobody"),
        ("custom", "nobody"),
        ("connector", ""),
        ("connector", "\ud800"),
        ("connector", "x" * 300),
        ("sudo", INSTALLED),
        ("connector", None),
        (None, INSTALLED),
        (["connector"], INSTALLED),
    ],
)
async def test_what_is_not_offered_leads_nowhere(driver: Driver, kind: Any, wallet_id: Any) -> None:
    shell = await choose(driver, kind, wallet_id)
    assert (shell.view, await driver.commands("wallet.connect")) == ("Connect", [])


async def test_where_nothing_is_paired_its_row_leads_nowhere(driver: Driver) -> None:
    shell = await choose(driver, "walletconnect", options={"enableWalletConnect": False})
    assert shell.view == "Connect"


async def test_a_click_before_the_page_has_said_who_it_is_is_kept(driver: Driver) -> None:
    await driver.fire(BridgeState.on_connect)
    await driver.fire(ChoiceState.select("connector", INSTALLED))
    await driver.load()
    assert (await driver.state(ConnectState)).phase == "connecting"


# What is to be agreed to


async def test_nothing_is_chosen_before_the_terms_are_agreed_to(driver: Driver) -> None:
    shell = await choose(driver, "connector", INSTALLED, options=ASKS)
    assert (shell.view, await driver.commands("wallet.connect")) == ("Connect", [])


async def test_who_has_agreed_may_choose(driver: Driver) -> None:
    await driver.load(options=ASKS)
    await driver.call("open")
    await driver.fire(LegalState.agree(True))
    await driver.fire(ChoiceState.select("connector", INSTALLED))
    assert (await driver.state(ShellState)).view == "ConnectingExternal"


@pytest.mark.parametrize(
    ("options", "asks"),
    [({}, False), (TERMS, False), ({"features": {"legalCheckbox": True}}, False), (ASKS, True)],
    ids=["nothing", "only documents", "only the checkbox", "both"],
)
async def test_the_checkbox_needs_a_document(driver: Driver, options: dict[str, Any], asks: bool) -> None:
    await driver.load(options=options)
    assert (await driver.state(LegalState)).asks == asks


async def test_another_page_asks_anew(driver: Driver) -> None:
    await driver.load(options=ASKS)
    await driver.fire(LegalState.agree(True))
    await driver.reload(options=ASKS)
    assert (await driver.state(LegalState)).agreed is False


@pytest.mark.parametrize("forged", ["yes", 1, None, ["true"]])
async def test_only_a_tick_is_an_agreement(driver: Driver, forged: Any) -> None:
    await driver.load(options=ASKS)
    await driver.forge(f"{LegalState.get_full_name()}.agree", {"ticked": forged})
    assert (await driver.state(LegalState)).agreed is False


# All wallets


async def test_the_row_below_the_list_leads_to_all_wallets_and_is_told(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load()
    await driver.call("open")
    await driver.fire(ChoiceState.open_all_wallets)
    told = [item["event"] for item in driver.told()]
    assert ((await driver.state(ShellState)).view, told[-1]) == ("AllWallets", "CLICK_ALL_WALLETS")


async def test_a_row_that_the_host_hides_leads_nowhere(driver: Driver, catalogue: Catalogue) -> None:
    await driver.load(options={"allWallets": "HIDE"})
    await driver.call("open")
    await driver.fire(ChoiceState.open_all_wallets)
    assert (await driver.state(ShellState)).view == "Connect"
