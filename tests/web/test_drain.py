"""A stop waits for what visitors have begun, as long as there is something to finish it with."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from types import SimpleNamespace
from typing import Any

import reflex as rx
from reflex.istate.manager.memory import StateManagerMemory
from reflex_base.event import Event

from tests.driver import Driver
from tests.patience import patience
from walletmodal.deployment import hold_deployment
from walletmodal.walletmodal import app
from walletmodal.web import drain_events

_MEMORY: Any = StateManagerMemory


class SlowState(rx.State):
    @rx.event
    async def work(self) -> None:
        Told.begun.set()
        await Told.free.wait()
        Told.seen.append("done" if Told.open else "too late")


class Told:
    """What the handler and the test tell each other."""

    begun: asyncio.Event
    free: asyncio.Event
    seen: list[str]
    open: bool


@asynccontextmanager
async def needed() -> AsyncIterator[None]:
    """What handlers need."""
    Told.open = True
    yield
    Told.open = False


async def test_a_stop_waits_for_running_handlers_before_what_they_need_ends() -> None:
    Told.begun, Told.free, Told.seen = asyncio.Event(), asyncio.Event(), []
    visitor = Driver(_MEMORY())
    application: Any = SimpleNamespace(event_processor=visitor.processor)
    async with patience(), AsyncExitStack() as lifespan:
        await lifespan.enter_async_context(visitor.processor)
        await lifespan.enter_async_context(needed())
        await lifespan.enter_async_context(drain_events(application))
        (event,) = Event.from_event_type(SlowState.work())
        await visitor.processor.enqueue(visitor.token, event)
        await Told.begun.wait()
        asyncio.get_running_loop().call_later(0.05, Told.free.set)
    assert Told.seen == ["done"]


def test_the_deployment_ends_after_the_handlers_that_use_it() -> None:
    order = list(app.get_lifespan_tasks())
    assert order.index(hold_deployment) < order.index(drain_events)
