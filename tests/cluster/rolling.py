"""Visitors in the middle of something that must not be lost, while all servers are restarted or all sockets break."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, Protocol

from tests.cluster.cluster import Cluster
from tests.cluster.visitor import AMOUNT, Visitor
from tests.patience import START_SECONDS
from walletmodal.features.requests.state import PACE
from walletmodal.services.rate_limit import MemoryRateLimit

_AT_ONCE: Final = 20
MOVED: Final = "moved"
"""Why a page has lost its socket that a server asked to go."""
_LOOK_SECONDS: Final = 1.0
_POLL_SECONDS: Final = 0.1
_PACE_SECONDS: Final = 0.5
"""Between two requests of a host, while it may make so many, where nothing else is said."""
PLACE: Final = (
    ("ShellState", "open"),
    ("ShellState", "view"),
    ("SendState", "amount"),
    ("SendState", "symbol"),
    ("SendState", "label"),
    ("ApproveState", "phase"),
    ("ApproveState", "seen"),
)
"""What a page shows that stays where it is."""
PLACE_OF_RELEASES: Final = tuple(one for one in PLACE if one != ("ApproveState", "seen"))
"""The same where another release goes on with it, which reads a request anew."""


Shown = Sequence[tuple[str, str]]


class Flow(Protocol):
    """What a visitor is in the middle of."""

    visitor: Visitor

    async def begin(self) -> None:
        """Get there."""
        ...

    async def finish(self) -> str:
        """Go on to the end; what went wrong, or ""."""
        ...


class OpenForm:
    """A form that is filled in, and is sent afterwards."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor

    async def begin(self) -> None:
        """Fill it in."""
        visitor = self.visitor

        def is_filled() -> bool:
            return (
                visitor._is("ShellState", "view", "WalletSend")
                and visitor._is("SendState", "amount", AMOUNT)
                and visitor._is("SendState", "label", "Preview Send")
            )

        await visitor._open_until(is_filled, visitor._send)

    async def finish(self) -> str:
        """Send it."""
        before = len(self.visitor.loader.signed)
        sent = await self.visitor.send()
        signed = [one.value for one in self.visitor.loader.signed[before:]]
        return "" if signed == [sent] else f"signed {signed}, shown {sent}"


class PendingRequest:
    """A request of the host that waits for the visitor, who approves it afterwards."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self._asking: asyncio.Task[dict[str, Any]] | None = None

    async def begin(self) -> None:
        """Have the host ask."""
        visitor = self.visitor
        params = ["0x" + b"rolling".hex(), visitor.wallet.address]
        self._asking = asyncio.create_task(visitor.loader.request("personal_sign", params))
        await visitor._reach(lambda: visitor._approve() is not None, lambda: None)

    async def finish(self) -> str:
        """Approve."""
        assert self._asking is not None
        await self.visitor._reach(self._asking.done, self.visitor._approve)
        told = self._asking.result()
        signed = [one.value for one in self.visitor.loader.signed if one.request]
        return "" if told["ok"] and signed == [told["value"]] else f"told {told}, signed {signed}"


class Approving:
    """Requests of the host, one after the other, each approved as soon as it is shown."""

    def __init__(self, visitor: Visitor, pace: float) -> None:
        self.visitor, self._pace = visitor, pace
        self._over = False
        self._approving: asyncio.Task[None] | None = None
        self._allowance = MemoryRateLimit(PACE)

    async def begin(self) -> None:
        """Go on with it meanwhile."""
        self._approving = asyncio.create_task(self._approve())

    async def finish(self) -> str:
        """End with the one that is being asked."""
        assert self._approving is not None
        self._over = True
        await self._approving
        loader = self.visitor.loader
        told = {call: loader.told[call] for call, (method, _) in loader.asked.items() if method == "personal_sign"}
        granted = [(call, one["value"]) for call, one in told.items() if one["ok"]]
        failed = {call: one["error"] for call, one in told.items() if not one["ok"]}
        signed = [(one.request, one.value) for one in loader.signed if one.request]
        what = f"visitor {self.visitor.number}: failed {failed}, {len(granted)} granted, {len(signed)} signed"
        return "" if granted == signed and not failed else what

    async def _approve(self) -> None:
        # Not all hosts at once.
        due = time.monotonic() + random.uniform(0, self._pace)
        while not self._over:
            left = due - time.monotonic()
            if self.visitor.tab.failed is not None:
                # As a browser does, whatever its visitor is doing.
                await self.visitor.return_to_server()
            elif left <= 0 and self._allowance.take(""):
                due = time.monotonic() + self._pace
                await self.visitor.approve("again")
            else:
                await self.visitor.tab.changed(min(left, _LOOK_SECONDS) if left > 0 else _LOOK_SECONDS)


def _place(visitor: Visitor, shown: Shown) -> list[Any]:
    return [visitor.tab.value(*one) for one in shown]


async def _stay(visitor: Visitor, shown: Shown, over: asyncio.Event) -> str:
    """Look at the page until it is over; what has changed, or ""."""
    before = _place(visitor, shown)
    while not over.is_set():
        if visitor.tab.failed is not None:
            await visitor.tab.come_back()
        else:
            await visitor.tab.changed(_LOOK_SECONDS)
    try:
        # What another release reads anew takes its time.
        await visitor._reach(lambda: _place(visitor, shown) == before, lambda: None)
    except AssertionError:
        return f"{before} became {_place(visitor, shown)}"
    return ""


async def _arrived(visitor: Visitor) -> None:
    await visitor.connect()
    await visitor.sign_in()


async def _finished(flow: Flow) -> str:
    try:
        return await flow.finish()
    except AssertionError as stuck:
        return f"{type(flow).__name__}: {stuck}"


async def _each(work: Sequence[Any]) -> list[Any]:
    """Results of coroutines, some at once."""
    room = asyncio.Semaphore(_AT_ONCE)

    async def one(coroutine: Any) -> Any:
        async with room:
            return await coroutine

    return await asyncio.gather(*map(one, work))


async def roll(
    servers: Cluster, visitors: Sequence[Visitor], shown: Shown = PLACE, *, pace: float = _PACE_SECONDS
) -> list[str]:
    """Restart the servers one after the other, in order; what went wrong for whom, nothing where nobody has lost anything. Their hosts have fresh tokens then.

    `shown`: what pages show afterwards as before. `pace`: seconds between two requests of a host whose visitor approves them all.
    """

    async def restart() -> None:
        for member in servers.members:
            await asyncio.to_thread(member.server.restart)

    kinds = (OpenForm, PendingRequest, partial(Approving, pace=pace))
    errors = await _go_on(visitors, kinds, restart, shown)
    await _each([one.renew_token() for one in visitors])
    return [*errors, *(f"lost its socket: {kind}" for one in visitors for kind in one.tab.lost if kind != MOVED)]


async def break_sockets(servers: Cluster, visitors: Sequence[Visitor]) -> tuple[list[str], float]:
    """Break all sockets at once; what went wrong for whom, and after how many seconds everybody was back. Their hosts have fresh tokens then.

    Raises:
        AssertionError: somebody did not come back, or is not signed in any more.
    """
    took = 0.0

    async def break_all() -> None:
        nonlocal took
        began, before = time.monotonic(), {one.number: len(one.tab.lost) for one in visitors}
        servers.balancer.break_all()

        def away() -> list[int]:
            numbers = [one.number for one in visitors if len(one.tab.lost) == before[one.number]]
            return numbers or [one.number for one in visitors if not one.tab.value("BridgeState", "sync")]

        while numbers := away():
            assert time.monotonic() < began + START_SECONDS, f"visitors {numbers[:10]} are not back"
            await asyncio.sleep(_POLL_SECONDS)
        took = time.monotonic() - began

    errors = await _go_on(visitors, (OpenForm, PendingRequest), break_all, PLACE)
    await _each([one.renew_token() for one in visitors])
    return errors, took


async def _go_on(
    visitors: Sequence[Visitor],
    kinds: Sequence[Callable[[Visitor], Flow]],
    happens: Callable[[], Awaitable[None]],
    shown: Shown,
) -> list[str]:
    """Bring visitors to the middle of something, let it happen, and have them go on to the end; what went wrong for whom."""
    # Of each kind some at both servers, to which visitors come in turn.
    flows = [kinds[place // 2 % len(kinds)](one) for place, one in enumerate(visitors)]
    await _each([_arrived(one) for one in visitors])
    await _each([flow.begin() for flow in flows])
    over = asyncio.Event()
    tokens = [one.tab._token for one in visitors]
    staying = [
        asyncio.create_task(_stay(flow.visitor, shown, over)) for flow in flows if not isinstance(flow, Approving)
    ]
    await happens()
    over.set()
    for visitor in visitors:
        visitor.tab.note_change()
    changed = await asyncio.gather(*staying)
    lost = [
        f"visitor {one.number} began anew"
        for one, token in zip(visitors, tokens, strict=True)
        if one.tab._token != token
    ]
    ended = await _each([_finished(flow) for flow in flows])
    return [*filter(None, changed), *lost, *filter(None, ended)]
