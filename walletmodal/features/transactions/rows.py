"""A transaction on record as it is shown."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, Literal, TypedDict

from walletmodal.config import network_table
from walletmodal.core.chains.addresses import avatar, truncate
from walletmodal.core.language import _, pgettext
from walletmodal.core.language.text import recalled
from walletmodal.core.text.amounts import to_decimal
from walletmodal.core.text.formatting import format_exact, shorten_name
from walletmodal.core.text.texts import CANCELLED, PARTLY_MADE, SPED_UP
from walletmodal.core.transfers.transaction_request import TransactionRequest, TransactionStatus

Tone = Literal["waiting", "good", "bad"]

MAX_ALTERED: Final = 4
MAX_NAME: Final = 40


class PendingRow(TypedDict):
    """A transaction's row. `link`: the explorer's page, or ""; `receiver`, `name`, `avatar`: whose it is to be, name "" where there is none; `at`: when it was asked for, ISO 8601; `received`: of a swap, what it has brought, or is to bring at least; `reason`: why the network did not take it, or which of its calls it took, "" where nobody knows; `altered`: what is not as proposed."""

    id: str
    chain: str
    status: TransactionStatus
    hash: str
    link: str
    title: str
    amount: str
    received: str
    image: str
    receiver: str
    name: str
    avatar: str
    label: str
    tone: Tone
    reason: str
    at: str
    altered: list[str]


NO_ROW: Final[PendingRow] = {
    "id": "",
    "chain": "",
    "status": "asked",
    "hash": "",
    "link": "",
    "title": "",
    "amount": "",
    "received": "",
    "image": "",
    "receiver": "",
    "name": "",
    "avatar": "",
    "label": "",
    "tone": "waiting",
    "reason": "",
    "at": "",
    "altered": [],
}

_LABELS: Final[dict[TransactionStatus, tuple[str, Tone]]] = {
    "asked": (_("Waiting for your wallet"), "waiting"),
    "sent": (_("Waiting for the network"), "waiting"),
    "confirmed": (pgettext("state", "Confirmed"), "good"),
    "reverted": (_("Failed on the network"), "bad"),
    "replaced": (pgettext("state", "Replaced"), "bad"),
    "dropped": (_("Not taken by the network"), "bad"),
    "declined": (pgettext("state", "Declined"), "bad"),
    "unknown": (_("Outcome unknown"), "bad"),
}
_SEARCHING: Final = _("Looking for it on the network")
_ALTERED: Final = _("Not what you approved here")

FAST_MS, CALM_MS = 250, 5000
BACKOFF_MS: Final = (FAST_MS, 500, 1000, 1000, 2000, 2000, 3000, CALM_MS, CALM_MS, 8000, 15_000)
"""Between two looks, while nothing changes."""


def pending_row(asked: TransactionRequest, *, answer_expected: bool, image: str) -> PendingRow:
    """Makes the row of a transaction.

    Args:
        asked: the entry.
        answer_expected: whether the wallet is still being asked.
        image: where our image server has the token's picture; "" for none.
    """
    proposal, network = asked.proposal, network_table().get(asked.proposal.chain)
    receiver = "" if proposal.given else proposal.receiver
    label, tone = _label(asked, answer_expected=answer_expected)
    transaction = asked.shown_hash
    return {
        "id": asked.id,
        "chain": proposal.chain,
        "status": asked.status,
        "hash": transaction,
        "link": ((network.explorer_transaction_url(transaction) or "") if network and transaction else ""),
        "title": _title(asked),
        "amount": _amount(asked),
        "image": image,
        "received": _received(asked),
        "receiver": truncate(receiver),
        "name": shorten_name(proposal.name, MAX_NAME),
        "avatar": avatar(receiver).background if receiver else "",
        "label": label,
        "tone": tone,
        "reason": _reason(asked),
        "at": asked.asked_at.isoformat(timespec="seconds"),
        "altered": list(asked.altered[:MAX_ALTERED]),
    }


def _label(asked: TransactionRequest, *, answer_expected: bool) -> tuple[str, Tone]:
    if asked.altered:
        return _ALTERED, "bad"
    if asked.status == "asked" and not answer_expected:
        return _SEARCHING, "waiting"
    if asked.status in ("replaced", "reverted") and asked.reason in (SPED_UP, CANCELLED, PARTLY_MADE):
        return recalled(asked.reason), "good" if (asked.status, asked.reason) == ("replaced", SPED_UP) else "bad"
    return _LABELS[asked.status]


def _reason(asked: TransactionRequest) -> str:
    if asked.status == "dropped":
        return recalled(asked.reason)
    if asked.status == "reverted" and asked.reason == PARTLY_MADE:
        return _("Those before the one that failed stay done. Those after it were not made.")
    return ""


def _title(asked: TransactionRequest) -> str:
    done = asked.status == "confirmed" and not asked.altered
    if asked.kind == "swap":
        return pgettext("state", "Swapped") if done else pgettext("state", "Swap")
    if asked.kind == "approval":
        return pgettext("state", "Approved") if done else pgettext("state", "Approve")
    if asked.proposal.receiver:
        return pgettext("state", "Sent") if done else pgettext("state", "Send")
    if len(asked.proposal.calls) > 1:
        return _("Several calls")
    return _("Contract call") if asked.proposal.to else _("Transaction")


def _amount(asked: TransactionRequest) -> str:
    proposal = asked.proposal
    if proposal.given:
        return _units(proposal.given, proposal.given_decimals, proposal.given_symbol)
    return _units(proposal.amount, proposal.decimals, proposal.symbol) if proposal.receiver else ""


def _received(asked: TransactionRequest) -> str:
    proposal = asked.proposal
    if not proposal.given:
        return ""
    if asked.gained is not None:
        return _units(asked.gained, proposal.decimals, proposal.symbol)
    return _("at least {amount}", amount=_units(proposal.amount, proposal.decimals, proposal.symbol))


def _units(units: int, decimals: int, symbol: str) -> str:
    amount = format_exact(to_decimal(units, decimals))
    return _("{amount} {symbol}", amount=amount, symbol=symbol) if symbol else amount


def wait_ms(rows: list[TransactionRequest], expected: set[str], step: int) -> int:
    """Returns the time until the next poll; 0 when nothing can change by itself soon.

    Args:
        rows: what was looked at.
        expected: ids of those that the wallet is being asked for.
        step: how many looks have changed nothing.
    """
    if any(row.status == "sent" or (row.status == "asked" and row.id not in expected) for row in rows):
        return BACKOFF_MS[min(step, len(BACKOFF_MS) - 1)]
    if any(row.status in ("confirmed", "reverted", "replaced") and not row.settled for row in rows):
        return CALM_MS
    return 0


RECENT: Final = timedelta(minutes=10)
"""For how long what is done stays among the pending ones."""


def recent_since(now: datetime) -> datetime:
    """Returns from when on finished transactions are still shown among the pending ones."""
    return now - RECENT
