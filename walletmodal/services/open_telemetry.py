"""Traces by OpenTelemetry, of the extra `walletmodal[otel]`. What leaves the process passes `Discreet` first."""

import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from opentelemetry.context import Context, attach
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import Event, ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Link, Status, get_current_span, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

KEPT: Final = frozenset(
    {
        *("code.function.name", "error.type", "exception.type", "reflex.event.background", "reflex.event.name"),
        *("walletmodal.network", "walletmodal.service"),
    }
)
"""Attributes that are exported, of spans and of what has happened in them. Their values are names in the code and in the settings."""
_CARRIED: Final = "traceparent"
_PROPAGATOR: Final = TraceContextTextMapPropagator()


class OpenTelemetry:
    """Makes spans.

    Args:
        provider: to which they go.
    """

    def __init__(self, provider: TracerProvider) -> None:
        self._tracer = provider.get_tracer("walletmodal")
        self._start = self._tracer.start_as_current_span

    def span(self, name: str, attributes: dict[str, str]) -> AbstractContextManager[object]:
        """As `Traces.span`."""
        return self._start(name, attributes={f"walletmodal.{key}": value for key, value in attributes.items()})

    def passed(self, name: str, seconds: float) -> None:
        """As `Traces.passed`."""
        now = time.time_ns()
        self._tracer.start_span(name, start_time=now - round(seconds * 1e9)).end(now)

    def carried(self) -> str:
        """As `Traces.carried`."""
        carrier: dict[str, str] = {}
        _PROPAGATOR.inject(carrier)
        return carrier.get(_CARRIED, "")

    @contextmanager
    def resumed(self, name: str, trace: str) -> Iterator[None]:
        """As `Traces.resumed`."""
        parent = _PROPAGATOR.extract({_CARRIED: trace}, context=Context())
        with self._start(name, context=parent, links=[Link(get_current_span().get_span_context())]) as resumed:
            yield
        attach(set_span_in_context(resumed, parent))


class Discreet(SpanExporter):
    """Exports names and times alone: never what a visitor, a page or a node has said.

    Args:
        exporter: to whom.
    """

    def __init__(self, exporter: SpanExporter) -> None:
        self._exporter = exporter

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """As the exporter's."""
        return self._exporter.export([_without_what_was_said(span) for span in spans])

    def shutdown(self) -> None:
        """As the exporter's."""
        self._exporter.shutdown()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """As the exporter's."""
        return self._exporter.force_flush(timeout_millis)


def provider_for(url: str) -> TracerProvider:
    """A provider that sends spans to a collector by OTLP over HTTP; shut it down at the end.

    Args:
        url: base URL of the collector.
    """
    provider = TracerProvider(resource=Resource.create({"service.name": "walletmodal"}))
    exporter = OTLPSpanExporter(endpoint=f"{url.rstrip('/')}/v1/traces")
    provider.add_span_processor(BatchSpanProcessor(Discreet(exporter)))
    return provider


def _without_what_was_said(told: ReadableSpan) -> ReadableSpan:
    return ReadableSpan(
        told.name,
        context=told.context,
        parent=told.parent,
        resource=told.resource,
        attributes=_kept(told.attributes),
        events=[Event(event.name, _kept(event.attributes), event.timestamp) for event in told.events],
        links=told.links,
        kind=told.kind,
        # Its description has the text of the exception.
        status=Status(told.status.status_code),
        start_time=told.start_time,
        end_time=told.end_time,
        instrumentation_scope=told.instrumentation_scope,
    )


def _kept(attributes: Any) -> dict[str, Any]:
    return {key: value for key, value in (attributes or {}).items() if key in KEPT}
