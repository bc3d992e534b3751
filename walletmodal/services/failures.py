"""Handling of uncaught errors: logged and counted, never shown through the browser's `eval`."""

import logging
from typing import Final

from prometheus_client import Counter
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.services.rate_limit import MemoryRateLimit, Rate

REPORTS: Final = Rate(per_second=20 / 60, burst=20)
_MAX_REPORT: Final = 300

_FAILURES = Counter("walletmodal_failures", "Errors that no handler caught, by kind", ["kind"])
_PAGE_FAILURES = Counter("walletmodal_page_failures", "Errors that pages have reported, those not logged included")

logger = logging.getLogger(__name__)


def count_failure(exception: Exception) -> None:
    """Counts it by its kind."""
    _FAILURES.labels(type(exception).__name__).inc()


def report_failure(exception: Exception) -> None:
    """Logs and counts it; the visitor's state stays as it was before the event."""
    count_failure(exception)
    if isinstance(exception, TypeError):
        # Anyone can call a handler with arguments that it does not take: one line, not a traceback.
        logger.warning("an event was refused: %s", str(exception)[:200])
    elif isinstance(exception, RedisConnectionError | RedisTimeoutError):
        # It is away, lets nobody in, or has too much to do: every event fails then, each with the same hundred lines of libraries.
        logger.error("an event failed for want of Redis: %s", exception)
    else:
        logger.error("an event failed", exc_info=exception)


class PageReports:
    """What pages report of themselves: anyone can send anything as often as they like, so all is counted and little is logged.

    Args:
        clock: what the time is measured with.
    """

    def __init__(self, clock: Clock) -> None:
        self._limit = MemoryRateLimit(REPORTS, clock)

    def take(self, text: str) -> None:
        """Counts a report, and logs its start on one line of ASCII, as often as `REPORTS` says."""
        _PAGE_FAILURES.inc()
        if self._limit.take(""):
            logger.warning("a page reports: %a", text[:_MAX_REPORT])


_reports: Final = PageReports(SystemClock())


def report_page_failure(exception: Exception) -> None:
    """Takes what Reflex's own event for errors of the page brings."""
    _reports.take(str(exception))
