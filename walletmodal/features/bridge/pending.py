"""What the bridge remembers of what it waits for."""

from __future__ import annotations

import secrets
from typing import Any, TypedDict


class Record(TypedDict):
    """What the server remembers of a pending command: the continuation's name, what it needs, and which calls of the host wait."""

    then: str
    context: dict[str, Any]
    calls: list[str]


class Early(TypedDict):
    """What was asked before the page had said who it is; `step` names what carries it out."""

    step: str
    payload: Any


def new_id() -> str:
    """An id for a command: unguessable, so that a reply proves that its command was seen."""
    return secrets.token_urlsafe(12)
