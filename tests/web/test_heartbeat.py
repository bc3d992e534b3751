"""Pings of open pages: when they come, and what becomes of a page that does not answer."""

from __future__ import annotations

import asyncio

import pytest

from tests.web.event_socket_world import FAST, LOADED, Making, Page, World, event
from walletmodal.reflex_internals.pings import PING_SECONDS
from walletmodal.services.rate_limit import Rate
from walletmodal.web.heartbeat import BEAT_SECONDS

PING, PONG = "2", "3"


def pings(page: Page) -> int:
    """How often the page was pinged."""
    return [message.get("text") for message in page.got].count(PING)


async def beats(world: World, seconds: float) -> None:
    """Lets time pass as it does for a worker that is not held up."""
    for _ in range(round(seconds / BEAT_SECONDS)):
        await world.pass_time(BEAT_SECONDS)


async def answers(world: World, page: Page) -> None:
    page.say(PONG)
    await page.settled()


async def test_a_page_is_pinged_again_and_again_as_long_as_it_answers(world: World) -> None:
    page = await world.open(LOADED)
    await beats(world, PING_SECONDS - 1)
    assert pings(page) == 0
    for count in (1, 2, 3):
        await beats(world, PING_SECONDS)
        assert pings(page) == count
        await answers(world, page)
    assert world.framework.heard == [LOADED]


async def test_a_page_that_does_not_answer_is_disconnected_and_has_done_nothing_wrong(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = list[str]()
    monkeypatch.setattr("walletmodal.web.event_socket.count_ignored", counted.append)
    page = await world.open(LOADED)
    await beats(world, PING_SECONDS)
    await beats(world, PING_SECONDS - 1)
    assert not page.task.done()
    await beats(world, 1)
    await page.ended()
    assert (pings(page), counted) == (1, [])


async def test_a_worker_that_stood_still_reads_the_answers_before_it_ends_anybody(world: World) -> None:
    page = await world.open(LOADED)
    await beats(world, PING_SECONDS)
    await world.pass_time(10 * PING_SECONDS)
    await answers(world, page)
    await beats(world, PING_SECONDS)
    assert (pings(page), page.task.done()) == (2, False)


async def test_an_answer_that_nobody_has_asked_for_puts_no_ping_off(world: World) -> None:
    page = await world.open(LOADED)
    await beats(world, PING_SECONDS - 1)
    await answers(world, page)
    await beats(world, 1)
    assert pings(page) == 1


async def test_a_page_that_reads_nothing_keeps_no_other_from_its_ping(world: World) -> None:
    deaf, page = await world.open(LOADED), await world.open(LOADED, token="other")
    deaf.deaf = True
    await beats(world, PING_SECONDS)
    assert pings(page) == 1
    await answers(world, page)
    await beats(world, PING_SECONDS)
    # It does not read its end either, which is waited for a moment.
    await beats(world, 1)
    await deaf.ended()
    assert (pings(page), page.task.done()) == (2, False)


async def test_a_page_that_answers_without_reading_is_disconnected(world: World) -> None:
    page = await world.open(LOADED)
    page.deaf = True
    await beats(world, PING_SECONDS)
    await answers(world, page)
    await beats(world, PING_SECONDS + 1)
    await page.ended()


async def test_a_page_whose_answer_waits_for_its_pace_is_not_taken_for_silent(making: Making) -> None:
    slow = Rate(per_second=0.02, burst=1)
    world = making(paces=(FAST, slow))
    page = await world.open(LOADED, event())
    await beats(world, PING_SECONDS)
    await answers(world, page)
    await beats(world, PING_SECONDS)
    assert (pings(page), page.task.done()) == (2, False)


async def test_a_page_that_goes_to_another_server_is_pinged_no_more(world: World) -> None:
    page = await world.open(LOADED)
    moving = asyncio.create_task(world.drain.move_all())
    await beats(world, 1)
    assert {"type": "websocket.send", "text": "49"} in page.got
    await beats(world, PING_SECONDS)
    assert pings(page) == 0
    moving.cancel()


async def test_a_page_that_has_left_is_pinged_no_more(world: World) -> None:
    page = await world.open(LOADED)
    await page.leave()
    await beats(world, PING_SECONDS)
    assert pings(page) == 0
    assert "heartbeat" not in {task.get_name() for task in asyncio.all_tasks()}
