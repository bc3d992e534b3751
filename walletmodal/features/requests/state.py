"""A visitor's state of the host page's requests."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import reflex as rx

from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.deployment import deployment
from walletmodal.services.rate_limit import Rate

MAX_ASKED: Final = 16
"""Requests of one page that may wait at the same time: for the visitor to connect, or for the wallet."""
PACE: Final = Rate(per_second=1, burst=60)
"""Requests that sign, send or grant, or whose method is in no list: sixty at once, and then one more with every second."""


class RequestsState(rx.State):
    """Requests that wait for the visitor to connect, and how many the page may make."""

    _waiting: list[dict[str, str]] = []
    # How many requests were left to the page at a moment in Unix time: a session may go on in another process.
    _left: float = float(PACE.burst)
    _left_at: float = 0.0
    # Of those that were decided.
    _number: int = 0

    def _take_allowance(self) -> bool:
        """Takes one request out of the page's allowance; False when nothing is left of it."""
        now = deployment().clock.now().timestamp()
        left = PACE.refilled(self._left, max(0.0, now - self._left_at))
        if left < 1:
            return False
        self._left, self._left_at = left - 1, now
        return True

    def _stamped(self, asked: HostRequest, life: str) -> HostRequest:
        """The request with a stamp: what is done again because it was not written has the same number again."""
        self._number += 1
        return replace(asked, stamp=f"{life}.{self._number}")
