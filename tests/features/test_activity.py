"""The activity of an account: pages, spam, networks, months, and a service that fails."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio
from starlette.responses import JSONResponse, Response

from tests.driver import ADDRESS, OTHER, Driver, session
from tests.features.history_double import History, entry, history_service, nft
from walletmodal.core.clock import MovableClock
from walletmodal.core.language.localized import Localized
from walletmodal.core.text.texts import FAILED_TO_FETCH_TRANSACTIONS
from walletmodal.deployment import Deployment
from walletmodal.features.activity.state import ActivityState
from walletmodal.features.pages.state import FRESH_SECONDS, MAX_PAGES
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

ZONE = "Europe/Berlin"
# What sessions are kept in makes no difference here, and each test with Redis takes as long as two without.
pytestmark = pytest.mark.parametrize("manager", ["memory"], indirect=True)


@pytest.fixture
def clock(deployed: Deployment) -> MovableClock:
    """The deployment's clock, which stands still."""
    deployed.clock = still = MovableClock(datetime(2026, 1, 21, tzinfo=UTC))
    return still


@pytest_asyncio.fixture
async def history(deployed: Deployment, clock: MovableClock) -> AsyncIterator[History]:
    """The service that knows what accounts did."""
    async with history_service(deployed) as service:
        yield service


class Activity:
    """What a visitor does with the list, and what the browser has of it."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver

    async def show(self, kept_list: int = 0, kept_pages: int = 0, zone: Any = ZONE) -> None:
        """The list appears."""
        await self.driver.fire(ActivityState.on_shown(kept_list, kept_pages, zone))

    async def more(self) -> None:
        """The end of the list comes into view."""
        page = await self.page()
        await self.driver.fire(ActivityState.more(page["list"], page["number"] + 1))

    async def state(self) -> ActivityState:
        """As it is now."""
        return await self.driver.state(ActivityState)

    async def page(self) -> dict[str, Any]:
        """The page that came last."""
        return dict((await self.state()).get_value("page"))

    async def months(self) -> list[list[Any]]:
        """What that page shows, with its texts in their places."""
        page = await self.page()
        if not page["entries"]:
            return []
        said = [*page["texts"], ""]
        return [
            [
                said[title],
                [
                    [id_, hash_, said[name], said[day], *others, [[said[text], *line] for text, *line in lines], more]
                    for id_, hash_, name, day, *others, lines, more in entries
                ],
            ]
            for title, entries in json.loads(page["entries"])["months"]
        ]

    async def ids(self) -> list[str]:
        """The ids that it shows."""
        return [one[0] for _, entries in await self.months() for one in entries]

    async def toasts(self) -> list[str]:
        """The message that is shown."""
        return [message for message in [(await self.driver.state(ToastState)).message] if message]


@pytest_asyncio.fixture
async def activity(driver: Driver, history: History) -> Activity:
    """The list, not yet shown, of a connected visitor who has the modal open."""
    await driver.connect()
    await driver.call("open")
    return Activity(driver)


# Pages


async def test_the_history_is_asked_for_the_account_on_its_network(activity: Activity, history: History) -> None:
    history.entries = [entry(0)]
    await activity.show()
    assert (history.asked[0]["chainId"], history.paths) == ("eip155:1", [f"/v1/account/{ADDRESS}/history"])


async def test_entries_stand_under_their_months(activity: Activity, history: History) -> None:
    history.entries = [entry(0), entry(25), entry(400)]
    await activity.show()
    assert [title for title, _ in await activity.months()] == ["January", "December 2025", "December 2024"]


async def test_whatever_a_page_says_can_be_said_in_other_languages(activity: Activity, history: History) -> None:
    history.entries = [entry(0), entry(25, operationType="approve", status="confirmed")]
    await activity.show()
    assert [text for text in (await activity.page())["texts"] if not isinstance(text, Localized)] == []


async def test_the_visitors_zone_decides_the_day(activity: Activity, history: History) -> None:
    history.entries = [entry(0, minedAt="2025-12-31T23:30:00Z")]
    await activity.show(zone="Asia/Tokyo")
    title, ((*_, day, _status, _badge, _exchange, _lines, _more),) = (await activity.months())[0]
    assert (title, day) == ("January", "01 Jan")


async def test_a_zone_that_is_none_counts_as_utc(activity: Activity, history: History) -> None:
    history.entries = [entry(0, minedAt="2025-12-31T23:30:00Z")]
    await activity.show(zone="Nowhere/Town")
    assert [title for title, _ in await activity.months()] == ["December 2025"]


async def test_the_end_in_view_brings_the_next_page(activity: Activity, history: History) -> None:
    history.entries = [entry(number) for number in range(120)]
    await activity.show()
    seen = await activity.ids()
    while (await activity.page())["more"]:
        await activity.more()
        seen += await activity.ids()
    assert seen == [f"t-{number}" for number in range(120)]


async def test_the_same_end_in_view_twice_asks_once(activity: Activity, history: History) -> None:
    history.entries = [entry(number) for number in range(120)]
    await activity.show()
    page = await activity.page()
    await activity.more()
    asked = len(history.asked)
    await activity.driver.fire(ActivityState.more(page["list"], page["number"] + 1))
    assert len(history.asked) == asked


async def test_a_full_page_is_small(activity: Activity, history: History) -> None:
    history.entries = [entry(number, nft()) for number in range(50)]
    await activity.show()
    assert len((await activity.page())["entries"]) < 10_000


async def test_loading_more_is_told_as_an_event(activity: Activity, history: History) -> None:
    history.entries = [entry(number) for number in range(60)]
    await activity.show()
    await activity.more()
    (told,) = [item for item in activity.driver.told() if item["event"] == "LOAD_MORE_TRANSACTIONS"]
    assert told["properties"] == {"address": ADDRESS, "projectId": "", "cursor": "50", "isSmartAccount": False}


# What is left out


async def test_spam_is_left_out(activity: Activity, history: History) -> None:
    history.entries = [entry(0, nft(spam=True)), entry(1, nft(spam=True), nft()), entry(2)]
    await activity.show()
    assert await activity.ids() == ["t-1", "t-2"]


async def test_other_networks_are_left_out(activity: Activity, history: History) -> None:
    history.entries = [entry(0, chain="eip155:137"), entry(1)]
    await activity.show()
    assert await activity.ids() == ["t-1"]


async def test_pages_of_nothing_but_spam_are_passed_over(activity: Activity, history: History) -> None:
    history.entries = [*(entry(number, nft(spam=True)) for number in range(100)), entry(100)]
    await activity.show()
    assert await activity.ids() == ["t-100"]


async def test_endless_spam_is_not_followed_at_once(activity: Activity, history: History) -> None:
    history.entries = [entry(number, nft(spam=True)) for number in range(1000)]
    await activity.show()
    assert (len(history.asked), (await activity.page())["more"]) == (4, True)


async def test_a_service_that_leads_in_a_circle_is_at_its_end(activity: Activity, history: History) -> None:
    history.answer = lambda: JSONResponse({"data": [entry(0)], "next": "again"})
    await activity.show()
    await activity.more()
    assert not (await activity.page())["more"]


async def test_a_history_without_end_is_not_followed_for_ever(activity: Activity, history: History) -> None:
    async with activity.driver.changing(ActivityState) as listed:
        listed.page = {"list": 1, "number": MAX_PAGES - 1, "entries": "", "texts": [], "more": True}
        listed.phase, listed._key = "shown", f"eip155:1:{ADDRESS}:"
    history.answer = lambda: JSONResponse({"data": [entry(0)], "next": str(len(history.asked))})
    await activity.more()
    assert not (await activity.page())["more"]


# Entries


async def test_an_exchange_tells_what_was_given_first(activity: Activity, history: History) -> None:
    coin = {"fungible_info": {"symbol": "USDC"}, "quantity": {"numeric": "5"}}
    ether = {"fungible_info": {"symbol": "ETH"}, "quantity": {"numeric": "1"}}
    history.entries = [entry(0, {**coin, "direction": "in"}, {**ether, "direction": "out"}, operationType="trade")]
    await activity.show()
    (_, ((*_, badge, exchange, lines, _more),)) = (await activity.months())[0]
    assert (badge, exchange, [line[0] for line in lines]) == ("swap", 1, ["1.000 ETH", "5.000 USDC"])


async def test_of_very_many_transfers_the_first_are_told(activity: Activity, history: History) -> None:
    history.entries = [entry(0, *(nft(f"Kite {number}") for number in range(40)))]
    await activity.show()
    (_, ((*_, lines, more),)) = (await activity.months())[0]
    assert (len(lines), more) == (5, 35)


async def test_each_entry_leads_to_the_explorer_of_its_network(activity: Activity, history: History) -> None:
    history.entries = [entry(0)]
    await activity.show()
    assert (await activity.state()).explorer == "https://etherscan.io/tx/"


# Whose history it is


async def test_who_comes_back_soon_has_the_pages_already(activity: Activity, history: History) -> None:
    history.entries = [entry(0)]
    await activity.show()
    page = await activity.page()
    await activity.show(page["list"], page["number"])
    assert (await activity.page(), len(history.asked)) == (page, 1)


async def test_who_comes_back_later_sees_what_is_new(activity: Activity, history: History, clock: MovableClock) -> None:
    history.entries = [entry(1)]
    await activity.show()
    history.entries = [entry(0), entry(1)]
    clock.advance(FRESH_SECONDS)
    page = await activity.page()
    await activity.show(page["list"], page["number"])
    assert await activity.ids() == ["t-0", "t-1"]


async def test_news_bring_the_list_up_to_date_at_once(activity: Activity, history: History) -> None:
    history.entries = [entry(1)]
    await activity.show()
    history.entries = [entry(0), entry(1)]
    before, page = (await activity.state()).turn, await activity.page()
    await activity.driver.fire(ActivityState.refresh)
    await activity.show(page["list"], page["number"])
    assert ((await activity.state()).turn, await activity.ids()) == (before + 1, ["t-0", "t-1"])


async def test_another_account_shows_nothing_of_the_one_before(activity: Activity, history: History) -> None:
    history.entries = [entry(0)]
    await activity.show()
    history.answer = lambda: Response(status_code=500)
    await activity.driver.tell(sessions={"eip155": session(OTHER)})
    await activity.show(1, 1)
    assert (await activity.ids(), (await activity.state()).phase) == ([], "failed")


async def test_another_network_has_its_own_history(activity: Activity, history: History) -> None:
    history.entries = [entry(0), entry(1, chain="eip155:137")]
    await activity.show()
    await activity.driver.tell(sessions={"eip155": session(ADDRESS, "137")})
    await activity.show(1, 1)
    assert await activity.ids() == ["t-1"]


async def test_without_an_account_nothing_is_asked(driver: Driver, history: History) -> None:
    await driver.load()
    await Activity(driver).show()
    assert history.asked == []


async def test_before_the_page_has_said_who_it_is_nothing_is_asked(driver: Driver, history: History) -> None:
    await Activity(driver).show()
    assert history.asked == []


# Nothing, and failures


async def test_an_account_without_history_is_said_to_have_none(activity: Activity) -> None:
    await activity.show()
    assert (await activity.state()).phase == "none"


async def test_a_network_that_the_service_does_not_know_has_none(activity: Activity, history: History) -> None:
    await activity.driver.tell(sessions={"eip155": session(ADDRESS, "10")})
    await activity.show()
    assert ((await activity.state()).phase, history.asked) == ("none", [])


@pytest.mark.parametrize(
    "answer",
    [
        lambda: Response(status_code=500),
        lambda: Response("<html>", media_type="text/html"),
        lambda: JSONResponse({"data": 7}),
        lambda: JSONResponse({"data": [{"id": 1}]}),
    ],
)
async def test_a_failure_is_said_in_the_words_of_the_specification(
    activity: Activity, history: History, answer: Any
) -> None:
    history.answer = answer
    await activity.show()
    state = await activity.state()
    assert (state.phase, await activity.ids(), await activity.toasts()) == (
        "failed",
        [],
        [FAILED_TO_FETCH_TRANSACTIONS],
    )


async def test_a_failure_is_told_as_an_event(activity: Activity, history: History) -> None:
    history.answer = lambda: Response(status_code=500)
    await activity.show()
    (told,) = [item for item in activity.driver.told() if item["event"] == "ERROR_FETCH_TRANSACTIONS"]
    assert told["properties"] == {"address": ADDRESS, "projectId": "", "isSmartAccount": False}


async def test_a_second_try_brings_the_page(activity: Activity, history: History) -> None:
    history.entries, history.answer = [entry(0)], lambda: Response(status_code=500)
    await activity.show()
    history.answer = None
    await activity.driver.fire(ActivityState.retry)
    assert ((await activity.state()).phase, await activity.ids()) == ("shown", ["t-0"])


async def test_a_next_page_that_fails_leaves_what_is_there(activity: Activity, history: History) -> None:
    history.entries = [entry(number) for number in range(60)]
    await activity.show()
    history.answer = lambda: Response(status_code=500)
    await activity.more()
    kept = await activity.page()
    history.answer = None
    await activity.driver.fire(ActivityState.retry)
    assert (kept["number"], (await activity.page())["number"], len(await activity.ids())) == (1, 2, 10)


async def test_a_refresh_that_fails_leaves_what_is_there(
    activity: Activity, history: History, clock: MovableClock
) -> None:
    history.entries = [entry(number) for number in range(60)]
    await activity.show()
    page = await activity.page()
    history.answer = lambda: Response(status_code=500)
    clock.advance(FRESH_SECONDS)
    await activity.show(page["list"], page["number"])
    assert await activity.page() == page


async def test_without_a_service_it_is_said_that_there_is_none(driver: Driver) -> None:
    await driver.connect()
    await driver.call("open")
    activity = Activity(driver)
    await activity.show()
    assert ((await activity.state()).phase, await activity.toasts()) == ("absent", [])


# The row of the account


async def test_the_accounts_row_leads_to_the_view_and_is_told(activity: Activity) -> None:
    await activity.driver.fire(ActivityState.open_list)
    told = [item["event"] for item in activity.driver.told()]
    assert ((await activity.driver.state(ShellState)).view, told[-1]) == ("Transactions", "CLICK_TRANSACTIONS")
