"""Pings of open pages: when they come, and what becomes of a page that does not answer."""

from __future__ import annotations

import asyncio

import pytest

from tests.web.event_socket_world import LOADED, Page, World
from walletmodal.reflex_internals.pings import ANSWER_SECONDS, PING_SECONDS

PING, PONG = "2", "3"


def pings(page: Page) -> int:
    """How often the page was pinged."""
    return [message.get("text") for message in page.got].count(PING)


async def answers(world: World, page: Page) -> None:
    page.say(PONG)
    await page.settled()


async def test_a_page_is_pinged_again_and_again_as_long_as_it_answers(world: World) -> None:
    page = await world.open(LOADED)
    await world.pass_time(PING_SECONDS - 1)
    assert pings(page) == 0
    for count in (1, 2, 3):
        await world.pass_time(PING_SECONDS)
        assert pings(page) == count
        await answers(world, page)
    assert world.framework.heard == [LOADED]


async def test_a_page_that_does_not_answer_is_disconnected_and_has_done_nothing_wrong(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = list[str]()
    monkeypatch.setattr("walletmodal.web.event_socket.count_ignored", counted.append)
    page = await world.open(LOADED)
    await world.pass_time(PING_SECONDS)
    await world.pass_time(ANSWER_SECONDS - 1)
    assert not page.task.done()
    await world.pass_time(1)
    await page.ended()
    assert (pings(page), counted) == (1, [])


async def test_an_answer_that_nobody_has_asked_for_puts_no_ping_off(world: World) -> None:
    page = await world.open(LOADED)
    await world.pass_time(PING_SECONDS - 1)
    await answers(world, page)
    await world.pass_time(1)
    assert pings(page) == 1


async def test_a_page_that_reads_nothing_keeps_no_other_from_its_ping(world: World) -> None:
    deaf, page = await world.open(LOADED), await world.open(LOADED, token="other")
    deaf.deaf = True
    await world.pass_time(PING_SECONDS)
    assert pings(page) == 1
    await answers(world, page)
    await world.pass_time(ANSWER_SECONDS)
    # It does not read its end either, which is waited for a moment.
    await world.pass_time(1)
    await deaf.ended()
    assert (pings(page), page.task.done()) == (2, False)


async def test_a_page_that_goes_to_another_server_is_pinged_no_more(world: World) -> None:
    page = await world.open(LOADED)
    moving = asyncio.create_task(world.drain.move_all())
    await world.pass_time(1)
    assert {"type": "websocket.send", "text": "49"} in page.got
    await world.pass_time(PING_SECONDS)
    assert pings(page) == 0
    moving.cancel()


async def test_a_page_that_has_left_is_pinged_no_more(world: World) -> None:
    page = await world.open(LOADED)
    await page.leave()
    await world.pass_time(PING_SECONDS)
    assert pings(page) == 0
