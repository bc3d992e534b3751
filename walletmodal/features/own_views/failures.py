"""Errors of a team's events: told with their place in development, in a sentence to visitors."""

import logging
from traceback import walk_tb

import reflex as rx

from walletmodal.core.text.display_text import typed_text
from walletmodal.core.text.texts import OWN_EVENT_FAILED
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.reflex_internals.event_names import modules_of_teams
from walletmodal.reflex_internals.mode import is_development
from walletmodal.services.failures import count_failure, report_failure
from walletmodal.ui.own_parts import shortened

MAX_TOLD = 300

logger = logging.getLogger(__name__)


class OwnFailureState(rx.State):
    """Says that an event of a team's has raised."""

    @rx.event
    async def tell(self, told: str) -> None:
        """Says so; what raised, and where, in development alone."""
        if is_development() and (line := typed_text(told, limit=MAX_TOLD)):
            (await self.get_state(AlertState)).message = line
        else:
            (await self.get_state(ToastState))._show(OWN_EVENT_FAILED, "error")


def on_failure(exception: Exception) -> rx.event.EventSpec | None:
    """Reports what no handler caught. Returns the event that tells the visitor, where a team's state raised it."""
    source = _raised_at(exception)
    if not source:
        report_failure(exception)
        return None
    count_failure(exception)
    logger.error("an event of %s raised", source, exc_info=exception)
    told: rx.event.EventSpec = OwnFailureState.tell(
        f"{source} raised {type(exception).__name__}: {exception}"[:MAX_TOLD]
    )
    return told


def _raised_at(exception: Exception) -> str:
    """File and line, of the last of a team's lines on the way to an error; "" where there is none."""
    teams = modules_of_teams()
    found = ""
    for frame, line in walk_tb(exception.__traceback__):
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] in teams:
            found = f"{shortened(frame.f_code.co_filename)}:{line}"
    return found
