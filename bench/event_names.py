"""How a state's handlers and variables are called on the socket: `python -m bench.event_names MODULE:STATE…` prints JSON.

A program of its own, because both apps would otherwise register their states in one process.
"""

import importlib
import json
import sys
from typing import Any

from reflex.utils.format import format_event_handler


def names(module: str, state: str) -> dict[str, Any]:
    """The full name of a state class, and of each of its handlers."""
    found = getattr(importlib.import_module(module), state)
    return {
        "name": found.get_full_name(),
        "events": {name: format_event_handler(handler) for name, handler in found.event_handlers.items()},
    }


if __name__ == "__main__":
    pairs = [argument.partition(":") for argument in sys.argv[1:]]
    print(json.dumps({state: names(module, state) for module, _, state in pairs}))  # noqa: T201 - its output is its answer
