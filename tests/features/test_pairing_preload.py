"""What is made ready before a wallet is chosen: on phones the SDK, in Telegram's window on iOS a code too."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.conftest import Configure
from tests.features.pairing_stage import PHONE, Row, approve, asked, load_on, place, told
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState

# Where sessions live makes no difference to what is made ready.
pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture(autouse=True)
def relay(configure: Configure) -> None:
    """A deployment with a relay."""
    configure(RELAY_URL="ws://localhost:8700/relay")


async def listed(driver: Driver, **parts: Any) -> None:
    """A visitor in Telegram on iOS looks at the list of wallets."""
    await load_on(driver, system="ios", telegram=True, **parts)
    await driver.call("open")


async def ahead(driver: Driver) -> str:
    """What is to be made ready."""
    return (await driver.state(PairingState)).ahead


@pytest.mark.parametrize(
    ("system", "telegram", "needed"), [("ios", False, "load"), ("android", True, "load"), ("ios", True, "code")]
)
async def test_a_code_is_needed_only_where_a_link_must_open_within_the_tap(
    driver: Driver, system: str, telegram: bool, needed: str
) -> None:
    await load_on(driver, system=system, telegram=telegram)
    assert await ahead(driver) == needed


async def test_on_a_computer_nothing_is(driver: Driver) -> None:
    await driver.load()
    assert await ahead(driver) == ""


async def test_without_a_relay_nothing_is(driver: Driver, configure: Configure) -> None:
    configure(RELAY_URL=None)
    await listed(driver)
    assert (await ahead(driver), await asked(driver)) == ("", [])


async def test_the_list_asks_for_a_code_of_no_wallet_in_particular(driver: Driver) -> None:
    await listed(driver)
    (command,) = await asked(driver)
    assert (command["params"]["ahead"], command["params"]["wallet"]) == (True, None)


async def test_before_the_list_is_looked_at_nothing_is_asked(driver: Driver) -> None:
    await load_on(driver, system="ios", telegram=True)
    assert await asked(driver) == []


async def test_the_list_of_all_wallets_keeps_the_code(driver: Driver) -> None:
    await listed(driver)
    before = await asked(driver)
    await driver.fire(ShellState.push("AllWallets"))
    assert await asked(driver) == before


async def test_a_view_without_wallets_lets_go_of_it(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(ShellState.push("WhatIsAWallet"))
    assert await asked(driver) == []


async def test_the_way_back_asks_again(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(ShellState.push("WhatIsAWallet"))
    await driver.fire(ShellState.back)
    assert len(await asked(driver)) == 1


async def test_the_wallet_that_is_chosen_takes_the_code_over(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(Row.choose(PHONE.id))
    (command,) = await asked(driver)
    params = command["params"]
    assert (params["ahead"], params["again"], params["wallet"]["id"]) == (False, False, PHONE.id)


async def test_who_returns_from_a_wallet_and_chooses_it_again_makes_it_a_recent_one(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(Row.choose(PHONE.id))
    await driver.fire(ShellState.back)
    await driver.fire(Row.choose(PHONE.id))
    (command,) = await asked(driver)
    assert command["params"]["wallet"]["id"] == PHONE.id


async def test_a_relay_that_fails_ends_the_waiting_without_a_word(driver: Driver) -> None:
    await listed(driver)
    await driver.reply((await asked(driver))[0], code=-32603, message="The relay cannot be reached")
    assert (await ahead(driver), await asked(driver)) == ("load", [])
    assert await told(driver, "CONNECT_ERROR") == []


async def test_it_is_not_asked_again_by_itself(driver: Driver) -> None:
    await listed(driver)
    await driver.reply((await asked(driver))[0], code=-32603, message="The relay cannot be reached")
    await driver.tell()
    await driver.fire(ShellState.push("AllWallets"))
    assert await asked(driver) == []


async def test_opening_the_modal_again_gives_it_another_chance(driver: Driver) -> None:
    await listed(driver)
    await driver.reply((await asked(driver))[0], code=-32603, message="The relay cannot be reached")
    await driver.fire(ShellState.close)
    await driver.call("open", call_id="again")
    assert (await ahead(driver), len(await asked(driver))) == ("code", 1)


async def test_a_frame_that_loads_anew_finds_a_code_again(driver: Driver) -> None:
    await listed(driver)
    await driver.reply((await asked(driver))[0], code=-1, message="orphaned")
    assert len(await asked(driver)) == 1


async def test_a_frame_that_is_lost_again_and_again_ends_the_waiting(driver: Driver) -> None:
    await listed(driver)
    for _ in range(2):
        await driver.reply((await asked(driver))[0], code=-1, message="orphaned")
    assert (await ahead(driver), await asked(driver)) == ("load", [])


async def test_an_app_that_approves_after_the_visitor_went_back_connects(driver: Driver) -> None:
    await listed(driver)
    await driver.fire(Row.choose(PHONE.id))
    await driver.fire(ShellState.back)
    await approve(driver, (await asked(driver))[0])
    assert ((await place(driver))[0], len(await told(driver, "CONNECT_SUCCESS"))) == (False, 1)


async def test_a_host_that_says_when_is_waited_for(driver: Driver) -> None:
    await listed(driver, options={"manualWCControl": True})
    assert (await ahead(driver), await asked(driver)) == ("load", [])
