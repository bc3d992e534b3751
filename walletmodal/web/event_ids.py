"""Which event of a page is being handled, for the log: Reflex gives each an id, and tells which one brought it about."""

import asyncio
from collections.abc import Mapping
from typing import Final

from reflex_base.event.context import EventContext

from walletmodal.logs import request_ids

_QUEUE: Final = "reflex_event_queue_processor"


def working_ids() -> Mapping[str, str]:
    """The event, or else the HTTP request or the socket, that is being answered."""
    try:
        context = EventContext.get()
    except LookupError:
        return request_ids()
    if not context.txid:
        return {} if _in_queue() else request_ids()
    return {"event_id": context.txid, **({"after": context.parent_txid} if context.parent_txid else {})}


def _in_queue() -> bool:
    """Whether this is the task that hands out all events: it was begun by some request long ago, whose id is none of theirs."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.get_name().startswith(_QUEUE)
