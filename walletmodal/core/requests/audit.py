"""Audit entries of host requests: what became of each, and why."""

import json
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Literal

Outcome = Literal[
    "allowed", "confirmed", "signed", "declined", "denied", "rejected", "aborted", "limited", "not_allowed", "refused"
]
"""allowed: the wallet was asked. signed, declined: what it has answered then to a request that sends nothing, as the page says. confirmed: the same, after the visitor had agreed in the modal. denied: by the policy. rejected: by the
visitor, in the modal. aborted: the modal closed, or the page went away, before the visitor had answered. limited: too many, or too
large. not_allowed: the method is in no list. refused: no account, another account or network, or parameters that cannot be read."""


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One decision, or several alike.

    Attributes:
        at: when; until: when the last of several was.
        outcome: what became of it; reason: in the words of the policy, or of the error.
        method: as the host page called it.
        origin: of the host page; chain: CAIP-2 id; account: that was to sign. "" where there was none.
        summary: one line of what was asked, without messages and call data.
        digest: `params_digest` of its parameters.
        request_id: of the entry of the table `requests` that followed; "" where nothing was to be sent.
        count: how many decisions it stands for.
        number: in the order of the table; 0 before it is written.
        key: what this decision and no other has, also when the event that made it is done again because its states were not written; "" where
            nothing is known that stays.
    """

    at: datetime
    outcome: Outcome
    method: str
    origin: str = ""
    chain: str = ""
    account: str = ""
    reason: str = ""
    summary: str = ""
    digest: str = ""
    request_id: str = ""
    count: int = 1
    until: datetime | None = None
    number: int = 0
    key: str = ""


def params_digest(params: object) -> str:
    """Hashes the parameters, for who has them to find their decision again: SHA-256, in hex, of their JSON with sorted keys and no blanks."""
    text = json.dumps(params, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return sha256(text.encode()).hexdigest()
