"""Counters of the process; `/metrics` shows them."""

from prometheus_client import Counter

_IGNORED = Counter("walletmodal_ignored", "Messages and events that were ignored, by reason", ["reason"])


def count_ignored(reason: str) -> None:
    """Counts something that came from a browser and was not believed. `reason`: one of the server's own words, never the sender's."""
    _IGNORED.labels(reason).inc()
