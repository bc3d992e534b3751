"""How fast sockets are heard, and how much of what they are told may be unread."""

from __future__ import annotations

import pytest
from engineio.packet import MESSAGE, Packet

from tests.web.event_socket_world import (
    FAST,
    LOADED,
    OPEN,
    Making,
    World,
    event,
)
from walletmodal.reflex_internals.unread import FAIR, MOST, MOST_OF_ADDRESS
from walletmodal.services.rate_limit import Rate
from walletmodal.web.sessions import SocketLimits


async def test_a_flood_is_heard_at_the_pace_and_no_faster(making: Making) -> None:
    world = making(paces=(Rate(per_second=2, burst=4), FAST))
    await world.open(OPEN, *[event()] * 20)
    heard = [len(world.framework.heard)]
    for seconds in (0.5, 0.5, 2):
        await world.pass_time(seconds)
        heard.append(len(world.framework.heard))
    assert heard == [5, 6, 7, 11]


async def test_all_sockets_of_one_address_share_a_pace(making: Making) -> None:
    world = making(paces=(FAST, Rate(per_second=2, burst=4)))
    for number in range(2):
        await world.open(OPEN, *[event()] * 20, token=f"t{number}")
    other = await world.open(OPEN, event(), token="other", peer="198.51.100.1")
    assert (len(world.framework.heard), other.refused) == (7, False)


async def test_what_is_refused_counts_too(making: Making) -> None:
    world = making(paces=(Rate(per_second=2, burst=4), FAST))
    await world.open(OPEN, *['42/_event,["event",7]'] * 20, event())
    assert world.framework.heard == [OPEN]


def told(size: int) -> Packet:
    """What the framework has to say."""
    return Packet(MESSAGE, data="x" * size)


async def test_a_page_that_does_not_read_what_it_is_told_is_disconnected(world: World) -> None:
    page = await world.open(LOADED)
    (queue,) = world.framework.queues
    for _ in range(MOST // 100_000 + 1):
        queue.put_nowait(told(100_000))
    await page.ended()
    assert page.refused


async def test_what_nobody_will_read_is_not_kept(world: World) -> None:
    page = await world.open(LOADED)
    (queue,) = world.framework.queues
    queue.put_nowait(told(MOST + 1))
    await page.ended()
    queue.put_nowait(told(10))
    assert queue.qsize() == 0


async def test_a_page_that_reads_may_be_told_any_amount(making: Making) -> None:
    world = making(paces=(FAST, FAST))
    page = await world.open(LOADED)
    (queue,) = world.framework.queues
    for _ in range(MOST // 100_000 + 1):
        queue.put_nowait(told(100_000))
        queue.get_nowait()
    page.say(event())
    await page.settled()
    assert world.framework.heard[-1] == event()


async def test_of_an_address_with_much_unread_those_go_that_have_much_of_it(making: Making) -> None:
    count = MOST_OF_ADDRESS // MOST
    world = making(SocketLimits(per_address=count + 2, total=count + 2, opened=FAST))
    pages = [await world.open(LOADED, token=f"t{number}") for number in range(count + 2)]
    for queue in world.framework.queues[:count]:
        queue.put_nowait(told(MOST))
    world.framework.queues[count].put_nowait(told(FAIR))
    world.framework.queues[count + 1].put_nowait(told(FAIR + 1))
    await pages[count + 1].ended()
    assert [page.task.done() for page in pages] == [False] * (count + 1) + [True]


async def test_what_an_ended_socket_left_unread_is_not_held_against_its_address(world: World) -> None:
    for _ in range(MOST_OF_ADDRESS // MOST + 1):
        page = await world.open(LOADED)
        world.framework.queues[-1].put_nowait(told(MOST))
        await page.leave()
    last = await world.open(LOADED)
    world.framework.queues[-1].put_nowait(told(FAIR + 1))
    await last.settled()
    assert not last.task.done()


async def test_what_a_page_has_said_to_it_counts_as_what_it_says(making: Making) -> None:
    world = making(paces=(Rate(per_second=1, burst=20), FAST))
    page = await world.open(OPEN)
    world.framework.queues[0].put_nowait(told(30 * 16 * 1024))
    page.say(event(), event())
    await page.settled()
    before = len(world.framework.heard)
    await world.pass_time(20)
    assert (before, len(world.framework.heard)) == (2, 3)


@pytest.mark.parametrize("packet", [event(), "0"], ids=["that goes on", "that is refused"])
async def test_a_socket_ends_though_its_page_takes_nothing(world: World, packet: str) -> None:
    page = await world.open(OPEN)
    page.deaf = True
    world.framework.answers = "42/_event,[]"
    page.say(packet)
    for _ in range(3):
        await world.pass_time(60)
    await page.ended()
    assert world.sockets.sessions.sockets == 0
