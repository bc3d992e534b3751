"""Where features register what they do when the browser says something; the bridge knows none of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Literal, TypeVar

import reflex as rx

from walletmodal.core.analytics import Event
from walletmodal.core.host_calls import HostCall, HostRequest
from walletmodal.core.protocol import Reply
from walletmodal.core.snapshots import Snapshot

Followups = list[Any]
"""Event handlers or specs to queue after the handler: background work, mostly."""
T_STATE = TypeVar("T_STATE", bound=rx.State)

SnapshotListener = Callable[[rx.State, Snapshot], Awaitable[Followups]]
PageListener = Callable[[rx.State], Awaitable[None]]
EarlyStep = Callable[[rx.State, Any], Awaitable[Followups]]
Continuation = Callable[[rx.State, Reply, dict[str, Any]], Awaitable[Followups]]
AnswerKeeper = Callable[[rx.State, Reply, dict[str, Any]], Awaitable[bool]]
CallHandler = Callable[[rx.State, str, Any], Awaitable[Followups]]
RequestHandler = Callable[[rx.State, str, HostRequest], Awaitable[Followups]]
Extent = Literal["place", "all", "durable"]
"""What may have changed since the resume record was last written: only where the visitor is, anything, or anything that a command needs."""
Keeper = Callable[[rx.State, Extent], Awaitable[None]]
EventListener = Callable[[rx.State, Event], Awaitable[None]]

snapshot_listeners: list[SnapshotListener] = []
page_listeners: list[PageListener] = []
early_steps: dict[str, EarlyStep] = {}
continuations: dict[str, Continuation] = {}
answer_keepers: dict[str, AnswerKeeper] = {}
call_handlers: dict[type[HostCall], CallHandler] = {}
request_handlers: list[RequestHandler] = []
keepers: list[Keeper] = []
event_listeners: list[EventListener] = []


def on_snapshot(listener: SnapshotListener) -> SnapshotListener:
    """Registers what happens when the browser tells what it knows; runs after those of the features that its module imports."""
    snapshot_listeners.append(listener)
    return listener


def on_new_page(listener: PageListener) -> PageListener:
    """Registers what ends with a life of the host page; runs before the new page's first snapshot is looked at."""
    page_listeners.append(listener)
    return listener


def early_step(name: str) -> Callable[[EarlyStep], EarlyStep]:
    """Registers what carries out, after `init`, what `BridgeState._hold` has kept under this name."""

    def register(step: EarlyStep) -> EarlyStep:
        early_steps[name] = step
        return step

    return register


def continuation(name: str) -> Callable[[Continuation], Continuation]:
    """Registers the step that a command's reply continues with, under a name that outlives the process.

    Its context also holds `calls`: the ids of the host's calls that wait for the outcome.
    """

    def register(step: Continuation) -> Continuation:
        continuations[name] = step
        return step

    return register


def keeps_answer(name: str) -> Callable[[AnswerKeeper], AnswerKeeper]:
    """Registers what must be written before the reply of that continuation is accepted: only then may the browser forget it.

    It gets what the continuation will get, and returns False when it cannot be written now; the browser is asked for the reply again.
    """

    def register(keeper: AnswerKeeper) -> AnswerKeeper:
        answer_keepers[name] = keeper
        return keeper

    return register


def on_call(kind: type[HostCall]) -> Callable[[CallHandler], CallHandler]:
    """Registers what carries out a method of the host API; it gets the call's id and the call."""

    def register(handler: CallHandler) -> CallHandler:
        call_handlers[kind] = handler
        return handler

    return register


def on_request(handler: RequestHandler) -> RequestHandler:
    """Registers the one handler of provider requests."""
    request_handlers[:] = [handler]
    return handler


def on_keep(keeper: Keeper) -> Keeper:
    """Registers who writes the resume record: soon, or for `durable` before commands leave."""
    keepers.append(keeper)
    return keeper


def on_event(listener: EventListener) -> EventListener:
    """Registers who else hears what the host's subscribers are told."""
    event_listeners.append(listener)
    return listener


async def held(state: rx.State, wanted: type[T_STATE]) -> T_STATE:
    """What `get_state` gives, without its walk along the names of the path, which costs five times as much: for what runs after every click."""
    root = state.parent_state or state
    found = root.substates.get(wanted.get_name())
    return found if isinstance(found, wanted) else await state.get_state(wanted)
