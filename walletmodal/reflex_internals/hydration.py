"""What happens ahead of the event that sends a page the whole state.

Why: a lost session is brought back before the browser sees it; the modal would close in between, and open again.
Test: `test_the_first_event_of_a_socket_has_the_name_that_the_driver_uses`, `tests/features/test_resume_hydration.py`.
Dropped when: `on_load` runs before the first state is sent.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast

import reflex as rx
from reflex.app import App
from reflex.middleware.middleware import Middleware
from reflex.state import BaseState, StateUpdate
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event import Event

from walletmodal.reflex_internals.event_names import HYDRATE

Prepare: TypeAlias = Callable[[rx.State, dict[str, Any]], Awaitable[None]]
"""Changes a state by what the browser has stored."""


class BeforeHydration(Middleware):
    """For `rx.App.add_middleware`: runs on the first event of a socket; others pass.

    Args:
        prepare: what runs.
    """

    def __init__(self, prepare: Prepare) -> None:
        self._prepare = prepare

    async def preprocess(self, app: App, state: BaseState, event: Event) -> StateUpdate | None:  # noqa: ARG002  # Reflex calls it with these names
        """Called by Reflex before each event."""
        if event.name == HYDRATE:
            stored = event.payload.get("vars")
            await self._prepare(cast("rx.State", state), stored if isinstance(stored, dict) else {})
        return None


def stored_value(stored: dict[str, Any], state: type[rx.State], name: str) -> Any:
    """What the browser has stored for a variable; None without it."""
    full = f"{state.get_full_name()}.{name}"
    return stored.get(full, stored.get(full + FIELD_MARKER))
