"""What the bridge remembers of what it waits for."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from walletmodal.core.protocol.commands import Command

MAX_OWED = 1_000
"""Calls whose answers were dropped, and which are remembered."""


class Record(TypedDict):
    """What the server remembers of a pending command: the continuation's name, what it needs, and which calls of the host wait."""

    then: str
    context: dict[str, Any]
    calls: list[str]


MAX_EARLY = 8
MAX_EARLY_BYTES = 16 * 1024
"""Of all together: whoever never says who they are has their session keep it."""


class Early(TypedDict):
    """What was asked before the page had said who it is, as text; `step` names what carries it out."""

    step: str
    payload: str


def with_early(held: Sequence[Early], step: str, payload: Any) -> list[Early] | None:
    """What was held and one more, unless it is held already; None when it is too much."""
    text = json.dumps(payload, separators=(",", ":"))
    if any((entry["step"], entry["payload"]) == (step, text) for entry in held):
        return list(held)
    size = len(text) + sum(len(entry["payload"]) for entry in held)
    if len(held) >= MAX_EARLY or size > MAX_EARLY_BYTES:
        return None
    return [*held, Early(step=step, payload=text)]


def new_id() -> str:
    """An id for a command: unguessable, so that a reply proves that its command was seen."""
    return secrets.token_urlsafe(12)


def least(commands: Sequence[Command], records: Mapping[str, Record]) -> int:
    """Which command makes room: a line for the console first, then an answer; what a wallet is asked last, before all where a flow waits for it."""
    ranks = [(c["id"] in records, c["method"].startswith("wallet."), c["method"] != "host.warn") for c in commands]
    return ranks.index(min(ranks))


def waiting_for(command: Command, record: Record | None) -> list[str]:
    """Ids of the host's calls and requests that the command, or what follows it, would settle."""
    asked = command["params"].get("request")
    return [*([asked] if asked else []), *(record["calls"] if record else ())]
