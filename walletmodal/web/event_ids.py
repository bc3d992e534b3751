"""Ids of events in the log: Reflex gives each an id, and tells which one brought it about."""

from collections.abc import Mapping

from walletmodal.logs import request_ids
from walletmodal.reflex_internals.event_context import current_event, hands_out_events


def working_ids() -> Mapping[str, str]:
    """The event, or else the HTTP request or the socket, that is being answered."""
    event = current_event()
    if event is None:
        return request_ids()
    if not event.id:
        return {} if hands_out_events() else request_ids()
    return {"event_id": event.id, **({"after": event.caused_by} if event.caused_by else {})}
