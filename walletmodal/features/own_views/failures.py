"""Errors of a team's events: told with their place in development, in a sentence to visitors."""

import logging
from traceback import walk_tb

import reflex as rx

from walletmodal.features.toasts.state import MAX_TOLD, AlertState
from walletmodal.reflex_internals.event_names import modules_of_teams
from walletmodal.reflex_internals.lost_sessions import is_lost
from walletmodal.services.failures import count_failure, report_failure
from walletmodal.services.metrics import count_ignored
from walletmodal.ui.own_parts import shortened

logger = logging.getLogger(__name__)


def on_failure(exception: Exception) -> rx.event.EventSpec | None:  # type: ignore[valid-type]  # Reflex makes its names at run time
    """Reports what no handler caught. Returns the event that tells the visitor, where a team's state raised it."""
    if is_lost(exception):
        count_ignored("lost_session")
        return None
    source = _raised_at(exception)
    if not source:
        report_failure(exception)
        return None
    count_failure(exception)
    logger.error("an event of %s raised", source, exc_info=exception)
    return AlertState.tell_raised(f"{source} raised {type(exception).__name__}: {exception}"[:MAX_TOLD])


def _raised_at(exception: Exception) -> str:
    """File and line, of the last of a team's lines on the way to an error; "" where there is none."""
    teams = modules_of_teams()
    found = ""
    for frame, line in walk_tb(exception.__traceback__):
        module = frame.f_globals.get("__name__", "")
        if module.partition(".")[0] in teams:
            found = f"{shortened(frame.f_code.co_filename)}:{line}"
    return found
