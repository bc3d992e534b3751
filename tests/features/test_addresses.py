"""A wallet with several accounts: which one is used, for how long, and who may choose."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.namespaces import BITCOIN, BTC, OTHER_SOL, SOL, SOLANA, WALLETS, told
from tests.patience import patience
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.account.state import Bip122State, SolanaState
from walletmodal.features.shell.state import ShellState

pytestmark = [
    pytest.mark.usefixtures("every_chain"),
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
]


def both(first: str = ADDRESS, second: str = OTHER) -> dict[str, Any]:
    """A wallet that gave two accounts."""
    return {"eip155": {**session(), "accounts": [first, second]}}


async def looking(driver: Driver) -> None:
    """A visitor looks at the accounts of their wallet."""
    await driver.load(sessions=both())
    await driver.call("open")
    await driver.fire(AddressesState.open_list)


async def test_the_accounts_are_listed_in_the_wallets_order(driver: Driver) -> None:
    await looking(driver)
    rows = (await driver.state(AddressesState)).rows
    assert ((await driver.state(ShellState)).view, [row["address"] for row in rows]) == (
        "SwitchAddress",
        [ADDRESS, OTHER],
    )


@pytest.mark.parametrize("view", ["SwitchAddress", "Profile"])
async def test_the_accounts_come_with_a_view_of_them_that_the_host_opens(driver: Driver, view: str) -> None:
    await driver.load(sessions=both())
    await driver.call("open", view=view)
    assert [row["address"] for row in (await driver.state(AddressesState)).rows] == [ADDRESS, OTHER]


async def test_another_account_is_used_and_the_modal_closed(driver: Driver) -> None:
    await looking(driver)
    await driver.fire(AddressesState.choose(OTHER))
    held = await driver.account()
    assert (held.address, held.caip_address, (await driver.state(ShellState)).open) == (
        OTHER,
        f"eip155:1:{OTHER}",
        False,
    )


async def test_the_balance_is_that_of_the_account_in_use(driver: Driver) -> None:
    await looking(driver)
    await driver.fire(AddressesState.choose(OTHER))
    assert (await driver.account()).balance_state == "known"


async def test_the_page_gets_the_account_in_use_first(driver: Driver) -> None:
    await looking(driver)
    await driver.fire(AddressesState.choose(OTHER))
    await driver.request("eth_requestAccounts")
    assert (await driver.answer("request"))["value"] == [OTHER, ADDRESS]


async def test_a_choice_outlasts_what_the_wallet_keeps_saying(driver: Driver) -> None:
    await looking(driver)
    await driver.fire(AddressesState.choose(OTHER))
    await driver.tell(sessions=both())
    assert (await driver.account()).address == OTHER


async def test_a_choice_outlasts_a_reload(driver: Driver) -> None:
    await looking(driver)
    await driver.fire(AddressesState.choose(OTHER))
    await driver.reload(settled=False)
    await driver.tell(sessions=both())
    assert (await driver.account()).address == OTHER


async def test_a_wallet_that_moves_on_to_another_account_is_followed(driver: Driver) -> None:
    await driver.load(sessions={"solana": told(SOLANA, SOL, OTHER_SOL)})
    await driver.fire(AddressesState.choose(OTHER_SOL))
    await driver.tell(sessions={"solana": told(SOLANA, OTHER_SOL, SOL)})
    await driver.tell(sessions={"solana": told(SOLANA, SOL, OTHER_SOL)})
    assert (await driver.state(SolanaState)).address == SOL


async def test_a_chosen_account_that_the_wallet_takes_back_is_left(driver: Driver) -> None:
    await looking(driver)
    await driver.fire(AddressesState.choose(OTHER))
    await driver.tell(sessions={"eip155": session()})
    assert (await driver.account()).address == ADDRESS


async def test_a_choice_ends_with_the_connection(driver: Driver) -> None:
    await looking(driver)
    await driver.fire(AddressesState.choose(OTHER))
    await driver.tell(sessions={})
    await driver.tell(sessions=both())
    assert (await driver.account()).address == ADDRESS


@pytest.mark.parametrize("address", ["0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", "", OTHER.lower()])
async def test_what_the_wallet_did_not_give_cannot_be_chosen(driver: Driver, address: str) -> None:
    await looking(driver)
    await driver.fire(AddressesState.choose(address))
    assert (await driver.account()).address == ADDRESS


async def test_a_list_that_is_looked_at_follows_the_wallet(driver: Driver) -> None:
    await looking(driver)
    await driver.tell(sessions={"eip155": session()})
    assert [row["address"] for row in (await driver.state(AddressesState)).rows] == [ADDRESS]


async def test_one_account_leaves_nothing_to_choose(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    await driver.fire(AddressesState.open_list)
    assert (await driver.state(ShellState)).view == "Account"


async def test_the_host_opens_the_list_by_name(driver: Driver) -> None:
    await driver.load(sessions=both())
    await driver.call("open", view="SwitchAddress")
    await driver.fire(AddressesState.refresh)
    assert len((await driver.state(AddressesState)).rows) == 2


# A Bitcoin wallet with an address for payments and one for collectibles

TAPROOT = "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"


async def bitcoin(driver: Driver) -> None:
    """A visitor looks at the account of a wallet with both."""
    await driver.load(wallets=WALLETS, sessions={"bip122": told(BITCOIN, BTC, TAPROOT)})
    await driver.call("open")


async def test_taproot_addresses_hold_collectibles(driver: Driver) -> None:
    await bitcoin(driver)
    held = await driver.state(Bip122State)
    assert (held.kind, held.get_value("kinds")) == ("payment", ["payment", "ordinal"])


async def test_the_tab_of_collectibles_uses_that_address(driver: Driver) -> None:
    await bitcoin(driver)
    await driver.fire(AddressesState.choose_kind("ordinal"))
    held = await driver.state(Bip122State)
    assert (held.address, held.kind) == (TAPROOT, "ordinal")


async def test_what_the_wallet_itself_says_of_its_addresses_counts(driver: Driver) -> None:
    await bitcoin(driver)
    learning = asyncio.create_task(driver.fire(AddressesState.load_kinds))
    async with patience():
        while not (asked := await driver.commands("wallet.request")):
            await asyncio.sleep(0)
    rows = [{"address": BTC, "intention": "ordinal"}, {"address": TAPROOT, "intention": "payment"}]
    await driver.reply(asked[0], value=[*rows, {"address": "stranger", "intention": "ordinal"}, None])
    await learning
    held = await driver.state(Bip122State)
    assert (held.kind, held._ordinals) == ("ordinal", (BTC,))
