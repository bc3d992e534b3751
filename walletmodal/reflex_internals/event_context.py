"""Context of the event that is being handled.

Why: the log names the event of each entry, questions to outside services are counted for whoever caused them, and a call that has waited
too long is not carried out; a handler is told none of that. What its event sends is put into the visitor's language.
Test: `test_a_handler_can_tell_its_event`, `test_events_are_handed_out_by_one_task`, `test_a_handler_can_tell_how_long_its_event_has_waited`.
Dropped when: Reflex has a public way to ask for the event of the current task.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import partial
from typing import Any, Final

from reflex_base.constants import RouteVar
from reflex_base.event import Event
from reflex_base.event.context import EventContext

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.reflex_internals.held_back import holds_back
from walletmodal.reflex_internals.returning_pages import Told
from walletmodal.reflex_internals.spoken import in_language_of

QUEUE_TASK: Final = "reflex_event_queue_processor"
clock: Clock = SystemClock()
"""What the waiting of events is measured with."""


@dataclass(frozen=True, slots=True)
class CurrentEvent:
    """An event that is being handled.

    Attributes:
        id: Reflex's; "" between events.
        caused_by: the id of the event that brought it about; "" where none did.
        token: of the session.
        address: where its socket comes from; "" where that is not known.
    """

    id: str
    caused_by: str
    token: str
    address: str


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _TimedContext(EventContext):  # type: ignore[no-untyped-call]  # of Reflex
    """Reflex's, which it makes for each event when that comes, with the time."""

    received: float = field(default_factory=lambda: clock.monotonic(), repr=False)  # noqa: PLW0108 - tests put another clock in its place

    async def emit_delta(self, delta: Mapping[str, Mapping[str, Any]]) -> None:
        """Send what has changed, in the language of the page, once it is written."""
        if holds_back(partial(self.emit_delta, delta), change=(self.token, delta)):
            return
        said = await in_language_of(self.router_data, delta)
        if isinstance(told := getattr(self.state_manager, "told", None), Told):
            said = told.marked(self, delta, said)
        # By its full name: a dataclass with slots is a second class, which `super()` does not know.
        await EventContext.emit_delta(self, said)

    async def enqueue(self, *event: Event) -> None:
        """Begin what the event has brought about, after what it has changed."""
        if not holds_back(partial(self.enqueue, *event)):
            await EventContext.enqueue(self, *event)


def timed(root: EventContext) -> EventContext:
    """The context that those of all events are made of, so that each notes when its event came, for `seconds_waited`."""
    return _TimedContext(**{one.name: getattr(root, one.name) for one in fields(root) if one.init})


def seconds_waited() -> float:
    """How long the event of this task has waited, for events before it and for its state; 0 outside Reflex's."""
    try:
        context = EventContext.get()
    except LookupError:
        return 0.0
    return clock.monotonic() - context.received if isinstance(context, _TimedContext) else 0.0


def current_event() -> CurrentEvent | None:
    """The event of this task; None outside Reflex's."""
    try:
        context = EventContext.get()
    except LookupError:
        return None
    address = str(context.router_data.get(RouteVar.CLIENT_IP, ""))
    return CurrentEvent(context.txid, context.parent_txid or "", context.token, address)


def hands_out_events() -> bool:
    """Whether this is the task that hands out all events: it was begun by some request long ago, whose id is none of theirs."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.get_name().startswith(QUEUE_TASK)
