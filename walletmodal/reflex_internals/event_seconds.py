"""Measuring of events, by what they belong to.

Why: which part of the modal keeps visitors waiting is seen by nothing else; Reflex measures events for OpenTelemetry alone, and by a name for each.
Test: `test_events_are_measured_by_their_feature`.
Dropped when: Reflex tells a middleware how long an event has taken, also of one that has failed.
"""

import time
from functools import cache
from typing import Any, Final

from prometheus_client import Histogram
from reflex_base.event.processor import EventProcessor

_OURS: Final = "walletmodal.features."
_SECONDS: Final = Histogram(
    "walletmodal_event_seconds",
    "Time of handlers of events, the wait for the visitor's state included.",
    ["part", "kind"],
    buckets=(0.005, 0.025, 0.1, 0.5, 2.5, 10.0),
)


def measure_events(processor: EventProcessor) -> None:
    """Has a processor's events measured."""
    execute = processor._execute_event

    async def measured(*, entry: Any, registered_handler: Any) -> None:
        module = registered_handler.states[0].__module__ if registered_handler.states else ""
        began = time.perf_counter()
        try:
            await execute(entry=entry, registered_handler=registered_handler)
        finally:
            seconds = _seconds(module, background=registered_handler.handler.is_background)
            seconds.observe(time.perf_counter() - began)

    processor._execute_event = measured  # type: ignore[method-assign]  # there is no public way


@cache
def _seconds(module: str, *, background: bool) -> Histogram:
    """Of the handlers of a module's states."""
    return _SECONDS.labels(_part(module), "background" if background else "foreground")


def _part(module: str) -> str:
    """The feature of a state; `framework` for Reflex's own, `own` for a team's."""
    if module.startswith(_OURS):
        return module.removeprefix(_OURS).partition(".")[0]
    return "framework" if module.partition(".")[0] in ("", "reflex", "reflex_base") else "own"
