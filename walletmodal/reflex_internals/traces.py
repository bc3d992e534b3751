"""Traces of events, and where they are sent.

Why: a click's way from the event to the database and the nodes is one trace; Reflex makes the spans of events, once it is told to.
Test: `test_events_are_traced_once_reflex_is_told_to`.
Dropped when: Reflex documents what its package `reflex-otel` calls.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from reflex_base import otel

from walletmodal.core.errors import SettingProblem, SettingsError
from walletmodal.services.tracing import trace_with


@asynccontextmanager
async def traced(provider: Any) -> AsyncIterator[None]:
    """Within it events and what they have others do are traced. `provider`: OpenTelemetry's TracerProvider."""
    otel.enable(tracer_provider=provider)
    # Reflex would take trace, sampling and vendors' texts from whatever a page says with its event.
    otel._remote_propagator = _no_propagator()
    trace_with(_open_telemetry().OpenTelemetry(provider))
    try:
        yield
    finally:
        trace_with(None)
        otel.disable()


def trace_as_set(url: str | None) -> Callable[[], AbstractAsyncContextManager[None]]:
    """A lifespan task that sends traces to a collector.

    Args:
        url: its base URL, which takes OTLP over HTTP below `/v1/traces`; None: there are no traces.
    """

    @asynccontextmanager
    async def trace() -> AsyncIterator[None]:
        if url is None:
            yield
            return
        provider = _open_telemetry().provider_for(url)
        try:
            async with traced(provider):
                yield
        finally:
            # It sends what is left, and waits for the collector.
            await asyncio.to_thread(provider.shutdown)

    return trace


def _no_propagator() -> Any:
    """One that reads nothing."""
    return importlib.import_module("opentelemetry.propagators.composite").CompositePropagator([])


def _open_telemetry() -> Any:
    """The module of those who want traces.

    Raises:
        SettingsError: its packages are not installed.
    """
    try:
        return importlib.import_module("walletmodal.services.open_telemetry")
    except ModuleNotFoundError as error:
        problem = SettingProblem("OTLP_URL", f"needs walletmodal[otel]: {error.name} is not installed", "")
        raise SettingsError([problem]) from error
