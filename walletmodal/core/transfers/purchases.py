"""Card purchases in the history: which of them a visitor waits for, and what is told of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from walletmodal.core.accounts.transactions import PurchaseStatus, Transaction
from walletmodal.core.text.display_text import clean_text
from walletmodal.core.text.formatting import format_quantity, with_symbol

MAX_SYMBOL = 32


@dataclass(frozen=True, slots=True)
class PurchaseText:
    """What is told of a purchase.

    Attributes:
        amount: `+ 12.5 USDC`; "" where the service does not say.
        status: None for a word that we do not know.
        icon_url: the token's picture, or "".
    """

    amount: str
    status: PurchaseStatus | None
    icon_url: str


def is_awaited(purchase: Transaction, since: datetime) -> bool:
    """Whether a purchase is the one that was begun at `since`, or any that is still in progress.

    Services write whole seconds, so the second of the beginning counts.
    """
    metadata = purchase.metadata
    if metadata.purchase_status is None:
        return False
    return metadata.purchase_status == "in_progress" or metadata.mined_at >= since.replace(microsecond=0)


def in_progress(purchases: Iterable[Transaction]) -> bool:
    """Whether one of them is not settled."""
    return any(purchase.metadata.purchase_status == "in_progress" for purchase in purchases)


def purchase_text(purchase: Transaction) -> PurchaseText:
    """Describes a purchase by its first transfer."""
    transfer = next(iter(purchase.transfers), None)
    told = transfer.fungible_info if transfer else None
    symbol = clean_text((told.symbol or "") if told else "", limit=MAX_SYMBOL)
    if transfer is None or transfer.quantity is None:
        amount = f"+ {symbol}" if symbol else ""
    else:
        amount = with_symbol(format_quantity(transfer.quantity.numeric, sign="+ "), symbol)
    return PurchaseText(
        amount=amount,
        status=purchase.metadata.purchase_status,
        icon_url=told.icon_url if told else "",
    )


def merged(newest: Sequence[Transaction], known: Sequence[Transaction], limit: int) -> tuple[Transaction, ...]:
    """Merges a first page that was read again into what is known, by id; the newest first."""
    by_id = {purchase.id: purchase for purchase in (*known, *newest)}
    ordered = sorted(by_id.values(), key=lambda purchase: purchase.metadata.mined_at, reverse=True)
    return tuple(ordered[:limit])
