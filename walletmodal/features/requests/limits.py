"""Limits for the texts of requests, which sessions keep until the wallet has answered: of one session and of all of an address."""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

import reflex as rx

from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.protocol.limits import text_bytes
from walletmodal.deployment import Deployment, deployment
from walletmodal.services.rate_limit import MemoryRateLimit, Rate

PER_ADDRESS: Final = Rate(per_second=16 * 1024, burst=64 * 1024 * 1024)
"""Bytes: 250 of the largest transactions at once, and then one every 16 seconds; a transfer takes less than 1 kB."""

_limits: WeakKeyDictionary[Deployment, MemoryRateLimit] = WeakKeyDictionary()


def allow_text(state: rx.State, asked: HostRequest) -> bool:
    """Counts what a request would have a session keep; False where its address has had too much kept."""
    running = deployment()
    found = _limits.get(running)
    if found is None:
        found = _limits[running] = MemoryRateLimit(PER_ADDRESS, running.clock)
    return found.take(state.router.session.client_ip, text_bytes(asked.params))
