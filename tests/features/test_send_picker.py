"""The token picker of a transfer: what it lists, and what can be chosen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.driver import Driver
from tests.features.send_stage import ETHER, USDC_KEY, Stage, at_form, balance, form, pick, world
from walletmodal.deployment import Deployment
from walletmodal.features.send.picker import PickState
from walletmodal.features.shell.state import ShellState

pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def stage(deployed: Deployment) -> Stage:
    return world().on(deployed)


async def test_the_list_finds_by_name_symbol_and_address(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await driver.fire(PickState.open_list)
    found = []
    for text in ("usd", "the eth", USDC_KEY.rpartition(":")[2].lower(), "nothing"):
        await driver.fire(PickState.set_search(text))
        found.append([row[2] for row in (await driver.state(PickState)).tokens])
    assert found == [["USDC"], ["ETH"], ["USDC"], []]


async def test_a_long_list_is_cut_and_says_how_much(driver: Driver, stage: Stage) -> None:
    many = [balance(f"{ETHER}:0x{n:040x}", f"T{n}", "1") for n in range(1, 201)]
    stage.tokens[ETHER] = (stage.tokens[ETHER][0], *many)
    await at_form(driver)
    await driver.fire(PickState.open_list)
    await driver.fire(PickState.on_shown)
    shown = await driver.state(PickState)
    assert (len(shown.tokens), shown.more) == (60, 141)


async def test_a_second_click_on_the_tokens_button_leaves_the_list_as_it_is(driver: Driver, stage: Stage) -> None:
    """The view is there already, so that nothing would load the list again."""
    await at_form(driver)
    await driver.fire(PickState.open_list)
    await driver.fire(PickState.on_shown)
    await driver.fire(PickState.open_list)
    shown = await driver.state(PickState)
    assert (shown.phase, bool(shown.tokens)) == ("known", True)


async def test_the_list_goes_with_the_modal(driver: Driver, stage: Stage) -> None:
    await at_form(driver)
    await driver.fire(PickState.open_list)
    await driver.fire(PickState.on_shown)
    await driver.fire(ShellState.close)
    assert (await driver.state(PickState)).tokens == []


async def test_hostile_tokens_are_shown_harmless(driver: Driver, stage: Stage) -> None:
    bad = balance(f"{ETHER}:0x{1:040x}", "\u202eHTE\x00", "1")
    stage.tokens[ETHER] = (bad,)
    await at_form(driver)
    await pick(driver, f"{ETHER}:0x{1:040x}")
    assert (await form(driver)).symbol == "HTE"


@pytest.mark.parametrize("key", ["", "eip155:1:0x0", 5, None, ["eip155:1"], {"a": 1}])
async def test_only_what_is_listed_can_be_picked(driver: Driver, stage: Stage, key: Any) -> None:
    await at_form(driver)
    await driver.fire(PickState.open_list)
    await driver.fire(PickState.on_shown)
    await driver.forge(f"{PickState.get_full_name()}.choose", {"key": key})
    assert (await form(driver)).token == ""
