"""Records of pending commands and of early messages."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, TypedDict

from walletmodal.core.protocol.commands import Command
from walletmodal.services.tracing import carried, resumed

MAX_OWED = 1_000
"""Calls whose answers were dropped, and which are remembered."""


class Record(TypedDict):
    """Record of a pending command: the continuation's name, what it needs, and which calls of the host wait."""

    then: str
    context: dict[str, Any]
    calls: list[str]


_TRACE: Final = "trace"
"""Under this name a record's context has the trace of what has asked, where there are traces."""


def new_record(then: str, context: dict[str, Any], calls: Sequence[str]) -> Record:
    """The record of a new command, with what `resumed_trace` needs."""
    trace = carried()
    return Record(then=then, context={**context, **({_TRACE: trace} if trace else {})}, calls=[*filter(None, calls)])


def resumed_trace(record: Record | None) -> AbstractContextManager[object]:
    """Goes on with the trace of what has asked."""
    return resumed("answer", record["context"].get(_TRACE, "") if record else "")


MAX_EARLY = 8
MAX_EARLY_BYTES = 16 * 1024
"""Of all together: whoever never says who they are has their session keep it."""


class Early(TypedDict):
    """A message that came before `init`, as text; `step` names what carries it out."""

    step: str
    payload: str


def append_early(held: Sequence[Early], step: str, payload: Any) -> list[Early] | None:
    """Appends an early message, once; None when it is too much."""
    text = json.dumps(payload, separators=(",", ":"))
    if any((entry["step"], entry["payload"]) == (step, text) for entry in held):
        return list(held)
    size = len(text) + sum(len(entry["payload"]) for entry in held)
    if len(held) >= MAX_EARLY or size > MAX_EARLY_BYTES:
        return None
    return [*held, Early(step=step, payload=text)]


def new_id() -> str:
    """Makes a command id: unguessable, so that a reply proves that its command was seen."""
    return secrets.token_urlsafe(12)


def next_to_drop(commands: Sequence[Command], records: Mapping[str, Record]) -> int:
    """Picks the command to drop: console lines first, then answers; wallet requests last, those that a flow waits for after the others."""
    ranks = [(c["id"] in records, c["method"].startswith("wallet."), c["method"] != "host.warn") for c in commands]
    return ranks.index(min(ranks))


def waiting_calls(command: Command, record: Record | None) -> list[str]:
    """Lists the host's calls and requests that the command, or what follows it, would settle."""
    asked = command["params"].get("request")
    return [*([asked] if asked else []), *(record["calls"] if record else ())]
