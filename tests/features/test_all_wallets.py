"""The grid of all wallets: pages, search, badge, the browser's own, and a directory that fails."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
import pytest_asyncio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.driver import METAMASK, Driver
from walletmodal.core.clock import MovableClock
from walletmodal.core.constants import LIST_ENTRIES, SEARCH_ENTRIES
from walletmodal.core.text.texts import ONLY_CERTIFIED, alert
from walletmodal.deployment import Deployment, service_settings
from walletmodal.features.all_wallets.state import AllWalletsState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.sandbox.directory import directory_service
from walletmodal.sandbox.directory.wallets import Wallet, Wanted, find_wallets
from walletmodal.services.cache import MemoryCache
from walletmodal.services.clients import ServiceClients
from walletmodal.services.outside_budget import VISITOR_SERVICES, OutsideBudget

SANDBOX = "http://localhost:8700"
CHAINS = frozenset({"eip155:1", "eip155:137", "eip155:10"})
LISTED = find_wallets(Wanted(chains=CHAINS), SANDBOX)
BROWSERS = next(wallet for wallet in LISTED[100:] if wallet.rdns)
"""A wallet from far down the list that the visitor's browser may have."""
SEARCHES = 0.3


@dataclass
class Directory:
    """The sandbox's directory in this process. `answer`: what takes the place of its own; `asked`: the query of each `getWallets`; `clock`: what budgets are refilled by."""

    answer: Callable[[], Response] | None = None
    asked: list[dict[str, str]] = field(default_factory=list)
    clock: MovableClock = field(default_factory=MovableClock)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer."""
        self.asked.append(dict(httpx.QueryParams(scope["query_string"])))
        app: Any = self.answer() if self.answer else directory_service(SANDBOX)
        await app(scope, receive, send)


@pytest_asyncio.fixture
async def directory(deployed: Deployment) -> AsyncIterator[Directory]:
    """The directory of the deployment."""
    found = Directory()
    client = httpx.AsyncClient(transport=httpx.ASGITransport(found))
    settings = replace(service_settings(deployed.settings), directory_url="http://directory.example")
    deployed.services = ServiceClients(settings, client, MemoryCache(), budget=OutsideBudget(found.clock))
    yield found
    await deployed.services.close()
    await client.aclose()


@pytest.fixture
def clock(deployed: Deployment) -> MovableClock:
    """The deployment's clock, which stands still."""
    deployed.clock = still = MovableClock()
    return still


@pytest_asyncio.fixture
async def grid(driver: Driver, directory: Directory) -> Grid:
    """The grid, not yet shown, for a visitor whose browser has MetaMask."""
    await driver.load()
    directory.asked.clear()
    return Grid(driver)


class Grid:
    """What a visitor does with the grid, and what the browser has of it."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    async def show(self, kept_list: int = 0, kept_pages: int = 0) -> None:
        """The view appears."""
        await self.driver.fire(ShellState.push("AllWallets"))
        await self.driver.fire(AllWalletsState.on_shown(kept_list, kept_pages))

    async def state(self) -> AllWalletsState:
        """As it is now."""
        return await self.driver.state(AllWalletsState)

    async def page(self) -> dict[str, Any]:
        """The page that came last."""
        return dict((await self.state()).get_value("page"))

    async def names(self) -> list[str]:
        """Those of that page."""
        return [row[1] for row in (await self.page())["rows"]]

    async def more(self) -> None:
        """The end of the list comes into view."""
        page = await self.page()
        await self.driver.fire(AllWalletsState.more(page["list"], page["number"] + 1))


def wrong(status: int) -> Callable[[], Response]:
    """A refusal."""
    return lambda: Response("{}", status_code=status, media_type="application/json")


def gives(text: str) -> Callable[[], Response]:
    """An answer."""
    return lambda: Response(text, media_type="application/json")


def announced(wallet: Wallet) -> dict[str, Any]:
    """The wallet as a browser brings it."""
    return {**METAMASK, "id": wallet.rdns, "rdns": wallet.rdns, "name": wallet.name}


# Pages


async def test_the_first_page_has_the_recommended_wallets_and_forty_more(grid: Grid) -> None:
    await grid.show()
    assert await grid.names() == [wallet.name for wallet in LISTED[: 4 + LIST_ENTRIES]]


async def test_featured_wallets_come_first_in_the_hosts_order(driver: Driver, directory: Directory) -> None:
    featured = [LISTED[90].id, LISTED[80].id]
    await driver.load(options={"featuredWalletIds": featured})
    grid = Grid(driver)
    await grid.show()
    assert [row[0] for row in (await grid.page())["rows"]][:3] == [*featured, LISTED[0].id]


async def test_paging_to_the_end_shows_every_wallet_once(grid: Grid) -> None:
    await grid.show()
    seen = await grid.names()
    while (await grid.page())["more"]:
        await grid.more()
        seen += await grid.names()
    assert sorted(seen) == sorted(wallet.name for wallet in LISTED)


async def test_a_further_page_sends_that_page_alone(grid: Grid) -> None:
    await grid.show()
    grid.driver.deltas.clear()
    await grid.more()
    sent = len(json.dumps(grid.driver.deltas))
    assert sent < LIST_ENTRIES * 150 + 1000


async def test_the_same_end_in_view_twice_asks_once(grid: Grid, directory: Directory) -> None:
    await grid.show()
    page = await grid.page()
    await grid.more()
    asked = len(directory.asked)
    await grid.driver.fire(AllWalletsState.more(page["list"], page["number"] + 1))
    assert len(directory.asked) == asked


async def test_who_comes_back_has_the_pages_already(grid: Grid, directory: Directory) -> None:
    await grid.show()
    page, asked = await grid.page(), len(directory.asked)
    await grid.show(page["list"], page["number"])
    assert (await grid.page(), len(directory.asked)) == (page, asked)


async def test_a_browser_that_has_lost_its_pages_begins_anew(grid: Grid) -> None:
    await grid.show()
    await grid.more()
    await grid.show()
    assert (await grid.page())["number"] == 1


async def test_a_list_that_a_snapshot_has_begun_is_sent_once(grid: Grid) -> None:
    await grid.driver.fire(ShellState.push("AllWallets"))
    await grid.driver.tell(wallets=[])
    grid.driver.deltas.clear()
    await grid.driver.fire(AllWalletsState.on_shown(0, 0))
    assert (await grid.page())["list"] == 1


async def test_a_second_visitor_asks_the_directory_nothing(grid: Grid, directory: Directory) -> None:
    await grid.show()
    directory.asked.clear()
    await grid.show()
    assert directory.asked == []


async def test_without_an_adapter_wallets_without_a_link_are_left_out(driver: Driver, directory: Directory) -> None:
    await driver.load(options={"adapters": []})
    grid = Grid(driver)
    await grid.show()
    linked = {w.name for w in LISTED if w.mobile_link or w.desktop_link or w.webapp_link}
    assert set(await grid.names()) <= linked


async def test_excluded_wallets_are_not_asked_for(driver: Driver, directory: Directory) -> None:
    await driver.load(options={"excludeWalletIds": [LISTED[0].id]})
    grid = Grid(driver)
    await grid.show()
    assert LISTED[0].name not in await grid.names()


# Search


async def search(grid: Grid, clock: MovableClock, text: str) -> None:
    """Types, and waits as long as a search takes."""
    typed = asyncio.create_task(grid.driver.fire(AllWalletsState.set_search(text)))
    await clock.asleep()
    clock.advance(SEARCHES)
    await typed


async def test_a_search_shows_at_most_a_hundred(grid: Grid, clock: MovableClock) -> None:
    await grid.show()
    await search(grid, clock, "al")
    page = await grid.page()
    assert (len(page["rows"]), page["more"]) == (SEARCH_ENTRIES, False)


async def test_a_result_does_not_show_before_300_ms_have_passed(grid: Grid, clock: MovableClock) -> None:
    await grid.show()
    typed = asyncio.create_task(grid.driver.fire(AllWalletsState.set_search("trust")))
    await clock.asleep()
    clock.advance(SEARCHES - 0.001)
    early = (await grid.state()).phase
    clock.advance(0.001)
    await typed
    assert (early, (await grid.state()).phase) == ("loading", "shown")


@pytest.mark.parametrize("text", ["", "t", " t ", "\u202e", None, 7, ["trust"]])
async def test_fewer_than_two_characters_are_no_search(grid: Grid, directory: Directory, text: Any) -> None:
    await grid.show()
    directory.asked.clear()
    await grid.driver.fire(AllWalletsState.set_search(text))
    assert ((await grid.state()).search, directory.asked) == ("", [])


async def test_a_late_answer_to_an_older_search_is_dropped(grid: Grid, clock: MovableClock) -> None:
    await grid.show()
    older = asyncio.create_task(grid.driver.fire(AllWalletsState.set_search("trust")))
    await clock.asleep()
    newer = asyncio.create_task(grid.driver.fire(AllWalletsState.set_search("rainbow")))
    await clock.asleep(2)
    clock.advance(SEARCHES)
    await asyncio.gather(older, newer)
    assert await grid.names() == ["Rainbow"]


async def test_nothing_found_is_said(grid: Grid, clock: MovableClock) -> None:
    await grid.show()
    await search(grid, clock, "no such wallet")
    assert (await grid.state()).phase == "none"


async def test_one_wallet_is_said_to_be_one(grid: Grid, clock: MovableClock) -> None:
    await grid.show()
    await search(grid, clock, "rainbow")
    assert (await grid.state()).told == "1 wallet"


async def test_the_badge_is_asked_for_and_said(grid: Grid, clock: MovableClock, directory: Directory) -> None:
    await grid.show()
    toggled = asyncio.create_task(grid.driver.fire(AllWalletsState.toggle_certified))
    await clock.asleep()
    clock.advance(SEARCHES)
    await toggled
    said = (await grid.driver.state(ToastState)).message
    assert (directory.asked[-1]["badge_type"], said) == ("certified", ONLY_CERTIFIED)


async def test_a_search_is_told_to_the_host(grid: Grid, clock: MovableClock) -> None:
    await grid.show()
    await search(grid, clock, "  trust ")
    told = (await grid.driver.news())[-1]
    assert (told["event"], told["properties"]) == ("SEARCH_WALLET", {"badge": "", "search": "trust"})


async def test_closing_the_modal_ends_the_search(grid: Grid, clock: MovableClock) -> None:
    await grid.driver.call("open")
    await grid.show()
    await search(grid, clock, "trust")
    await grid.driver.fire(ShellState.close)
    assert (await grid.state()).search == ""


# The browser's wallets


async def test_the_browsers_wallets_are_there_before_the_directory_answers(grid: Grid, directory: Directory) -> None:
    directory.answer = wrong(500)
    await grid.show()
    assert [wallet["name"] for wallet in (await grid.state()).installed] == ["MetaMask"]


async def test_a_listed_wallet_says_which_of_the_browser_it_is(driver: Driver, directory: Directory) -> None:
    await driver.load(wallets=[announced(BROWSERS)])
    grid = Grid(driver)
    await grid.show()
    rows = []
    while (await grid.page())["more"]:
        rows += (await grid.page())["rows"]
        await grid.more()
    assert [row[4] for row in rows if row[0] == BROWSERS.id] == [BROWSERS.rdns]


async def test_a_wallet_that_the_browser_brings_late_joins_the_grid(grid: Grid) -> None:
    await grid.show()
    await grid.driver.tell(wallets=[METAMASK, announced(BROWSERS)])
    assert [wallet["name"] for wallet in (await grid.state()).installed] == ["MetaMask", BROWSERS.name]


# A directory that fails


@pytest.mark.parametrize(
    "answer",
    [wrong(500), wrong(403), gives("<html>"), gives("[]"), gives('{"count": 3, "data": [1, 2, 3]}')],
    ids=["500", "403", "no JSON", "no page", "no wallet"],
)
async def test_a_directory_that_fails_is_said(grid: Grid, directory: Directory, answer: Callable[[], Response]) -> None:
    directory.answer = answer
    await grid.show()
    assert (await grid.state()).phase == "failed"


async def test_an_origin_that_the_project_does_not_allow_is_an_alert(grid: Grid, directory: Directory) -> None:
    directory.answer = wrong(403)
    await grid.show()
    assert (await grid.driver.state(AlertState)).message == alert("INVALID_APP_CONFIGURATION").short


async def test_an_empty_directory_leaves_the_browsers_wallets(grid: Grid, directory: Directory) -> None:
    directory.answer = gives('{"count": 0, "data": []}')
    await grid.show()
    state = await grid.state()
    assert (state.phase, len(state.installed)) == ("shown", 1)


async def test_nothing_at_all_is_said(driver: Driver, directory: Directory) -> None:
    directory.answer = gives('{"count": 0, "data": []}')
    await driver.load(wallets=[])
    grid = Grid(driver)
    await grid.show()
    assert (await grid.state()).phase == "none"


async def test_trying_again_asks_for_the_page_that_failed(grid: Grid, directory: Directory) -> None:
    await grid.show()
    directory.answer = wrong(500)
    await grid.more()
    directory.answer = None
    await grid.driver.fire(AllWalletsState.retry)
    state = await grid.state()
    assert (state.phase, (await grid.page())["number"]) == ("shown", 2)


async def test_a_directory_without_an_end_is_left_at_some_point(grid: Grid, directory: Directory) -> None:
    directory.answer = gives(json.dumps({"count": 10**9, "data": [{"id": "one", "name": "One", "chains": []}]}))
    await grid.show()
    for _ in range(300):
        directory.clock.advance(10)
        await grid.more()
    assert (await grid.page())["number"] == 250


async def test_a_visitor_who_asks_without_end_has_to_wait(grid: Grid, directory: Directory) -> None:
    directory.answer = gives(json.dumps({"count": 10**9, "data": [{"id": "one", "name": "One", "chains": []}]}))
    await grid.show()
    for _ in range(100):
        await grid.more()
    assert (len(directory.asked) <= VISITOR_SERVICES.burst, (await grid.state()).phase) == (True, "failed")
    directory.clock.advance(60)
    await grid.driver.fire(AllWalletsState.retry)
    assert (await grid.state()).phase == "shown"


async def test_without_a_directory_only_the_browsers_wallets_are_listed(driver: Driver) -> None:
    await driver.load()
    grid = Grid(driver)
    await grid.show()
    state = await grid.state()
    assert (state.phase, len(state.installed)) == ("absent", 1)


@pytest.mark.parametrize("payload", [{}, {"of_list": None, "number": []}, {"of_list": 1e9, "number": "2"}])
async def test_a_forged_wish_for_a_page_asks_nothing(grid: Grid, directory: Directory, payload: dict[str, Any]) -> None:
    await grid.show()
    directory.asked.clear()
    await grid.driver.forge(f"{AllWalletsState.get_full_name()}.more", payload)
    assert directory.asked == []
