"""What is held back until it is written: in which order it is said then, and what is not."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from reflex_base.event import Event
from reflex_base.event.context import EventContext

from walletmodal.reflex_internals.event_context import timed
from walletmodal.reflex_internals.held_back import held_back, say

DELTA = {"state": {"count": 1}}
EVENT = Event(name="next")


def told_to(done: list[Any]) -> EventContext:
    async def emit(token: str, delta: Any) -> None:
        done.append((token, delta))

    async def enqueue(token: str, *events: Event) -> Any:
        done.append((token, *events))

    nothing = cast("Any", None)
    return timed(EventContext(token="one", txid="", state_manager=nothing, enqueue_impl=enqueue, emit_delta_impl=emit))


async def test_what_was_written_is_told_before_what_it_brings_about_begins() -> None:
    done = list[Any]()
    context = told_to(done)
    with held_back(holds=True) as said:
        await context.emit_delta(DELTA)
        await context.enqueue(EVENT)
        assert done == []
    await say(said)
    assert done == [("one", DELTA), ("one", EVENT)]


async def test_what_is_not_held_is_said_at_once() -> None:
    done = list[Any]()
    with held_back(holds=True), held_back(holds=False):
        await told_to(done).emit_delta(DELTA)
    assert done == [("one", DELTA)]


async def test_a_task_that_was_begun_meanwhile_is_heard_afterwards() -> None:
    done, over = list[Any](), asyncio.Event()

    async def go_on() -> None:
        await over.wait()
        with held_back(holds=True) as said:
            pass
        await told_to(done).emit_delta(DELTA)
        await say(said)

    with held_back(holds=True):
        going_on = asyncio.create_task(go_on())
    over.set()
    await going_on
    assert done == [("one", DELTA)]
