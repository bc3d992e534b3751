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
    transfer_image,
    transfer_text,
    with_other_side,
)
from walletmodal.core.accounts.transactions import Transaction, Transfer
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.language import pgettext
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.text.formatting import day_text

MAX_LINES: Final = 5
"""Transfers of one transaction that are told; there may be a thousand."""

Badge = Literal["in", "out", "swap", "check", "cancel"]
Line = tuple[int, int, int, str]
"""Its text and its picture (-1: none) as numbers, 1 for an NFT, direction (`in`, `out`, `self` or "")."""
EntryRow = tuple[str, str, int, int, str, str, int, list[Line], int]
"""Id, hash or "", title, day, status, badge, 1 when its two lines are sides of an exchange, lines, and how many more there are."""

_BADGES: Final[dict[str, Badge]] = {"trade": "swap", "approve": "check", "cancel": "cancel"}
_COMES_IN: Final = frozenset({"receive", "mint", "claim", "borrow", "withdraw", "bought", "buy", "unstake"})
_STATUSES: Final = {"confirmed": pgettext("state", "Confirmed"), "failed": "", "pending": ""}
"""As the line of an entry that has no other says them; those with a tag say nothing twice."""


class _Numbered(dict[tuple[type[str], str], int]):
    """Texts of a page, each once, by its number in it; -1 is nothing. A token may be called like a word of ours."""

    def of(self, text: str) -> int:
        return self.setdefault((type(text), text), len(self)) if text else -1

    def listed(self) -> list[str]:
        return [text for _kind, text in self]


def page_entries(
    transactions: Iterable[Transaction],
    namespace: Namespace,
    *,
    today: date,
    zone: tzinfo,
    picture: Callable[[str], str],
) -> tuple[str, list[str]]:
    """Describes a page: as JSON `{"pictures": [path, …], "months": [[title, [entry, …]], …]}`, and the texts that it names by their numbers.

    Texts are beside the JSON, so that each is said in the language of the page that shows it.

    Args:
        transactions: what is shown, in any order.
        namespace: whose hashes lead to the explorer.
        today: the visitor's date.
        zone: the visitor's.
        picture: where our server has the picture of a URL, "" for none.
    """
    texts, pictures = _Numbered(), _Numbered()

    def line(transfer: Transfer, text: str) -> Line:
        path = picture(url) if (url := transfer_image(transfer)) else ""
        return (texts.of(text), pictures.of(path), int(transfer.nft_info is not None), transfer.direction or "")

    months = [
        [texts.of(month.title), [_entry(one, namespace, zone, texts, line) for one in month.transactions]]
        for month in by_month(transactions, today, zone=zone)
    ]
    page = {"pictures": pictures.listed(), "months": months}
    return json.dumps(page, separators=(",", ":"), ensure_ascii=False), texts.listed()


def known_hash(namespace: Namespace, text: str) -> str:
    """Normalizes a transaction's hash or signature; "" for what is none, and leads to no explorer."""
    kind = DESCRIPTORS[namespace]
    form, spelt = kind.transaction_hash, text.lower() if kind.ignores_case else text
    return spelt if form is not None and form.fullmatch(spelt) else ""


def _entry(
    transaction: Transaction,
    namespace: Namespace,
    zone: tzinfo,
    texts: _Numbered,
    line: Callable[[Transfer, str], Line],
) -> EntryRow:
    metadata, exchange = transaction.metadata, is_exchange(transaction)
    transfers = _sides(transaction.transfers) if exchange else transaction.transfers
    status = metadata.status if metadata.status in _STATUSES else "unknown"
    return (
        transaction.id,
        known_hash(namespace, metadata.hash),
        texts.of(operation_title(metadata.operation_type)),
        texts.of(day_text(local_day(transaction, zone))),
        status,
        _badge(transaction),
        int(exchange),
        _lines(transaction, transfers[:MAX_LINES], texts, line),
        max(len(transfers) - MAX_LINES, 0),
    )


def _lines(
    transaction: Transaction,
    transfers: Sequence[Transfer],
    texts: _Numbered,
    line: Callable[[Transfer, str], Line],
) -> list[Line]:
    if len(transfers) < 2:
        (told,) = descriptions(transaction)
        if transfers:
            return [line(transfers[0], with_other_side(transaction, told))]
        status = transaction.metadata.status
        return [(texts.of(told or _STATUSES.get(status, status.capitalize())), -1, 0, "")]
    return [line(transfer, transfer_text(transfer)) for transfer in transfers]


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
