"""Events that Reflex itself has, and their names on the wire.

Why: what a page may say is told from all else before Reflex sees it, which keeps a trace of each unknown event for good.
Test: `test_what_a_page_sends_of_reflexs_own_is_let_through`, `test_a_trace_of_an_unknown_event_is_kept_for_good`,
`test_every_event_of_a_state_is_registered_but_the_frameworks_own`, `test_surprise_reloads_can_be_switched_off`.
Dropped when: Reflex refuses unknown events by itself, and has a setting for reloads.
"""

from collections.abc import Container
from typing import Final

from reflex.state import FrontendEventExceptionState, OnLoadInternalState, State
from reflex_base.registry import RegistrationContext

HYDRATE: Final = f"{State.get_full_name()}.hydrate_and_load"
"""The first event of every socket: it carries what the tab's storage holds, and is answered with the whole state where the page has missed any of it."""
BEGIN: Final = frozenset({HYDRATE, f"{State.get_full_name()}.hydrate"})
"""Events that begin a session, or go on with it from the whole state."""
SENT_BY_REFLEX: Final = frozenset(
    {
        HYDRATE,
        f"{OnLoadInternalState.get_full_name()}.on_load_internal",
        f"{FrontendEventExceptionState.get_full_name()}.handle_frontend_exception",
    }
)
"""What the framework's own part of a page says."""
SETS_VARIABLES: Final = ".setvar"
"""How an event of the framework's ends that every state has; no page of ours uses it."""

_PRODUCT: Final = "walletmodal"
_OURS: Final = frozenset({_PRODUCT, "reflex", "reflex_base"})


class _EventsOfPages:
    """The names of the events of all states but the framework's own, those included that are imported later."""

    def __init__(self) -> None:
        self._handlers = RegistrationContext.get().event_handlers

    def __contains__(self, name: object) -> bool:
        found = self._handlers.get(name) if isinstance(name, str) else None
        return found is not None and found.states[0].__module__.partition(".")[0] not in ("reflex", "reflex_base")


def events_of_pages() -> Container[str]:
    """The names of all events that pages have: those of our states, and those of a team's."""
    return _EventsOfPages()


def modules_of_teams() -> frozenset[str]:
    """The top-level modules in which a team has states of its own."""
    handlers = RegistrationContext.get().event_handlers.values()
    return frozenset(found.states[0].__module__.partition(".")[0] for found in handlers) - _OURS


def locks_by_itself(event: str) -> bool:
    """Whether the framework only looks whose event it is: ours that run in the background read nothing before they lock. Those of a team may."""
    found = RegistrationContext.get().event_handlers.get(event)
    return found is not None and found.handler.is_background and found.states[0].__module__.startswith(f"{_PRODUCT}.")


def never_reload_pages() -> None:
    """Lets no page reload itself when its state is lost: it asks for it again, and keeps the visitor's place."""
    FrontendEventExceptionState.auto_reload_on_errors = []
