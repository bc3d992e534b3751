"""Python processes whose PYTHONPATH names this folder have a clock that is as many minutes ahead as MINUTES_AHEAD says."""

import os
import time
from datetime import UTC, datetime, timedelta

from walletmodal.core.clock import SystemClock

AHEAD = timedelta(minutes=int(os.environ["MINUTES_AHEAD"]))
_time = time.time


def _now(self: SystemClock) -> datetime:
    return datetime.fromtimestamp(_time(), UTC) + AHEAD


time.time = lambda: _time() + AHEAD.total_seconds()
SystemClock.now = _now  # type: ignore[method-assign]  # in the place of the machine's clock
