"""What modules have registered with Reflex, which is to be imported anew.

Why: Reflex refuses a second state of one name, and its own reloading knows the app's module alone.
Test: `test_a_module_that_is_forgotten_can_be_imported_anew`.
Dropped when: Reflex reloads the modules that have changed.
"""

from reflex.state import reload_state_module
from reflex_base.components.memo import MEMOS
from reflex_base.registry import RegistrationContext


def forget_registrations(modules: set[str]) -> None:
    """Have Reflex forget the states with their handlers, and the components, of modules by their names."""
    context = RegistrationContext.ensure_context()
    gone = {name: state for name, state in context.base_states.items() if state.__module__ in modules}
    for module in {state.__module__ for state in gone.values()}:
        reload_state_module(module)
    for name in gone:
        del context.base_states[name]
        context.base_state_substates.pop(name, None)
    for name, handler in [*context.event_handlers.items()]:
        if any(state in gone.values() for state in handler.states):
            del context.event_handlers[name]
    for key, memo in [*MEMOS.items()]:
        if memo.fn.__module__ in modules:
            del MEMOS[key]
