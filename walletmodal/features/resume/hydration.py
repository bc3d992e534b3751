"""A lost session is brought back before the browser sees it: the modal would close in between, and open again."""

from __future__ import annotations

from typing import Any, Final

from reflex.app import App
from reflex.middleware.middleware import Middleware
from reflex.state import BaseState, State, StateUpdate
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event import Event

from walletmodal.features.resume.state import ResumeState

HYDRATES: Final = f"{State.get_full_name()}.hydrate_and_load"
"""The first event of every socket: it carries what the tab's storage holds, and is answered with the whole state."""
_RESUME_ID: Final = f"{ResumeState.get_full_name()}.resume_id"


class RestoresFirst(Middleware):
    """Restores the session of the tab ahead of the event that sends the state."""

    async def preprocess(self, app: App, state: BaseState, event: Event) -> StateUpdate | None:  # noqa: ARG002  # Reflex calls it with these names
        """Acts on the first event of a socket; others pass."""
        if event.name == HYDRATES:
            await _restore(state, event.payload.get("vars"))
        return None


async def _restore(state: BaseState, stored: Any) -> None:
    """Has the session be what it was. A tab that names no record is left to the page's load, which issues an id."""
    found = stored if isinstance(stored, dict) else {}
    named = found.get(_RESUME_ID, found.get(_RESUME_ID + FIELD_MARKER))
    resume = await state.get_state(ResumeState)
    if named is None or resume._id:
        return
    before, resume.resume_id = resume.resume_id, named
    if resume._named():
        await resume.restore()
    else:
        resume.resume_id = before
