"""A pairing that went with its page: its code is there again, an app is offered and never opened by itself, and a late approval counts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.driver import Driver
from tests.features.catalogue import Catalogue, asks, wallet
from tests.features.conftest import Configure
from tests.features.pairing_stage import PHONE, Row, approve, asked, choose, load_on, paired, place, told
from walletmodal.core.text.texts import PAIRING_INTERRUPTED
from walletmodal.deployment import Deployment
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState

# Where sessions live makes no difference to what is offered.
pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)

LISTED = {"id": wallet(3)["id"], "name": "Wallet 3", "rdns": "example.wallet3"}
OWN = {"id": "own", "name": "House Wallet", "rdns": ""}
HOUSE = {"customWallets": [{"id": "own", "name": "House Wallet", "mobile_link": "house://"}]}
CHOSEN = {"id": PHONE.id, "name": PHONE.name, "rdns": PHONE.rdns}


@pytest.fixture(autouse=True)
def relay(configure: Configure) -> None:
    """A deployment with a relay."""
    configure(RELAY_URL="ws://localhost:8700/relay")


@pytest_asyncio.fixture
async def catalogue(deployed: Deployment) -> AsyncIterator[Catalogue]:
    """The directory that the deployment asks."""
    found = Catalogue()
    client = await asks(deployed, found)
    yield found
    await client.aclose()


def cut(wanted: dict[str, Any] | None, **connectors: str) -> dict[str, Any]:
    """What the page remembers of a pairing that was cut off."""
    interrupted = {"namespace": "", "connector": "walletConnect", "wallet": wanted}
    return {
        "activeNetworkId": None,
        "activeNamespace": None,
        "recent": [],
        "interrupted": interrupted,
        "connectors": connectors,
    }


async def offered(driver: Driver) -> tuple[str, str, str]:
    """The wallet, how things stand with it, and what the visitor reads."""
    pairing = await driver.state(PairingState)
    return pairing.wallet["name"], pairing.phase, pairing.error


async def comes_back_on_a_phone(driver: Driver) -> None:
    """The page of a phone has gone while the host's own wallet was asked, and is there again."""
    await load_on(driver, system="ios", options=HOUSE, storage=cut(OWN))


async def test_on_a_phone_the_wallet_that_was_waited_for_is_offered_again(driver: Driver) -> None:
    await comes_back_on_a_phone(driver)
    assert await place(driver) == (True, "ConnectingWalletConnect")
    assert await offered(driver) == ("House Wallet", "error", PAIRING_INTERRUPTED)


async def test_on_a_computer_the_code_is_there_again_as_a_fresh_one(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    (before,) = await asked(driver)
    await driver.reload(storage=cut(CHOSEN))
    assert await place(driver) == (True, "ConnectingWalletConnect")
    assert await offered(driver) == (PHONE.name, "waiting", "")
    (command,) = await asked(driver)
    assert command["id"] != before["id"]
    assert command["params"]["wallet"] == CHOSEN


async def test_a_host_that_says_when_codes_are_made_says_so_again(driver: Driver) -> None:
    await driver.load(options={"manualWCControl": True}, storage=cut(None))
    assert (await place(driver), (await offered(driver))[1:], await asked(driver)) == (
        (True, "ConnectingWalletConnect"),
        ("idle", ""),
        [],
    )


async def test_its_pane_is_the_one_that_was_looked_at(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(PairingState.select_pane("web"))
    await driver.reload(storage=cut(CHOSEN))
    assert (await driver.state(PairingState)).pane == "web"


async def test_no_app_is_asked_before_the_visitor_says_so(driver: Driver) -> None:
    await comes_back_on_a_phone(driver)
    assert await asked(driver) == []
    await driver.fire(PairingState.retry)
    (command,) = await asked(driver)
    assert (command["params"]["wallet"], command["params"]["again"]) == (OWN, True)


async def test_the_link_of_a_pane_is_offered_again_too(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.fire(PairingState.select_pane("web"))
    await driver.reload(storage=cut(CHOSEN))
    assert (await offered(driver), await asked(driver)) == ((PHONE.name, "error", PAIRING_INTERRUPTED), [])


async def test_a_code_for_any_wallet_is_there_again_too(driver: Driver) -> None:
    await driver.load(storage=cut(None))
    assert await place(driver) == (True, "ConnectingWalletConnect")
    assert (await driver.state(PairingState)).pane == "qrcode"


async def test_without_adapters_it_is_offered_on_the_view_that_opens(driver: Driver) -> None:
    await driver.load(options={"adapters": []}, storage=cut(None))
    assert await place(driver) == (True, "ConnectingWalletConnectBasic")
    assert (await offered(driver))[1:] == ("waiting", "")


async def test_a_wallet_that_the_server_has_forgotten_is_looked_up(driver: Driver, catalogue: Catalogue) -> None:
    await load_on(driver, system="ios", storage=cut(LISTED))
    assert await place(driver) == (True, "ConnectingWalletConnect")
    assert await offered(driver) == ("Wallet 3", "error", PAIRING_INTERRUPTED)
    assert (await driver.state(PairingState)).pane == "mobile"


async def test_a_wallet_of_the_host_needs_no_directory(driver: Driver) -> None:
    await driver.load(options=HOUSE, storage=cut(OWN))
    assert await offered(driver) == ("House Wallet", "waiting", "")


async def test_a_wallet_that_nobody_knows_any_more_is_not_offered(driver: Driver, catalogue: Catalogue) -> None:
    catalogue.status = 500
    await driver.load(storage=cut(LISTED))
    assert await place(driver) == (False, "Connect")


async def test_who_has_begun_something_else_is_left_alone(driver: Driver) -> None:
    await driver.load(storage=cut(None), settled=False)
    await driver.call("open", view="WhatIsAWallet")
    await driver.tell(storage=cut(None))
    assert await place(driver) == (True, "WhatIsAWallet")


async def test_it_waits_until_the_page_knows_what_the_phone_has_done(driver: Driver) -> None:
    await driver.load(storage=cut(None), settled=False)
    assert await place(driver) == (False, "Connect")


async def test_it_is_offered_once(driver: Driver) -> None:
    await driver.load(storage=cut(None))
    await driver.fire(ShellState.close)
    await driver.tell(storage=cut(None), marks=["isLantern"])
    assert await place(driver) == (False, "ConnectingWalletConnect")


async def test_a_deployment_without_a_relay_offers_nothing(driver: Driver, configure: Configure) -> None:
    configure(RELAY_URL=None)
    await driver.load(storage=cut(None))
    assert await place(driver) == (False, "Connect")


async def test_an_approval_while_the_page_was_away_connects_and_offers_nothing(driver: Driver) -> None:
    await driver.load(storage=cut(CHOSEN), settled=False)
    await driver.tell(storage=cut(CHOSEN), sessions={"eip155": paired()})
    assert await place(driver) == (False, "Connect")
    assert await told(driver, "CONNECT_SUCCESS") == [{"method": "qrcode", "name": "Tidewater"}]


async def test_an_approval_after_the_offer_connects_and_closes(driver: Driver) -> None:
    await comes_back_on_a_phone(driver)
    await driver.tell(storage=cut(OWN), sessions={"eip155": paired()})
    assert (await place(driver))[0] is False
    assert await told(driver, "CONNECT_SUCCESS") == [{"method": "mobile", "name": "House Wallet"}]


async def test_an_approval_while_the_fresh_code_is_shown_connects_and_closes(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.reload(storage=cut(CHOSEN))
    (command,) = await asked(driver)
    await approve(driver, command)
    assert (await place(driver))[0] is False
    assert await told(driver, "CONNECT_SUCCESS") == [{"method": "qrcode", "name": PHONE.name}]


async def test_on_a_phone_it_is_told_of_as_mobile(driver: Driver) -> None:
    await load_on(driver, system="ios", storage=cut(CHOSEN), settled=False)
    await driver.tell(storage=cut(CHOSEN), sessions={"eip155": paired()})
    assert [event["method"] for event in await told(driver, "CONNECT_SUCCESS")] == ["mobile"]


async def test_a_session_of_before_is_no_answer(driver: Driver) -> None:
    storage = cut(CHOSEN, eip155="walletConnect")
    await driver.load(storage=storage, settled=False)
    await driver.tell(storage=storage, sessions={"eip155": paired()})
    assert await told(driver, "CONNECT_SUCCESS") == []


async def test_another_wallet_may_be_chosen_instead(driver: Driver) -> None:
    await choose(driver, PHONE.id)
    await driver.reload(storage=cut(CHOSEN))
    await driver.fire(ShellState.back)
    await driver.fire(Row.choose("bb22"))
    assert [command["params"]["wallet"]["id"] for command in await asked(driver)] == ["bb22"]
