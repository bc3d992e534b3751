"""What is read of the states in the browser before React draws anything.

Why: a component hears of a state once the whole page is drawn with it, and a host page is not to wait for what its visitor sees.
Test: `test_a_value_is_read_of_the_store_without_a_component`,
`test_a_component_hears_of_a_state_from_a_store_that_others_can_subscribe_to`.
Dropped when: Reflex has a way to hear of states outside of components.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from reflex_base.vars.base import LiteralVar, Var, VarData

_HOOK: Final = "useStateContext"
"""By which a component asks for a state."""
_GIVEN: Final = "stateOf"


def read_of_store(values: Mapping[str, Any]) -> Var[Any]:
    """A function of JavaScript that gives the values. Its argument gives the state of a name: the store's `getSnapshot`."""
    value = LiteralVar.create(dict(values))
    needs = value._get_all_var_data() or VarData()
    states = "; ".join(hook.replace(f"{_HOOK}(", f"{_GIVEN}(") for hook in needs.hooks)
    imports = {library: [one for one in names if one.tag != _HOOK] for library, names in needs.imports}
    others = VarData(imports={library: names for library, names in imports.items() if names})
    return Var(f"(({_GIVEN}) => {{ {states}; return {value!s}; }})", _var_data=others)
