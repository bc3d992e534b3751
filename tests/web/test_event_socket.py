"""What may be said on the event socket, how often, and what of it is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

import pytest
import pytest_asyncio
from engineio.packet import MESSAGE, Packet  # type: ignore[import-untyped]  # the library has no types
from starlette.types import Message, Receive, Scope, Send

from tests.patience import patience
from walletmodal.core.clock import MovableClock
from walletmodal.core.protocol.limits import MAX_NODES
from walletmodal.reflex_internals.event_names import HYDRATE
from walletmodal.reflex_internals.unread import FAIR, MOST, MOST_OF_ADDRESS, Unread
from walletmodal.services.rate_limit import Rate
from walletmodal.web.client_address import ClientAddress
from walletmodal.web.event_socket import EventSockets
from walletmodal.web.packets import MAX_EVENT, MAX_OPENING
from walletmodal.web.sessions import SocketLimits

OWN = "reflex___state____state.walletmodal___features___bridge___state____bridge_state"
INIT = f"{OWN}.on_init"
OPEN = "40/_event,"
FAST = Rate(per_second=1e6, burst=1_000_000)
LIMITS = SocketLimits(per_address=3, total=4, opened=FAST)


def event(name: str = f"{OWN}.on_call", payload: Any = None) -> str:
    return "42/_event," + json.dumps(["event", {"name": name, "payload": payload or {}, "router_data": {}}])


LOADED = OPEN + json.dumps({"event": {"name": HYDRATE, "payload": {}}, "state_schema": "x"})

_TURNS = 2_000
"""Of the event loop: nothing here waits for anything else."""


class Framework:
    """The framework's side: what reaches it, and what it says of its own."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []
        self.heard: list[str] = []
        self.says: list[str] = []
        self.answers = ""
        self.queues: list[Unread] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scopes.append(scope)
        self.queues.append(Unread())
        await send({"type": "websocket.accept"})
        for text in self.says:
            await send({"type": "websocket.send", "text": text})
        while (message := await receive())["type"] == "websocket.receive":
            self.heard.append(message["text"])
            if self.answers:
                with suppress(OSError):
                    await send({"type": "websocket.send", "text": self.answers})
        await send({"type": "websocket.close"})


class Page:
    """A client: says what it is told to, and hangs up."""

    def __init__(self, sockets: EventSockets, scope: Scope) -> None:
        self._says: asyncio.Queue[Message] = asyncio.Queue()
        self.got: list[Message] = []
        self.deaf = False
        self.task = asyncio.create_task(sockets(scope, self._says.get, self._take))

    async def _take(self, message: Message) -> None:
        if self.deaf and message["type"] != "websocket.accept":
            await asyncio.Event().wait()
        self.got.append(message)

    def say(self, *packets: str | bytes) -> None:
        for packet in packets:
            kind = "text" if isinstance(packet, str) else "bytes"
            self._says.put_nowait({"type": "websocket.receive", kind: packet})

    async def leave(self) -> None:
        self._says.put_nowait({"type": "websocket.disconnect", "code": 1005})
        await self.ended()

    async def ended(self) -> None:
        async with patience():
            await self.task

    async def settled(self) -> None:
        """Returns when nothing happens any more of what it said: it was taken, or has to wait for the clock."""
        for _ in range(_TURNS):
            if self.task.done() or not self._says.qsize():
                break
            await asyncio.sleep(0)
        for _ in range(_TURNS // 50):
            await asyncio.sleep(0)

    @property
    def refused(self) -> bool:
        return self.got[-1:] == [{"type": "websocket.close", "code": 1008}]


class World:
    """All of it on a clock that stands still."""

    def __init__(self, limits: SocketLimits = LIMITS, paces: tuple[Rate, Rate] = (FAST, FAST)) -> None:
        self.clock, self.framework = MovableClock(), Framework()
        self.forgotten: list[str] = []
        self.pages: list[Page] = []
        self.sockets = EventSockets(
            self.framework,
            client_name=ClientAddress(),
            forget=self._forget,
            events={INIT, f"{OWN}.on_call", f"{OWN}.setvar"},
            introduces=frozenset({INIT}),
            limits=limits,
            paces=paces,
            clock=self.clock,
        )

    async def _forget(self, token: str) -> None:
        self.forgotten.append(token)

    async def open(
        self, *packets: str | bytes, token: str = "token", peer: str = "203.0.113.1", headers: Any = ()
    ) -> Page:
        scope = {
            "type": "websocket",
            "path": "/_event/",
            "query_string": f"token={token}&EIO=4".encode(),
            "client": (peer, 1),
            "headers": list(headers),
        }
        page = Page(self.sockets, scope)
        self.pages.append(page)
        page.say(*packets)
        await page.settled()
        return page

    async def pass_time(self, seconds: float) -> None:
        self.clock.advance(seconds)
        for _ in range(_TURNS // 10):
            await asyncio.sleep(0)

    async def close(self) -> None:
        for page in self.pages:
            page.task.cancel()
        await asyncio.gather(*(page.task for page in self.pages), return_exceptions=True)
        await self.sockets.sessions.close()


Making = Callable[..., World]


@pytest_asyncio.fixture
async def making() -> AsyncIterator[Making]:
    made: list[World] = []

    def make(*args: Any, **kwargs: Any) -> World:
        made.append(World(*args, **kwargs))
        return made[-1]

    yield make
    for world in made:
        await world.close()


@pytest_asyncio.fixture
async def world(making: Making) -> World:
    return making()


async def test_what_a_page_says_reaches_the_framework(world: World) -> None:
    said = [LOADED, "3", event(INIT), event(), '42/_event,["client_error",{"message":"x"}]', "41/_event,"]
    await world.open(*said)
    assert world.framework.heard == said


@pytest.mark.parametrize(
    "packet",
    [
        '42/_event,["connect",{"QUERY_STRING":"token=other"}]',
        '42/_event,["disconnect"]',
        '42/_event,["ping"]',
        '42/_event,["event"]',
        f"{event()[:-1]},{{}}]",
        event().replace("42/_event,", "42/_event,7"),
        event().replace("42/_event,", "42"),
        event().replace("42/_event,", "42/other,"),
        '451-/_event,["event",{"_placeholder":true,"num":0}]',
        "43/_event,1[]",
        "44/_event,{}",
        "40/_event,",
        "42/_event,",
        "42/_event,[",
        "0",
        "1",
        "2probe",
        "5",
        "4",
        "x",
        "",
        b"",
        b"x",
    ],
    ids=repr,
)
async def test_what_no_page_says_ends_the_socket_unseen(world: World, packet: str | bytes) -> None:
    page = await world.open(LOADED, packet, event())
    await page.ended()
    assert (world.framework.heard, page.refused) == ([LOADED], True)


@pytest.mark.parametrize(
    "first", [event(), "41/_event", "40/_event,[]", "40/_event,{", "40", f"{OPEN}{'x' * MAX_OPENING}"]
)
async def test_a_socket_begins_with_the_namespace(world: World, first: str) -> None:
    page = await world.open(first)
    await page.ended()
    assert (world.framework.heard, page.refused) == ([], True)


async def test_who_has_left_the_namespace_does_not_come_back(world: World) -> None:
    page = await world.open(LOADED, "41/_event", OPEN)
    await page.ended()
    assert world.framework.heard == [LOADED, "41/_event"]


@pytest.mark.parametrize("token", ["", "x" * 129, "a%20b", "a%0ab"])
async def test_a_session_has_a_short_name(world: World, token: str) -> None:
    page = await world.open(LOADED, token=token)
    await page.ended()
    assert world.framework.heard == []


@pytest.mark.parametrize(
    "packet",
    [
        event(payload={"x": "y" * MAX_EVENT}),
        event(payload={"x": [[]] * MAX_NODES}),
        event(payload={"x": json.loads("[" * 60 + "]" * 60)}),
        event("reflex___state____state.reflex___state____update_vars_internal_state.update_vars_internal"),
        event("reflex___state____state.hydrate"),
        event(f"{OWN}.setvar"),
        event(f"{OWN}.no_such_event"),
        event().replace('"router_data": {}', f'"router_data": {{"x": "{"y" * MAX_OPENING}"}}'),
        event().replace('"router_data": {}', f'"router_data": {json.dumps([[]] * 6_000)}'),
        event(HYDRATE, {"vars": "x" * MAX_OPENING}),
        '42/_event,["event",7]',
        '42/_event,["event",{"name":7}]',
        "2",
    ],
    ids=lambda packet: packet[:60],
)
async def test_what_a_page_could_be_brought_to_say_is_left_out(world: World, packet: str) -> None:
    await world.open(LOADED, packet, event())
    assert world.framework.heard == [LOADED, event()]


async def test_a_socket_that_begins_with_a_large_address_is_refused(world: World) -> None:
    first = {"name": HYDRATE, "payload": {}, "router_data": {"x": [0] * 4_000, "y": "z" * MAX_OPENING}}
    page = await world.open(OPEN + json.dumps({"event": first}))
    await page.ended()
    assert world.framework.heard == []


async def test_half_a_character_is_let_through(world: World) -> None:
    said = event(payload={"name": "\ud83d"})
    await world.open(LOADED, said)
    assert world.framework.heard[-1] == said


async def test_a_message_with_a_large_picture_is_let_through(world: World) -> None:
    said = event(payload={"icon": "data:image/svg+xml,<svg>" + "M1,2 L[3,4] " * 15_000})
    await world.open(LOADED, said)
    assert world.framework.heard[-1] == said


async def test_long_polling_is_answered_without_the_framework(world: World) -> None:
    got: list[Message] = []

    async def send(message: Message) -> None:
        got.append(message)

    async def receive() -> Message:
        raise AssertionError("nothing is read")

    await world.sockets({"type": "http", "path": "/_event/", "method": "POST", "headers": []}, receive, send)
    assert (got[0]["status"], world.framework.scopes) == (400, [])


async def test_other_sockets_are_not_looked_at(world: World) -> None:
    scope = {"type": "websocket", "path": "/relay"}
    page = Page(world.sockets, scope)
    page.say("anything")
    await page.leave()
    assert (world.framework.scopes[0] is scope, world.framework.heard) == (True, ["anything"])


async def test_the_framework_learns_the_visitors_address_and_no_cookie(world: World) -> None:
    headers = [(b"x-forwarded-for", b"203.0.113.9"), (b"cookie", b"secret"), (b"host", b"h"), (b"x", b"y" * 10_000)]
    await world.open(LOADED, peer="127.0.0.1", headers=headers)
    (scope,) = world.framework.scopes
    assert (scope["client"][0], scope["headers"]) == ("203.0.113.9", [(b"host", b"h")])


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
    await world.pass_time(3_600)
    await world.open(LOADED, token="new")
    assert (world.sockets.sessions.kept, world.forgotten) == (0, [])


async def test_a_session_that_the_framework_renames_is_forgotten_by_its_new_name(world: World) -> None:
    # The framework tells a second tab of a token that it has another.
    world.framework.says = ['42/_event,["new_token","renamed"]']
    page = await world.open(LOADED, token="mine")
    await page.leave()
    await world.pass_time(10)
    assert world.forgotten == ["renamed"]


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
