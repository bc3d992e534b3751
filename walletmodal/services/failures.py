"""What becomes of an error that no handler caught: it is logged and counted, and never shown through the browser's `eval`."""

import logging

from prometheus_client import Counter

_FAILURES = Counter("walletmodal_failures", "Errors that no handler caught, by kind", ["kind"])

logger = logging.getLogger(__name__)


def report_failure(exception: Exception) -> None:
    """Logs and counts it; the visitor's state stays as it was before the event."""
    _FAILURES.labels(type(exception).__name__).inc()
    if isinstance(exception, TypeError):
        # Anyone can call a handler with arguments that it does not take: one line, not a traceback.
        logger.warning("an event was refused: %s", str(exception)[:200])
    else:
        logger.error("an event failed", exc_info=exception)
