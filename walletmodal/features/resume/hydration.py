"""Restore of a lost session before the browser sees it: the modal would close in between, and open again."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.features.resume.state import ResumeState
from walletmodal.reflex_internals.hydration import stored_value


async def restore_before_hydration(state: rx.State, stored: dict[str, Any]) -> None:
    """Restores the session. A tab that names no record is left to the page's load, which issues an id."""
    named = stored_value(stored, ResumeState, "resume_id")
    resume = await state.get_state(ResumeState)
    if named is None or resume._id:
        return
    before, resume.resume_id = resume.resume_id, named
    if resume._browser_id():
        await resume.restore()
    else:
        resume.resume_id = before
