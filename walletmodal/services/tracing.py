"""Traces, where the deployment has them: spans of what an event has others do, and what continues when a wallet has answered.

Nothing of OpenTelemetry is imported here: `open_telemetry` is, once somebody wants traces. Until then a span is nothing.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol


class Traces(Protocol):
    """Who makes spans, such as `open_telemetry.OpenTelemetry`."""

    def span(self, name: str, attributes: dict[str, str]) -> AbstractContextManager[object]:
        """A span of the current trace."""
        ...

    def passed(self, name: str, seconds: float) -> None:
        """A span of the current trace that ends now and has begun so many seconds ago."""
        ...

    def carried(self) -> str:
        """The current trace as a text (W3C Trace Context); "" for none."""
        ...

    def resumed(self, name: str, trace: str) -> AbstractContextManager[object]:
        """A span that goes on with such a trace, and refers to the current one; what the running task does afterwards goes on with it, too."""
        ...


class _Process:
    traces: Traces | None = None


def trace_with(traces: Traces | None) -> None:
    """Has the spans of this process made by somebody; None: there are no more."""
    _Process.traces = traces


def span(name: str, **attributes: str) -> AbstractContextManager[object]:
    """A span of the current trace; nothing where there are no traces.

    Args:
        name: of what is done, one of few.
        attributes: names in the code and in the settings, never what a visitor, a page or a node has said.
    """
    traces = _Process.traces
    return nullcontext() if traces is None else traces.span(name, attributes)


def passed(name: str, seconds: float) -> None:
    """A span of the current trace that ends now and has begun so many seconds ago; nothing where there are no traces."""
    if _Process.traces is not None:
        _Process.traces.passed(name, seconds)


def carried() -> str:
    """The current trace as a text, for `resumed`; "" where there is none."""
    return "" if _Process.traces is None else _Process.traces.carried()


def resumed(name: str, trace: str) -> AbstractContextManager[object]:
    """A span that goes on with the trace of `carried`, and refers to the current one; nothing where there is none.

    What the handler of an event returns is begun once the span has ended, and follows from what was done in it: so what the running
    task does afterwards belongs to that trace as well.
    """
    traces = _Process.traces
    return nullcontext() if traces is None or not trace else traces.resumed(name, trace)
