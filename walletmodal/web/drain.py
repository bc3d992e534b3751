"""Draining of a worker that is asked to end: running events finish."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import reflex as rx

from walletmodal.reflex_internals.app import stop_events

DRAIN_SECONDS: Final = 8.0
"""Below the time after which granian kills a worker that does not end (walletmodal/commands/serve.py)."""


@asynccontextmanager
async def drain_events(app: rx.App) -> AsyncIterator[None]:
    """A lifespan task, `app.register_lifespan_task(drain_events)`: a stop waits for running handlers.

    Register it after what they need, for what was registered last ends first. Reflex would cancel them, and only when all that has ended.
    """
    yield
    await stop_events(app, DRAIN_SECONDS)
