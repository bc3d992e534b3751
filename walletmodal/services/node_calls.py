"""Measuring of requests to nodes, by network."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import Counter, Histogram

from walletmodal.core.errors import TransportError
from walletmodal.services.tracing import span

_SECONDS: Final = Histogram(
    "walletmodal_node_seconds",
    "Time of requests to nodes, by network; a batch is one.",
    ["network"],
    buckets=(0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)
_FAILURES: Final = Counter(
    "walletmodal_node_failures", "Requests that nodes have not answered, by network.", ["network"]
)


@contextmanager
def node_call(network: str) -> Iterator[None]:
    """Measures a request to a node of a network."""
    with span("node", network=network), _SECONDS.labels(network).time():
        try:
            yield
        except TransportError:
            _FAILURES.labels(network).inc()
            raise
