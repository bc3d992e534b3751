"""Events: what has happened to a sign-in, a request or a transaction, as the audit export and webhooks tell it."""

import json
import secrets
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, Literal

from walletmodal.core.requests.audit import AuditEntry, Outcome
from walletmodal.core.sign_in.message import iso_text
from walletmodal.core.sign_in.session import SignInSession
from walletmodal.core.transfers.transaction_request import TransactionRequest, TransactionStatus

EventType = Literal[
    "sign_in.created",
    "sign_in.ended",
    "request.accepted",
    "request.rejected",
    "request.signed",
    "transaction.asked",
    "transaction.sent",
    "transaction.confirmed",
    "transaction.final",
    "transaction.failed",
    "transaction.replaced",
    "transaction.declined",
    "transaction.unknown",
    "transaction.reorganised",
]
"""accepted: the wallet was asked. rejected: by policy, visitor or wallet, or before anybody was asked. signed: the page says that the wallet
has answered. final: nobody looks at the chain for it again. reorganised: what a block had is in none any more; its status says where it is."""

_OF_OUTCOME: Final[dict[Outcome, EventType]] = {
    "allowed": "request.accepted",
    "confirmed": "request.accepted",
    "signed": "request.signed",
}
_OF_STATUS: Final[dict[TransactionStatus, EventType]] = {
    "asked": "transaction.asked",
    "sent": "transaction.sent",
    "confirmed": "transaction.confirmed",
    "reverted": "transaction.failed",
    "dropped": "transaction.failed",
    "replaced": "transaction.replaced",
    "declined": "transaction.declined",
    "unknown": "transaction.unknown",
}
_IN_A_BLOCK: Final = frozenset[TransactionStatus]({"confirmed", "reverted", "replaced"})
_MADE_OUT_BY_NOBODY: Final = frozenset[Outcome]({"limited", "not_allowed", "refused"})
_ID_BYTES: Final = 16


def new_event_id() -> str:
    """Makes the id of an event: once for each fact, however often it is written."""
    return f"msg_{secrets.token_hex(_ID_BYTES)}"


def event_id_of(key: str) -> str:
    """Makes the id of an event that whoever knows of the same fact makes too."""
    return f"msg_{sha256(key.encode()).hexdigest()[: 2 * _ID_BYTES]}"


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that has happened.

    Attributes:
        at: when.
        type: what.
        address: of the account, in its normal spelling; "" for none.
        data: about it, JSON: an `account` (CAIP-10), an `origin` and what its type has besides (docs/webhooks.md).
        told: whether webhooks tell it; the audit export tells all.
        id: by which a receiver knows one that it has had before.
        number: in the order of the log; 0 before it is written.
    """

    at: datetime
    type: EventType
    address: str
    data: dict[str, Any]
    told: bool = True
    id: str = field(default_factory=new_event_id)
    number: int = 0

    def payload(self) -> bytes:
        """The body of its webhook: the same at each try."""
        body = {"type": self.type, "timestamp": iso_text(self.at), "data": self.data}
        return json.dumps(body, separators=(",", ":")).encode()


def sign_in_created(session: SignInSession) -> Event:
    """A sign-in that was verified."""
    data = {
        **_session(session.id, session.chain, session.address, session.origin),
        "nonce": session.request_id,
        "expires_at": iso_text(session.expires_at),
    }
    return Event(session.proven_at, "sign_in.created", session.address, data)


def sign_in_ended(at: datetime, session_id: str, chain: str, address: str, origin: str) -> Event:
    """A sign-in that somebody has ended: its visitor, an operator, a host's server, or the next one of the same account there."""
    return Event(at, "sign_in.ended", address, _session(session_id, chain, address, origin))


def request_decided(entry: AuditEntry, event_id: str) -> Event:
    """What became of a host page's request, or of several alike."""
    data = {
        "account": f"{entry.chain}:{entry.account}" if entry.chain and entry.account else "",
        "origin": entry.origin,
        "method": entry.method,
        "outcome": entry.outcome,
        "reason": entry.reason,
        "summary": entry.summary,
        "digest": entry.digest,
        "transaction": entry.request_id,
        "count": entry.count,
    }
    kind = _OF_OUTCOME.get(entry.outcome, "request.rejected")
    return Event(entry.at, kind, entry.account, data, told=entry.outcome not in _MADE_OUT_BY_NOBODY, id=event_id)


def transaction_changed(before: TransactionRequest | None, now: TransactionRequest) -> Event | None:
    """What a change of a transaction's record says; None where it says nothing new.

    Args:
        before: as it was; None for one that is new.
        now: as it is.
    """
    kind = _transaction_event(before, now)
    if kind is None:
        return None
    proposal = now.proposal
    data = {
        "account": f"{proposal.chain}:{proposal.sender}",
        "origin": now.origin,
        "transaction": now.id,
        "status": now.status,
        "kind": now.kind,
        "method": proposal.method,
        "hash": now.shown_hash,
        "proven": now.proven,
        "final": now.settled,
        "altered": list(now.altered),
        "reason": now.reason,
    }
    return Event(now.changed_at, kind, proposal.sender, data)


def _transaction_event(before: TransactionRequest | None, now: TransactionRequest) -> EventType | None:
    if before is None or before.status != now.status:
        taken_back = before is not None and before.status in _IN_A_BLOCK and now.status not in _IN_A_BLOCK
        return "transaction.reorganised" if taken_back else _OF_STATUS[now.status]
    if before.shown_hash != now.shown_hash:
        return _OF_STATUS[now.status]
    if now.settled and not before.settled and now.status in _IN_A_BLOCK:
        return "transaction.final"
    return None


def _session(session_id: str, chain: str, address: str, origin: str) -> dict[str, Any]:
    return {"account": f"{chain}:{address}", "origin": origin, "session": session_id}
