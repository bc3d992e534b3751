"""How many sockets and sessions one address and all together have, and what of it is kept."""

from __future__ import annotations

import asyncio
from functools import partial
from unittest.mock import Mock

import pytest

from tests.patience import patience
from tests.web.event_socket_world import (
    FAST,
    INIT,
    LOADED,
    OPEN,
    Framework,
    Making,
    Page,
    World,
    event,
)
from walletmodal.config import Settings
from walletmodal.core.clock import SystemClock
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.services import session_size
from walletmodal.services.rate_limit import Rate
from walletmodal.services.session_size import note_session_size
from walletmodal.web import event_sockets
from walletmodal.web.drain import Drain
from walletmodal.web.sessions import Sessions, SocketLimits


@pytest.fixture
def sized(making: Making) -> World:
    """One address may have 300 bytes kept, all together 400."""
    return making(SocketLimits(per_address=3, total=4, opened=FAST, share=100))


async def test_one_address_has_so_many_sockets(world: World) -> None:
    for number in range(3):
        await world.open(LOADED, token=f"t{number}")
    refused = await world.open(LOADED, token="one more")
    other = await world.open(LOADED, token="t9", peer="198.51.100.1")
    assert (refused.got[0]["type"], other.got[0]["type"]) == ("websocket.close", "websocket.accept")


async def test_all_addresses_together_have_so_many(world: World) -> None:
    for number in range(4):
        await world.open(LOADED, token=f"t{number}", peer=f"198.51.100.{number}")
    refused = await world.open(LOADED, peer="198.51.100.9")
    assert refused.got[0]["type"] == "websocket.close"


async def test_who_has_many_lines_of_ipv6_has_as_many_sockets_as_few_lines(making: Making) -> None:
    world = making(SocketLimits(per_address=3, per_site=2, total=9, opened=FAST))
    pages = [await world.open(LOADED, token=f"t{number}", peer=f"2001:db8:1:{number}::1") for number in range(3)]
    other = await world.open(LOADED, token="other", peer="2001:db8:2::1")
    await pages[0].leave()
    again = await world.open(LOADED, token="again", peer="2001:db8:1:9::1")
    first = [page.got[0]["type"].partition(".")[2] for page in (*pages, other, again)]
    assert first == ["accept", "accept", "close", "accept", "accept"]


async def test_a_place_is_free_again_when_a_socket_is_gone(world: World) -> None:
    pages = [await world.open(LOADED, token=f"t{number}") for number in range(3)]
    await pages[0].leave()
    again = await world.open(LOADED, token="again")
    assert again.got[0]["type"] == "websocket.accept"


async def test_an_address_opens_sockets_no_faster_than_pages_do(making: Making) -> None:
    world = making(SocketLimits(opened=Rate(per_second=1, burst=2)))
    opened = []
    for number in range(3):
        page = await world.open(LOADED, token=f"t{number}")
        opened.append(page.got[0]["type"])
        await page.leave()
    await world.pass_time(1)
    opened.append((await world.open(LOADED, token="later")).got[0]["type"])
    assert opened == ["websocket.accept", "websocket.accept", "websocket.close", "websocket.accept"]


async def test_headers_have_a_size(world: World) -> None:
    page = await world.open(headers=[(b"cookie", b"x" * 40_000)])
    assert page.got[0]["type"] == "websocket.close"


@pytest.mark.parametrize("said", [[], [OPEN], [OPEN, event(INIT)]], ids=["nothing", "namespace", "an event"])
async def test_a_page_that_does_not_load_within_a_minute_is_disconnected(world: World, said: list[str]) -> None:
    page = await world.open(*said)
    await world.pass_time(59)
    before = page.refused
    await world.pass_time(1)
    await page.ended()
    assert (before, page.refused) == (False, True)


@pytest.mark.parametrize("said", [[LOADED], [OPEN, event(HYDRATE)]], ids=["with the namespace", "after it"])
async def test_a_page_that_has_loaded_stays(world: World, said: list[str]) -> None:
    page = await world.open(*said)
    await world.pass_time(10_000)
    page.say(event())
    await page.settled()
    assert world.framework.heard[-1] == event()


async def test_a_session_that_never_said_who_its_host_is_goes_with_its_socket(world: World) -> None:
    page = await world.open(LOADED, event(), token="stranger")
    await page.leave()
    await world.pass_time(10)
    assert world.forgotten == ["stranger"]


async def test_a_session_whose_page_is_known_waits_for_its_return(world: World) -> None:
    page = await world.open(LOADED, event(INIT))
    await page.leave()
    await world.pass_time(100)
    assert world.forgotten == []


async def test_a_session_whose_page_is_known_at_another_worker_outlives_a_socket_that_ends_at_once(
    world: World,
) -> None:
    world.known_elsewhere.add("token")
    page = await world.open(LOADED)
    await page.leave()
    await world.pass_time(100)
    assert (world.forgotten, world.sockets.sessions.kept) == ([], 1)


async def test_who_hops_between_workers_keeps_the_session(world: World) -> None:
    """At this worker it is forgotten twice: first it is nobody's, then the page is known elsewhere, and away."""
    for seconds in (8, 2):
        page = await world.open(LOADED)
        await page.leave()
        await world.pass_time(seconds)
    world.known_elsewhere.add("token")
    await world.pass_time(8)
    assert (world.forgotten, world.sockets.sessions.kept) == (["token"], 1)


async def test_a_session_that_has_to_go_goes_also_while_it_is_looked_for_elsewhere(sized: World) -> None:
    sized.known_elsewhere.add("large")
    page = await sized.open(LOADED, token="large")
    await page.leave()
    sized.sockets.sessions.note_size("large", 301)
    await sized.pass_time(0)
    assert (sized.forgotten, sized.sockets.sessions.kept) == (["large"], 0)


async def test_a_page_that_is_known_stays_known_over_a_cut(world: World) -> None:
    for said in ([LOADED, event(INIT)], [LOADED]):
        page = await world.open(*said)
        await page.leave()
    await world.pass_time(100)
    assert world.forgotten == []


async def test_a_page_that_returns_at_once_keeps_its_session(world: World) -> None:
    page = await world.open(LOADED)
    await page.leave()
    await world.open(LOADED)
    await world.pass_time(100)
    assert world.forgotten == []


async def test_of_too_many_sessions_of_one_address_the_oldest_goes(world: World) -> None:
    for number in range(5):
        page = await world.open(LOADED, event(INIT), token=f"t{number}")
        await page.leave()
    await world.pass_time(0)
    assert (world.forgotten, world.sockets.sessions.kept) == (["t0", "t1"], 3)


async def test_of_too_many_sessions_of_one_address_no_other_ones_go(making: Making) -> None:
    world = making(SocketLimits(per_address=1, total=9, opened=FAST))
    for token, peer in (("other", "198.51.100.1"), ("first", "198.51.100.2"), ("second", "198.51.100.2")):
        page = await world.open(LOADED, event(INIT), token=token, peer=peer)
        await page.leave()
    await world.pass_time(0)
    assert (world.forgotten, world.sockets.sessions.kept) == (["first"], 2)


async def test_of_too_many_sessions_in_all_the_oldest_goes(world: World) -> None:
    for number in range(6):
        page = await world.open(LOADED, event(INIT), token=f"t{number}", peer=f"198.51.100.{number}")
        await page.leave()
    await world.pass_time(0)
    assert (world.forgotten, world.sockets.sessions.kept) == (["t0", "t1"], 4)


async def test_a_session_that_the_framework_has_forgotten_is_not_counted(world: World) -> None:
    for number in range(3):
        page = await world.open(LOADED, event(INIT), token=f"t{number}")
        await page.leave()
    await world.pass_time(SocketLimits().kept_seconds)
    await world.open(LOADED, token="new")
    assert (world.sockets.sessions.kept, world.forgotten) == (0, [])


async def test_a_session_that_the_framework_renames_is_forgotten_by_its_new_name(world: World) -> None:
    # The framework tells a second tab of a token that it has another.
    world.framework.says = ['42/_event,["new_token","renamed"]']
    page = await world.open(LOADED, token="mine")
    await page.leave()
    await world.pass_time(10)
    assert world.forgotten == ["renamed"]


async def test_a_session_that_is_too_large_is_forgotten_where_its_last_socket_is_renamed() -> None:
    forgotten = asyncio.Queue[str]()

    async def forget(token: str, /, *, unless_known: bool) -> bool:
        forgotten.put_nowait(token)
        return unless_known

    sessions = Sessions(forget=forget, limits=SocketLimits(share=1, total=2, drain_seconds=0), clock=SystemClock())
    first, second = Mock(), Mock()
    for end in (first, second):
        await sessions.admit("203.0.113.1")
        sessions.begin("203.0.113.1", "large", end)
    sessions.note_size("large", 3)
    sessions.end("203.0.113.1", "large", first, keep=True)
    sessions.rename("203.0.113.1", "large", "new", second)
    async with patience():
        assert await forgotten.get() == "large"


async def test_of_an_address_that_has_too_much_kept_the_largest_session_goes(sized: World) -> None:
    pages = [await sized.open(LOADED, event(INIT), token=f"t{number}") for number in range(3)]
    for number, size in enumerate((100, 120, 90)):
        sized.sockets.sessions.note_size(f"t{number}", size)
    await pages[1].ended()
    await sized.pass_time(10)
    assert ([page.task.done() for page in pages], sized.forgotten) == ([False, True, False], ["t1"])


async def test_a_session_without_a_socket_goes_too_when_it_is_the_largest(sized: World) -> None:
    for number, size in enumerate((210, 80, 90)):
        page = await sized.open(LOADED, event(INIT), token=f"t{number}")
        sized.sockets.sessions.note_size(f"t{number}", size)
        if not number:
            await page.leave()
    await sized.pass_time(0)
    assert (sized.forgotten, sized.sockets.sessions.sockets) == (["t0"], 2)


async def test_sessions_that_keep_no_more_than_their_share_stay(sized: World) -> None:
    for number in range(3):
        await sized.open(LOADED, event(INIT), token=f"t{number}")
        for size in (10, 100):
            sized.sockets.sessions.note_size(f"t{number}", size)
    assert sized.sockets.sessions.sockets == 3


async def test_a_session_that_comes_back_while_it_is_forgotten_has_a_size(sized: World) -> None:
    page = await sized.open(LOADED)
    sized.while_forgetting = partial(sized.open, LOADED)
    await page.leave()
    await sized.pass_time(10)
    sized.sockets.sessions.note_size("token", 301)
    await sized.pages[1].ended()
    assert sized.forgotten == ["token"]


async def test_of_all_addresses_that_have_too_much_kept_the_largest_session_goes(sized: World) -> None:
    pages = [
        await sized.open(LOADED, event(INIT), token=f"t{number}", peer=f"198.51.100.{number}") for number in range(3)
    ]
    for number, size in enumerate((120, 170, 150)):
        sized.sockets.sessions.note_size(f"t{number}", size)
    await pages[1].ended()
    assert [page.task.done() for page in pages] == [False, True, False]


async def test_a_session_that_has_to_go_is_not_kept_by_a_page_that_returns(sized: World) -> None:
    page = await sized.open(LOADED, event(INIT), token="large")
    sized.sockets.sessions.note_size("large", 301)
    await page.ended()
    at_once = await sized.open(LOADED, token="large")
    await sized.pass_time(10)
    later = await sized.open(LOADED, token="large")
    assert (at_once.refused, sized.forgotten, later.task.done()) == (True, ["large"], False)


@pytest.mark.parametrize("packets", [[LOADED], [LOADED, event(INIT)]], ids=["forgotten with its socket", "expired"])
async def test_what_a_session_had_kept_is_not_held_against_its_address(sized: World, packets: list[str]) -> None:
    page = await sized.open(*packets, token="before")
    sized.sockets.sessions.note_size("before", 200)
    await page.leave()
    await sized.pass_time(10)
    await sized.pass_time(SocketLimits().kept_seconds)
    last = await sized.open(LOADED, token="after")
    sized.sockets.sessions.note_size("after", 201)
    await last.settled()
    assert not last.task.done()


async def test_a_session_that_returns_keeps_its_size(sized: World) -> None:
    page = await sized.open(LOADED, event(INIT), token="returns")
    sized.sockets.sessions.note_size("returns", 200)
    await page.leave()
    back = await sized.open(LOADED, token="returns")
    await sized.open(LOADED, token="other")
    sized.sockets.sessions.note_size("other", 150)
    await back.ended()
    assert back.refused


async def test_what_the_features_say_of_a_sessions_size_reaches_its_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_size, "_listeners", [])

    async def forget(_token: str, **_how: bool) -> bool:
        """Nobody waits for it here."""
        return False

    async def release(_token: str) -> None:
        """Nor for that."""

    sockets = event_sockets(
        Framework(),
        Settings(_env_file=None),
        forget=forget,
        release=release,
        drain=Drain(),
        events={INIT},
        introduces=frozenset({INIT}),
    )
    page = Page(
        sockets,
        {
            "type": "websocket",
            "path": "/_event/",
            "query_string": b"token=large&EIO=4",
            "client": ("203.0.113.1", 1),
            "headers": [(b"host", b"modal.example"), (b"origin", b"https://modal.example")],
        },
    )
    page.say(LOADED)
    await page.settled()
    limits = SocketLimits()
    note_session_size("large", limits.per_address * limits.share + 1)
    await page.ended()
    assert page.refused
