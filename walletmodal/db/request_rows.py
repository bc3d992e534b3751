"""Transaction requests as rows of their table, and back."""

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from walletmodal.core.language.kept import kept_line, read_line
from walletmodal.core.transfers.transaction_request import Proposal, TransactionRequest
from walletmodal.db.moments import from_ms, to_ms

MAX_REASON: Final = 300
_TIMES: Final = ("asked_at", "changed_at", "answered_at", "missed_at")

logger = logging.getLogger(__name__)


def row_of(asked: TransactionRequest) -> dict[str, object]:
    """An entry as its row."""
    proposal = asked.proposal
    fields = {name: getattr(asked, name) for name in asked.__slots__ if name != "proposal"}
    return {
        **columns_of(fields),
        "chain": proposal.chain,
        "address": proposal.sender,
        "proposal": proposal.model_dump_json(),
        "changed_at": to_ms(asked.changed_at),
    }


def columns_of(values: Mapping[str, Any]) -> dict[str, object]:
    """Fields of an entry, without its proposal, as columns."""
    columns = dict(values)
    for name in _TIMES:
        if isinstance(columns.get(name), datetime):
            columns[name] = to_ms(columns[name])
    if "gained" in columns:
        # A token's base units can be more than a database counts.
        columns["gained"] = "" if columns["gained"] is None else str(columns["gained"])
    if "altered" in columns:
        columns["altered"] = "\n".join(map(kept_line, columns["altered"]))
    if "reason" in columns:
        columns["reason"] = columns["reason"][:MAX_REASON]
    return columns


def read_row(row: Any) -> TransactionRequest | None:
    """An entry of the table; None for one that an older release or a hand has written in another shape."""
    values = {name: value for name, value in row.items() if name not in ("chain", "address")}
    for name in _TIMES:
        if values[name] is not None:
            values[name] = from_ms(values[name])
    try:
        values["proposal"] = Proposal.model_validate_json(values["proposal"])
        values["altered"] = tuple(map(read_line, values["altered"].split("\n"))) if values["altered"] else ()
    except ValueError:
        logger.warning("an entry of the table of requests has another shape; it is left out")
        return None
    values["gained"] = int(values["gained"]) if values["gained"] else None
    return TransactionRequest(**values)
