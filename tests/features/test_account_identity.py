"""The name and picture of the account: shown, told to the host, and never another account's."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.owned import served, token
from walletmodal.core.accounts.names import Identity
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.clock import MovableClock
from walletmodal.core.constants import IDENTITY_TTL
from walletmodal.core.errors.services import ServiceError
from walletmodal.deployment import Deployment
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.account.state import Eip155State
from walletmodal.services.http import Caller
from walletmodal.services.identities import Identities

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)
PICTURE = "https://pictures.example/alice.png"


class Names:
    """Knows names by address; fails while it is told to."""

    def __init__(self) -> None:
        self.known = {ADDRESS: Identity(name="alice.eth", avatar=PICTURE)}
        self.down = False
        self.asked = 0

    async def identity(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> Identity:
        self.asked += 1
        assert caller.origin
        assert sender
        assert chain.namespace == "eip155"
        if self.down:
            raise ServiceError("blockchain", status=503)
        return self.known.get(address, Identity())

    async def name_of(self, caller: Caller, chain: ChainId, address: str, *, sender: str = "") -> str:
        return (await self.identity(caller, chain, address, sender=sender)).name


@pytest.fixture
def names(deployed: Deployment) -> Names:
    """What the deployment asks."""
    found = Names()
    deployed.identities = Identities(found, found)
    return found


async def test_a_name_is_shown_and_told_to_the_host(driver: Driver, names: Names) -> None:
    await driver.connect()
    account = await driver.account()
    assert (account.profile_name, account.public["profileName"]) == (names.known[ADDRESS].name, "alice.eth")


@pytest.mark.usefixtures("names")
async def test_a_picture_comes_through_our_server(driver: Driver) -> None:
    await driver.connect()
    account = await driver.account()
    assert account.profile_image.startswith("/images/remote/")
    assert account.public["profileImage"] == account.profile_image


@pytest.mark.usefixtures("names")
async def test_another_account_has_not_the_name_of_the_one_before(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={"eip155": session(OTHER)})
    account = await driver.account()
    assert (account.address, account.profile_name, account.profile_image) == (OTHER, "", "")


async def test_a_name_outlives_a_service_that_is_down(driver: Driver, names: Names) -> None:
    await driver.connect()
    names.down = True
    await driver.fire(Eip155State.load_identity)
    assert (await driver.account()).profile_name == "alice.eth"


async def test_a_name_that_is_known_is_not_asked_for_at_every_look(
    driver: Driver, names: Names, deployed: Deployment
) -> None:
    deployed.clock = clock = MovableClock(datetime(2026, 1, 5, 12, tzinfo=UTC))
    await driver.connect()
    asked = names.asked
    await driver.fire(Eip155State.refresh_balance)
    at_once = names.asked - asked
    clock.advance(IDENTITY_TTL)
    await driver.fire(Eip155State.refresh_balance)
    assert (at_once, names.asked > asked) == (0, True)


@pytest.mark.usefixtures("names")
async def test_a_network_that_is_not_offered_has_no_names(driver: Driver) -> None:
    await driver.connect(chain="11155111")
    assert (await driver.account()).profile_name == ""


@pytest.mark.usefixtures("names")
async def test_who_disconnects_leaves_no_name(driver: Driver) -> None:
    await driver.connect()
    await driver.tell(sessions={})
    account = await driver.account()
    assert (account.profile_name, account.profile_image) == ("", "")


async def test_the_wallets_accounts_are_shown_with_their_worth(driver: Driver, deployed: Deployment) -> None:
    served(deployed, token("A", value=12))
    await driver.load(sessions={"eip155": {**session(), "accounts": [ADDRESS, OTHER]}})
    await driver.call("open")
    await driver.fire(AddressesState.refresh)
    state = await driver.state(AddressesState)
    assert state.get_value("worth") == {ADDRESS: "$12.00", OTHER: "$12.00"}


async def test_the_worth_of_an_account_that_nobody_knows_is_a_dash(driver: Driver, deployed: Deployment) -> None:
    served(deployed).failure = ServiceError("blockchain", status=503)
    await driver.load(sessions={"eip155": {**session(), "accounts": [ADDRESS, OTHER]}})
    await driver.call("open")
    await driver.fire(AddressesState.refresh)
    assert set((await driver.state(AddressesState)).get_value("worth").values()) == {"–"}
