"""The NFTs of the account that is shown, and the one that is chosen."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.services.nft_double import KITES, NftNode, metadata_uri
from walletmodal.core.accounts.nfts import is_nft_id
from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.clock import MovableClock
from walletmodal.core.text.texts import ADDRESS_COPIED
from walletmodal.deployment import Deployment
from walletmodal.features.nfts.state import NftsState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState
from walletmodal.services.cache import MemoryCache
from walletmodal.services.images import ImageReferences, reference_key
from walletmodal.services.nfts import Nfts

# What sessions are kept in makes no difference here, and each test with Redis takes as long as two without.
pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)
CONTRACT = normal_address("eip155", KITES)


@pytest_asyncio.fixture
async def node(deployed: Deployment) -> AsyncIterator[NftNode]:
    """The node of every network of the deployment."""
    node, clock = NftNode(), MovableClock()
    deployed.clock = clock
    references = ImageReferences(reference_key(), of="nft", accepts=is_nft_id)
    services = deployed.services
    deployed.nfts = Nfts(
        lambda _chain: node, services.blockchain.accounts, services.images, references, MemoryCache(clock), clock=clock
    )
    yield node


class Grid:
    """What a visitor does with the NFTs, and what the browser has of them."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    async def show(self) -> None:
        """The grid appears."""
        await self.driver.fire(NftsState.on_shown(0, 0, ""))

    async def state(self) -> NftsState:
        """As it is now."""
        return await self.driver.state(NftsState)

    async def rows(self) -> list[list[Any]]:
        """What the page shows."""
        text = dict((await self.state()).get_value("page"))["entries"]
        return list(json.loads(text)) if text else []

    async def choose(self, token_id: int = 7) -> NftsState:
        """A cell is pressed."""
        await self.driver.fire(NftsState.choose(f"eip155:1/erc721:{CONTRACT}/{token_id}"))
        return await self.state()


@pytest_asyncio.fixture
async def grid(driver: Driver, node: NftNode) -> Grid:
    """The NFTs, not yet shown, of a connected visitor who has the modal open."""
    await driver.connect()
    await driver.call("open", view="Account")
    return Grid(driver)


async def test_the_accounts_nfts_are_shown(grid: Grid, node: NftNode) -> None:
    node.give(7)
    await grid.show()
    ((asset, name, collection, picture, amount),) = await grid.rows()
    assert (asset, name, collection, picture[:12], amount) == (
        f"eip155:1/erc721:{CONTRACT}/7",
        "Kite 7",
        "Kites",
        "/images/nft/",
        "",
    )


async def test_an_account_without_nfts_is_said_to_have_none(grid: Grid) -> None:
    await grid.show()
    assert (await grid.state()).phase == "none"


async def test_older_ones_that_may_be_missing_are_said_at_the_end(grid: Grid, node: NftNode) -> None:
    node.head, node.forgotten = 100_000, 60_000
    node.give(7, block=99_000)
    await grid.show()
    for number in range(2, 6):
        if not (await grid.state()).get_value("page")["more"]:
            break
        await grid.driver.fire(NftsState.more((await grid.state()).get_value("page")["list"], number))
    assert ((await grid.state()).partial, (await grid.state()).phase) == (True, "shown")


async def test_of_a_whole_list_nothing_is_said_to_be_missing(grid: Grid, node: NftNode) -> None:
    node.give(7)
    await grid.show()
    assert (await grid.state()).partial is False


async def test_a_node_that_is_away_is_said_and_asked_again(grid: Grid, node: NftNode) -> None:
    node.give(7)
    node.down = True
    await grid.show()
    failed = (await grid.state()).phase
    node.down = False
    await grid.driver.fire(NftsState.retry)
    assert (failed, (await grid.state()).phase, len(await grid.rows())) == ("failed", "shown", 1)


async def test_another_account_shows_nothing_of_the_one_before(grid: Grid, node: NftNode) -> None:
    node.give(7)
    await grid.show()
    await grid.driver.tell(sessions={"eip155": session(OTHER)})
    await grid.show()
    assert await grid.rows() == []


async def test_a_network_that_the_deployment_does_not_have_is_not_asked(grid: Grid, node: NftNode) -> None:
    await grid.driver.tell(sessions={"eip155": session(ADDRESS, "424242")})
    node.asked.clear()
    await grid.show()
    assert ((await grid.state()).phase, node.asked) == ("failed", [])


async def test_the_end_in_view_brings_the_next_page(grid: Grid, node: NftNode) -> None:
    for number in range(30):
        node.give(number, block=number)
    await grid.show()
    page = dict((await grid.state()).get_value("page"))
    await grid.driver.fire(NftsState.more(page["list"], 2))
    assert [row[1] for row in await grid.rows()] == [f"Kite {number}" for number in reversed(range(6))]


async def test_the_chosen_one_is_shown_in_detail(grid: Grid, node: NftNode) -> None:
    node.give(7)
    node.uris[KITES, 7] = metadata_uri(name="Kite 7", description="A kite.")
    state, shell = await grid.choose(), await grid.driver.state(ShellState)
    assert (state.chosen, state.name, state.description, state.token_id, state.contract, state.explorer_url) == (
        "shown",
        "Kite 7",
        "A kite.",
        "7",
        CONTRACT,
        f"https://etherscan.io/token/{CONTRACT}?a=7",
    )
    assert (shell.view, shell.title) == ("NftDetails", "Kite 7")


async def test_the_chosen_one_is_asked_for_again_whose_it_is(grid: Grid, node: NftNode) -> None:
    node.give(7, to=OTHER)
    assert (await grid.choose()).chosen == "gone"


async def test_a_chosen_one_that_cannot_be_read_is_tried_again(grid: Grid, node: NftNode) -> None:
    node.give(7)
    node.down = True
    failed = (await grid.choose()).chosen
    node.down = False
    await grid.driver.fire(NftsState.retry_chosen)
    assert (failed, (await grid.state()).chosen) == ("failed", "shown")


@pytest.mark.parametrize("asset", ["", "eip155:1", f"eip155:1/erc20:{CONTRACT}/1", 7, None, "x" * 10_000])
async def test_what_is_no_nft_cannot_be_chosen(grid: Grid, asset: object) -> None:
    await grid.driver.forge(f"{NftsState.get_full_name()}.choose", {"asset": asset})
    assert ((await grid.state()).chosen, (await grid.driver.state(ShellState)).view) == ("", "Account")


async def test_an_nft_of_a_network_that_is_not_ours_is_not_asked_for(grid: Grid, node: NftNode) -> None:
    node.asked.clear()
    await grid.driver.fire(NftsState.choose(f"eip155:424242/erc721:{CONTRACT}/7"))
    assert ((await grid.state()).chosen, node.asked) == ("failed", [])


async def test_copying_the_contract_is_said(grid: Grid) -> None:
    await grid.driver.fire(NftsState.on_copied(True))
    assert (await grid.driver.state(ToastState)).message == ADDRESS_COPIED
