"""Which ways to a wallet there are: by what the browser has, the device, the host's options and the deployment."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from reflex.istate.manager import StateManager
from reflex.istate.manager.memory import StateManagerMemory

from tests.driver import METAMASK, Driver
from tests.features.conftest import Configure
from tests.features.pairing_stage import PHONE, Row, asked, choose, load_on, place
from walletmodal.core.text.texts import PAIRING_NOT_OFFERED, WALLET_DECLINED
from walletmodal.core.wallets.platforms import SEVERAL_DOWNLOADS
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState


@pytest.fixture(autouse=True)
def relay(configure: Configure) -> None:
    """A deployment with a relay."""
    configure(RELAY_URL="ws://localhost:8700/relay")


@pytest_asyncio.fixture
async def manager() -> AsyncIterator[StateManager]:
    """In memory alone: which ways there are does not depend on where sessions live."""
    memory: Any = StateManagerMemory
    found: Any = memory()
    yield found
    await found.close()


async def test_a_wallet_of_the_host_is_paired_like_any_other(driver: Driver) -> None:
    await choose(driver, "own")
    pairing = await driver.state(PairingState)
    assert (pairing.pane, pairing.wallet["mobile_link"]) == ("qrcode", "https://house.example/app")
    assert (await asked(driver))[0]["params"]["wallet"] == {"id": "own", "name": "House Wallet", "rdns": ""}


async def test_a_wallet_that_this_browser_has_is_asked_here_first(driver: Driver) -> None:
    await choose(driver, PHONE.id, wallets=[{**METAMASK, "id": "t", "rdns": "example.tidewater"}])
    pairing = await driver.state(PairingState)
    assert (pairing.pane, [tab["id"] for tab in pairing.tabs]) == ("browser", ["browser", "qrcode", "web", "desktop"])
    (command,) = await driver.commands("wallet.connect")
    assert (command["params"]["namespace"], command["params"]["connector"]) == ("eip155", "t")
    assert await place(driver) == (True, "ConnectingWalletConnect")


async def test_the_browser_pane_asks_again_and_stays(driver: Driver) -> None:
    await choose(driver, PHONE.id, wallets=[{**METAMASK, "id": "t", "rdns": "example.tidewater"}])
    await driver.reply((await driver.commands("wallet.connect"))[0], code=4001, message="no")
    assert (await driver.state(ConnectState)).error == WALLET_DECLINED
    await driver.fire(PairingState.retry)
    assert len(await driver.commands("wallet.connect")) == 1
    assert await place(driver) == (True, "ConnectingWalletConnect")


async def test_leaving_the_browser_pane_for_the_phone_asks_for_a_code(driver: Driver) -> None:
    await choose(driver, PHONE.id, wallets=[{**METAMASK, "id": "t", "rdns": "example.tidewater"}])
    assert await asked(driver) == []
    await driver.fire(PairingState.select_pane("qrcode"))
    assert len(await asked(driver)) == 1


async def test_without_a_relay_a_wallet_elsewhere_is_not_detected(driver: Driver, configure: Configure) -> None:
    configure(RELAY_URL=None)
    await choose(driver, PHONE.id)
    pairing = await driver.state(PairingState)
    assert (pairing._available, pairing.pane, await asked(driver)) == (False, "unsupported", [])


async def test_without_a_relay_a_code_for_any_wallet_is_explained(driver: Driver, configure: Configure) -> None:
    configure(RELAY_URL=None)
    await driver.load()
    await driver.call("open", view="ConnectingWalletConnect")
    pairing = await driver.state(PairingState)
    assert (pairing.pane, pairing.error) == ("unsupported", PAIRING_NOT_OFFERED)


async def test_a_host_can_do_without(driver: Driver) -> None:
    await driver.load(options={"enableWalletConnect": False})
    assert (await driver.state(PairingState))._available is False


async def test_the_frame_learns_of_the_relay_once_the_host_is_known(driver: Driver) -> None:
    assert (await driver.state(PairingState)).config is None
    await driver.load(options={"projectId": "abc"})
    assert (await driver.state(PairingState)).config == {
        "relayUrl": "ws://localhost:8700/relay",
        "projectId": "abc",
        "verifyUrl": "",
    }


async def test_a_host_without_adapters_opens_on_a_code(driver: Driver) -> None:
    await driver.load(options={"adapters": []})
    await driver.call("open")
    assert await place(driver) == (True, "ConnectingWalletConnectBasic")
    assert len(await asked(driver)) == 1


async def test_the_code_of_the_basic_view_is_for_any_wallet(driver: Driver) -> None:
    await driver.load(options={"adapters": []})
    await driver.call("open")
    await driver.fire(Row.choose(PHONE.id))
    await driver.fire(ShellState.back)
    assert await place(driver) == (True, "ConnectingWalletConnectBasic")
    assert (await asked(driver))[0]["params"]["wallet"] is None


async def test_a_wallet_that_left_its_mark_is_asked_through_the_pages_provider(driver: Driver) -> None:
    injected = {**METAMASK, "id": "injected", "type": "INJECTED", "name": "Browser Wallet", "rdns": ""}
    await choose(driver, "marked", wallets=[injected], marks=["isLantern"], injected=True)
    (command,) = await driver.commands("wallet.connect")
    assert ((await driver.state(PairingState)).pane, command["params"]["connector"]) == ("browser", "injected")


async def test_a_wallet_of_another_name_is_not_taken_for_the_one_that_is_installed(driver: Driver) -> None:
    injected = {**METAMASK, "id": "injected", "type": "INJECTED", "name": "Browser Wallet", "rdns": ""}
    await choose(driver, "marked", wallets=[injected], marks=["isMetaMask"], injected=True)
    assert (await driver.state(PairingState)).pane == "qrcode"


async def test_on_a_phone_the_app_comes_first(driver: Driver) -> None:
    await load_on(driver, system="ios")
    await driver.call("open")
    await driver.fire(Row.choose(PHONE.id))
    pairing = await driver.state(PairingState)
    assert (pairing.pane, [tab["id"] for tab in pairing.tabs]) == ("mobile", ["mobile", "web"])
    assert len(await asked(driver)) == 1


@pytest.mark.parametrize(
    ("system", "leads"),
    [("ios", "https://apps.example/tidewater"), ("android", "https://play.example/tidewater")],
)
async def test_on_a_phone_those_without_the_wallet_are_led_to_its_store(
    driver: Driver, system: str, leads: str
) -> None:
    await load_on(driver, system=system)
    await driver.fire(Row.choose(PHONE.id))
    assert (await driver.state(PairingState)).wallet["download"] == leads


async def test_on_a_computer_they_choose_among_its_stores(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    assert (await driver.state(PairingState)).wallet["download"] == SEVERAL_DOWNLOADS
    await driver.fire(PairingState.get_wallet)
    assert (await driver.state(ShellState)).title == "Get Tidewater Wallet"


async def test_a_wallet_with_one_place_to_get_it_needs_no_list(driver: Driver) -> None:
    await choose(driver, "own")
    await driver.fire(PairingState.get_wallet)
    assert await place(driver) == (True, "ConnectingWalletConnect")


async def test_on_a_phone_a_host_without_adapters_shows_the_list_of_wallets(driver: Driver) -> None:
    await load_on(driver, options={"adapters": []})
    await driver.call("open", view="ConnectingWalletConnectBasic")
    assert (await place(driver), await asked(driver)) == ((True, "AllWallets"), [])


@pytest.mark.parametrize(
    ("options", "shown"),
    [({}, True), ({"allWallets": "HIDE"}, False), ({"allWallets": "ONLY_MOBILE"}, False)],
)
async def test_the_list_below_the_code_follows_the_hosts_option(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any], shown: bool
) -> None:
    monkeypatch.setattr("walletmodal.services.directory.DirectoryClient.configured", True)
    await driver.load(options={"adapters": [], **options})
    assert (await driver.state(PairingState)).all_wallets is shown


async def test_the_reduced_screens_of_a_host_offer_no_wallet_of_the_browser(driver: Driver) -> None:
    await choose(
        driver, PHONE.id, options={"basic": True}, wallets=[{**METAMASK, "id": "t", "rdns": "example.tidewater"}]
    )
    assert (await driver.state(PairingState)).pane == "qrcode"
