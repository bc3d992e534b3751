"""Counterparties of an account, as its history tells. Strangers write history too: who was only ever sent for, or sent dust, is none."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from walletmodal.core.accounts.transactions import Transaction, Transfer
from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.transfers.receiver_checks import same_address

DUST_DOLLARS: Final = Decimal(1)
"""What poisoners send to be seen in a history is worth less: they send it to thousands."""
MAX_HASHES: Final = 4
"""Transactions that are remembered of each, the newest first."""
MAX_CORRESPONDENTS: Final = 500

_SENT, _RECEIVED = "send", "receive"


@dataclass(frozen=True, slots=True)
class Counterparty:
    """Another account that the account has dealt with.

    Attributes:
        address: in its normal spelling.
        sent: hashes of transactions in which the account seems to have sent it something. On eip155 a token's contract can tell of
            transfers that nobody made, so it is believed once one of them turns out to be signed by the account.
        paid: one of these was worth more than dust.
        received: it has sent the account something that is worth more than dust.
    """

    address: str
    sent: tuple[str, ...]
    paid: bool
    received: bool


def find_counterparties(namespace: Namespace, account: str, history: Iterable[Transaction]) -> tuple[Counterparty, ...]:
    """Finds the counterparties of an account.

    Args:
        namespace: that of the account.
        account: a plain address.
        history: of the account, the newest first.
    """
    sent: dict[str, list[str]] = {}
    paid: set[str] = set()
    received: set[str] = set()
    for entry in history:
        metadata = entry.metadata
        if metadata.status != "confirmed":
            continue
        if metadata.operation_type == _SENT:
            other = _other(namespace, account, metadata.sent_from, metadata.sent_to)
            if other and any(_is_something(move) for move in entry.transfers if move.direction == "out"):
                hashes = sent.setdefault(other, [])
                if metadata.hash and len(hashes) < MAX_HASHES:
                    hashes.append(metadata.hash)
                if any(_is_worth_something(move) for move in entry.transfers if move.direction == "out"):
                    paid.add(other)
        elif metadata.operation_type == _RECEIVED:
            other = _other(namespace, account, metadata.sent_to, metadata.sent_from)
            if other and any(_is_worth_something(move) for move in entry.transfers if move.direction == "in"):
                received.add(other)
    addresses = list(dict.fromkeys((*sent, *sorted(received))))[:MAX_CORRESPONDENTS]
    return tuple(Counterparty(one, tuple(sent.get(one, ())), one in paid, one in received) for one in addresses)


def _other(namespace: Namespace, account: str, own: str, other: str) -> str:
    """The normal spelling of the other side, or "" where the account is not the one that it should be, or the other is no account."""
    if not is_address(namespace, own) or not is_address(namespace, other):
        return ""
    if not same_address(namespace, own, account) or same_address(namespace, other, account):
        return ""
    return normal_address(namespace, other)


def _is_something(move: Transfer) -> bool:
    return move.nft_info is not None or (move.quantity is not None and move.quantity.numeric > 0)


def _is_worth_something(move: Transfer) -> bool:
    return move.value is not None and move.value >= DUST_DOLLARS
