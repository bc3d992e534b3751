"""A purchase under way, and the list of what was bought."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import reflex as rx
from reflex.istate.manager import StateManager

from tests.driver import OTHER, Driver, session
from tests.features.conftest import Rewire
from tests.features.onramp_stage import START, Buying, bought, down
from tests.features.onramp_stage import buying as buying
from tests.features.onramp_stage import clock as clock
from tests.features.onramp_stage import configured as configured
from tests.features.onramp_stage import seller as seller
from walletmodal.features.onramp.progress import PurchaseState
from walletmodal.features.onramp.purchases import MAX_ROWS, PurchasesState
from walletmodal.features.onramp.state import BuyState
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.toasts.state import ToastState

pytestmark = [
    pytest.mark.parametrize("manager", ["memory"], indirect=True),
    pytest.mark.usefixtures("mute_wallet"),
]

LATER = START + timedelta(seconds=10)
EARLIER = START - timedelta(days=40)


# Waiting


async def test_a_new_purchase_leads_to_the_list(buying: Buying) -> None:
    await buying.begin()
    await buying.tick()
    assert await buying.view() == "BuyInProgress"
    buying.seller.purchases = [bought("p", LATER)]
    await buying.tick()
    assert (await buying.view(), (await buying.purchase()).phase) == ("OnRampActivity", "idle")


async def test_a_purchase_in_progress_leads_to_the_list(buying: Buying) -> None:
    await buying.begin()
    buying.seller.purchases = [bought("p", LATER, "IN_PROGRESS")]
    await buying.tick()
    assert await buying.view() == "OnRampActivity"


async def test_an_old_purchase_is_not_the_one_that_is_awaited(buying: Buying) -> None:
    buying.seller.purchases = [bought("old", EARLIER), bought("older", EARLIER, "FAILED")]
    await buying.begin()
    await buying.tick()
    assert await buying.view() == "BuyInProgress"


async def test_after_three_minutes_it_counts_as_failed(buying: Buying) -> None:
    await buying.begin()
    await buying.tick(179)
    assert (await buying.purchase()).phase == "waiting"
    await buying.tick(1)
    assert ((await buying.purchase()).phase, (await buying.purchase()).unknown) == ("failed", False)


async def test_a_purchase_that_comes_with_the_last_look_has_not_failed(buying: Buying) -> None:
    await buying.begin()
    buying.seller.purchases = [bought("p", LATER)]
    await buying.tick(500)
    assert await buying.view() == "OnRampActivity"


async def test_where_nobody_could_say_the_failure_says_so(buying: Buying) -> None:
    await buying.begin()
    buying.seller.answers["history"] = down()
    await buying.tick(180)
    assert ((await buying.purchase()).phase, (await buying.purchase()).unknown) == ("failed", True)


async def test_trying_again_goes_back_to_the_providers(buying: Buying) -> None:
    await buying.begin()
    await buying.tick(180)
    await buying.fire(PurchaseState.try_again)
    assert (await buying.view(), (await buying.purchase()).phase) == ("OnRampProviders", "idle")


async def test_the_history_is_asked_for_purchases_on_every_network(buying: Buying) -> None:
    await buying.begin()
    await buying.tick()
    assert [query.get("chainId") for query, _ in buying.seller.about("history")] == [None]


async def test_looks_at_the_same_moment_are_one_question(buying: Buying) -> None:
    await buying.begin()
    for _ in range(20):
        await buying.fire(PurchaseState.poll)
    assert len(buying.seller.about("history")) == 1


async def test_two_tabs_of_one_account_ask_once(buying: Buying, manager: StateManager) -> None:
    await buying.begin()
    second = Driver(manager, token="second")
    async with second.processor:
        await second.connect()
        other = Buying(second, buying.seller, buying.clock)
        await other.begin()
        await buying.tick()
        await second.fire(PurchaseState.poll)
    assert len(buying.seller.about("history")) == 1


@pytest.mark.parametrize("how", ["view left", "modal closed", "account gone", "never begun"])
async def test_nobody_is_asked_where_nobody_waits(buying: Buying, how: str) -> None:
    if how != "never begun":
        await buying.begin()
    if how == "view left":
        await buying.fire(ShellState.back)
    elif how == "modal closed":
        await buying.call("close")
    elif how == "account gone":
        await buying.tell(sessions={})
    await buying.tick()
    assert buying.seller.about("history") == []


async def test_melds_purchases_are_in_no_history(buying: Buying) -> None:
    await buying.open()
    await buying.click("meld")
    await buying.tick(500)
    assert (buying.seller.about("history"), (await buying.purchase()).phase) == ([], "waiting")


async def test_another_account_does_not_see_the_purchase(buying: Buying) -> None:
    await buying.begin()
    await buying.tell(sessions={"eip155": session(OTHER)})
    assert (await buying.view(), (await buying.purchase()).here) == ("OnRampProviders", False)
    await buying.fire(PurchaseState.open_progress)
    assert await buying.view() == "OnRampProviders"


async def test_another_network_is_no_reason_to_stop(buying: Buying) -> None:
    await buying.begin()
    await buying.tell(sessions={"eip155": session(chain="137")})
    buying.seller.purchases = [bought("p", LATER)]
    await buying.fire(PurchaseState.open_progress)
    await buying.tick()
    assert await buying.view() == "OnRampActivity"


async def test_a_copied_link_is_said(buying: Buying) -> None:
    await buying.begin()
    await buying.fire(PurchaseState.on_copied(True))
    assert (await buying.driver.state(ToastState)).message == "Link copied"


async def test_without_a_link_it_is_said_and_the_visitor_is_led_back(buying: Buying) -> None:
    await buying.begin()
    async with buying.driver.changing(PurchaseState) as purchase:
        purchase.url = ""
    await buying.fire(PurchaseState.on_copied(False))
    assert (await buying.driver.state(ToastState)).message == "No link found"
    assert await buying.view() == "OnRampProviders"


async def test_opened_by_the_host_alone_nothing_is_being_bought(buying: Buying) -> None:
    await buying.call("open", view="BuyInProgress")
    await buying.fire(PurchaseState.try_again)
    assert (await buying.view(), (await buying.purchase()).phase) == ("BuyInProgress", "idle")


# What outlasts a session


async def returned(buying: Buying, heir: Driver) -> Buying:
    heir.follow(buying.driver)
    await heir.hydrate((await buying.driver.state(ResumeState)).resume_id)
    await heir.load(sessions={"eip155": session()})
    after = Buying(heir, buying.seller, buying.clock)
    await after.settles()
    return after


async def test_a_purchase_goes_on_after_its_worker_died(buying: Buying, heir: Driver) -> None:
    await buying.begin()
    await buying.tick()
    after = await returned(buying, heir)
    purchase = await after.purchase()
    assert (await after.view(), purchase.phase, purchase.polls, purchase.here) == (
        "BuyInProgress",
        "waiting",
        True,
        True,
    )
    await after.tick(172)
    assert (await after.purchase()).phase == "waiting"
    buying.seller.purchases = [bought("p", LATER)]
    await after.tick()
    assert await after.view() == "OnRampActivity"


async def test_the_three_minutes_count_from_the_beginning(buying: Buying, heir: Driver) -> None:
    await buying.begin()
    after = await returned(buying, heir)
    await after.tick(180)
    assert (await after.purchase()).phase == "failed"


async def test_what_was_filled_in_outlasts_a_session(buying: Buying, heir: Driver) -> None:
    await buying.open(token="ETH", amount="100")
    after = await returned(buying, heir)
    buy = await after.buy()
    assert (buy.token, buy.amount, buy.host) == ("ETH", "100", "localhost:8700")
    assert (await after.offers())["coinbase"]["url"]


async def test_a_frame_that_loads_anew_goes_on(buying: Buying) -> None:
    await buying.begin()
    await buying.driver.reload_frame(sessions={"eip155": session()})
    assert (await buying.view(), (await buying.purchase()).here) == ("BuyInProgress", True)


async def test_after_a_reload_of_the_page_the_way_back_is_offered(buying: Buying) -> None:
    await buying.begin()
    await buying.driver.reload(sessions={"eip155": session()})
    await buying.settles()
    assert (await buying.purchase()).here is True
    await buying.open()
    await buying.fire(PurchaseState.open_progress)
    assert await buying.view() == "BuyInProgress"


async def test_another_host_page_is_not_shown_the_purchase(buying: Buying) -> None:
    await buying.begin()
    driver = buying.driver
    driver.epoch = "page-elsewhere"
    await driver.arrive(driver.init(origin="http://127.0.0.1:8700", sessions={"eip155": session()}))
    assert (await buying.purchase()).here is False


# The list


async def shown(buying: Buying) -> PurchasesState:
    await buying.call("open", call_id="list", view="OnRampActivity")
    await buying.fire(PurchasesState.on_shown("Europe/Berlin"))
    return await buying.listed()


async def test_purchases_stand_under_their_months_newest_first(buying: Buying) -> None:
    buying.seller.purchases = [bought("a", START), bought("b", EARLIER, "FAILED"), bought("c", START, "IN_PROGRESS")]
    listed = await shown(buying)
    months = [(month["title"], [row["status"] for row in month["rows"]]) for month in listed.get_value("months")]
    assert months == [("March", ["success", "in_progress"]), ("January", ["failed"])]
    rows = [row for month in listed.get_value("months") for row in month["rows"]]
    assert [row["number"] for row in rows] == [0, 1, 2]
    assert {row["amount"] for row in rows} == {"+ 98.500 USDC"}


@pytest.mark.parametrize(("status", "every"), [("IN_PROGRESS", 3000), ("SUCCESS", 0), ("FAILED", 0)])
async def test_it_is_read_again_only_while_something_is_in_progress(buying: Buying, status: str, every: int) -> None:
    buying.seller.purchases = [bought("a", START, status)]
    assert (await shown(buying)).every == every


async def test_what_has_arrived_stops_the_looks_and_is_told_to_the_other_views(buying: Buying, rewire: Rewire) -> None:
    arrived: list[str] = []

    async def hear(_state: rx.State) -> list[Any]:
        arrived.append("purchase")
        return []

    rewire(on_transaction_final=(hear,))
    buying.seller.purchases = [bought("a", START, "IN_PROGRESS")]
    await shown(buying)
    buying.clock.advance(3)
    await buying.fire(PurchasesState.load)
    assert arrived == []
    buying.seller.purchases = [bought("a", START)]
    buying.clock.advance(3)
    await buying.fire(PurchasesState.load)
    assert ((await buying.listed()).every, arrived) == (0, ["purchase"])


async def test_nothing_bought_is_said(buying: Buying) -> None:
    assert (await shown(buying)).phase == "none"


async def test_a_list_that_cannot_be_read_can_be_tried_again(buying: Buying) -> None:
    buying.seller.answers["history"] = down()
    assert (await shown(buying)).phase == "failed"
    buying.seller.answers.clear()
    buying.seller.purchases = [bought("a", START)]
    await buying.fire(PurchasesState.retry)
    assert (await buying.listed()).phase == "shown"


async def test_a_list_that_is_known_stays_where_the_service_fails(buying: Buying) -> None:
    buying.seller.purchases = [bought("a", START, "IN_PROGRESS")]
    await shown(buying)
    buying.seller.answers["history"] = down()
    buying.clock.advance(3)
    await buying.fire(PurchasesState.load)
    listed = await buying.listed()
    assert (listed.phase, listed.every) == ("shown", 3000)


async def test_older_purchases_come_when_they_are_asked_for(buying: Buying) -> None:
    buying.seller.size = 10
    buying.seller.purchases = [bought(f"p{n}", START - timedelta(days=n)) for n in range(25)]
    assert (await shown(buying)).more is True
    await buying.fire(PurchasesState.show_more)
    await buying.fire(PurchasesState.show_more)
    listed = await buying.listed()
    rows = [row for month in listed.get_value("months") for row in month["rows"]]
    assert (len(rows), listed.more) == (25, False)


async def test_a_service_without_end_is_followed_to_the_limit(buying: Buying) -> None:
    buying.seller.purchases = [bought(f"p{n}", START - timedelta(minutes=n)) for n in range(MAX_ROWS + 120)]
    await shown(buying)
    for _ in range(10):
        await buying.fire(PurchasesState.show_more)
    listed = await buying.listed()
    assert (sum(len(month["rows"]) for month in listed.get_value("months")), listed.more) == (MAX_ROWS, False)


async def test_of_a_purchase_with_many_transfers_a_session_keeps_what_is_told(buying: Buying) -> None:
    purchase = bought("many", START)
    buying.seller.purchases = [{**purchase, "transfers": purchase["transfers"] * 1000}]
    listed = await shown(buying)
    assert listed.months[0]["rows"][0]["amount"] == "+ 98.500 USDC"
    assert [len(row.transfers) for row in listed._rows] == [1]


async def test_entries_that_are_no_purchases_are_left_out(buying: Buying) -> None:
    other = bought("x", START)
    other["metadata"]["status"] = "confirmed"
    buying.seller.purchases = [other]
    assert (await shown(buying)).phase == "none"


async def test_another_account_sees_nothing_of_the_list(buying: Buying) -> None:
    buying.seller.purchases = [bought("a", START)]
    await shown(buying)
    buying.seller.answers["history"] = down()
    await buying.tell(sessions={"eip155": session(OTHER)})
    assert ((await buying.listed()).get_value("months"), (await buying.listed()).phase) == ([], "failed")


async def test_a_list_that_nobody_looks_at_is_dropped(buying: Buying) -> None:
    buying.seller.purchases = [bought("a", START)]
    await shown(buying)
    await buying.call("close")
    assert (await buying.listed()).get_value("months") == []


async def test_looks_of_nobody_ask_nobody(buying: Buying) -> None:
    await buying.fire(PurchasesState.load)
    await buying.fire(PurchasesState.show_more)
    await buying.fire(BuyState.open_explanation)
    assert buying.seller.about("history") == []
