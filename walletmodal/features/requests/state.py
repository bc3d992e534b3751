"""A visitor's state of the host page's requests."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.deployment import deployment

MAX_ASKED: Final = 16
"""Requests of one page that may wait at the same time: for the visitor to connect, or for the wallet."""
BURST: Final = 60
PER_SECOND: Final = 1.0
"""Requests that sign, send or grant, or whose method is in no list: sixty at once, and then one more with every second."""


class RequestsState(rx.State):
    """Requests that wait for the visitor to connect, and how many the page may make."""

    _waiting: list[dict[str, str]] = []
    # How many requests the page has made beyond its pace, at a moment in Unix time: a session may go on in another process.
    _spent: float = 0.0
    _spent_at: float = 0.0

    def _take_allowance(self) -> bool:
        """Takes one request out of the page's allowance; False when nothing is left of it."""
        now = deployment().clock.now().timestamp()
        spent = max(0.0, self._spent - max(0.0, now - self._spent_at) * PER_SECOND)
        if spent + 1 > BURST:
            return False
        self._spent, self._spent_at = spent + 1, now
        return True
