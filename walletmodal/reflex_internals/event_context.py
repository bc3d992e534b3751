"""Context of the event that is being handled.

Why: the log names the event of each entry, and questions to outside services are counted for whoever caused them; a handler is told neither.
Test: `test_a_handler_can_tell_its_event`, `test_events_are_handed_out_by_one_task`.
Dropped when: Reflex has a public way to ask for the event of the current task.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from reflex_base.constants import RouteVar
from reflex_base.event.context import EventContext

QUEUE_TASK: Final = "reflex_event_queue_processor"


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
