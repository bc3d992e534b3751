"""A page of the history as the list shows it: months, entries, and what of each is sent."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import date, tzinfo
from typing import Final, Literal

from walletmodal.core.accounts.activity import (
    by_month,
    descriptions,
    is_exchange,
    local_day,
    operation_title,
    other_side,
    transfer_image,
    transfer_text,
)
from walletmodal.core.accounts.transactions import Transaction, Transfer
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.text.formatting import day_text

MAX_LINES: Final = 5
"""Transfers of one transaction that are told; there may be a thousand."""

Badge = Literal["in", "out", "swap", "check", "cancel"]
Line = tuple[str, int, int, str]
"""Text, number of its picture in the page (-1: none), 1 for an NFT, direction (`in`, `out`, `self` or "")."""
EntryRow = tuple[str, str, str, str, str, str, int, list[Line], int]
"""Id, hash or "", title, day, status, badge, 1 when its two lines are sides of an exchange, lines, and how many more there are."""

_BADGES: Final[dict[str, Badge]] = {"trade": "swap", "approve": "check", "cancel": "cancel"}
_COMES_IN: Final = frozenset({"receive", "mint", "claim", "borrow", "withdraw", "bought", "buy", "unstake"})
_STATUSES: Final = frozenset({"confirmed", "failed", "pending"})


def entries_text(
    transactions: Iterable[Transaction],
    namespace: Namespace,
    *,
    today: date,
    zone: tzinfo,
    picture: Callable[[str], str],
) -> str:
    """Serializes a page as JSON: `{"pictures": [path, …], "months": [[title, [entry, …]], …]}`.

    Args:
        transactions: what is shown, in any order.
        namespace: whose hashes lead to the explorer.
        today: the visitor's date.
        zone: the visitor's.
        picture: where our server has the picture of a URL, "" for none.
    """
    pictures: dict[str, int] = {}

    def number_of(transfer: Transfer) -> int:
        path = picture(url) if (url := transfer_image(transfer)) else ""
        return pictures.setdefault(path, len(pictures)) if path else -1

    months = [
        [month.title, [_entry(one, namespace, zone, number_of) for one in month.transactions]]
        for month in by_month(transactions, today, zone=zone)
    ]
    return json.dumps({"pictures": list(pictures), "months": months}, separators=(",", ":"), ensure_ascii=False)


def known_hash(namespace: Namespace, text: str) -> str:
    """Normalizes a transaction's hash or signature; "" for what is none, and leads to no explorer."""
    kind = DESCRIPTORS[namespace]
    form, spelt = kind.transaction_hash, text.lower() if kind.ignores_case else text
    return spelt if form is not None and form.fullmatch(spelt) else ""


def _entry(
    transaction: Transaction, namespace: Namespace, zone: tzinfo, number_of: Callable[[Transfer], int]
) -> EntryRow:
    metadata, exchange = transaction.metadata, is_exchange(transaction)
    transfers = _sides(transaction.transfers) if exchange else transaction.transfers
    status = metadata.status if metadata.status in _STATUSES else "unknown"
    return (
        transaction.id,
        known_hash(namespace, metadata.hash),
        operation_title(metadata.operation_type),
        day_text(local_day(transaction, zone)),
        status,
        _badge(transaction),
        int(exchange),
        _lines(transaction, transfers[:MAX_LINES], number_of),
        max(len(transfers) - MAX_LINES, 0),
    )


def _lines(transaction: Transaction, transfers: Sequence[Transfer], number_of: Callable[[Transfer], int]) -> list[Line]:
    if len(transfers) < 2:
        (told,) = descriptions(transaction)
        if transfers:
            return [_line(transfers[0], " ".join(part for part in (told, other_side(transaction)) if part), number_of)]
        return [(told.capitalize() if told == transaction.metadata.status else told, -1, 0, "")]
    return [_line(transfer, transfer_text(transfer), number_of) for transfer in transfers]


def _line(transfer: Transfer, text: str, number_of: Callable[[Transfer], int]) -> Line:
    return (text, number_of(transfer), int(transfer.nft_info is not None), transfer.direction or "")


def _sides(transfers: Sequence[Transfer]) -> tuple[Transfer, ...]:
    """Orders what was given before what was got, whatever the service's order."""
    return tuple(sorted(transfers, key=lambda transfer: transfer.direction == "in"))


def _badge(transaction: Transaction) -> Badge:
    operation = transaction.metadata.operation_type
    if operation in _BADGES:
        return _BADGES[operation]
    directions = {transfer.direction for transfer in transaction.transfers}
    if directions == {"in"}:
        return "in"
    return "in" if "out" not in directions and operation in _COMES_IN else "out"
