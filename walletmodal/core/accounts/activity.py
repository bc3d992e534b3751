"""Formatting of the history: grouped by month, in words, signs and amounts."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, tzinfo
from typing import Final

from walletmodal.core.accounts.transactions import Transaction, Transfer
from walletmodal.core.chains.addresses import is_address, normal_address, truncate
from walletmodal.core.language import _, pgettext
from walletmodal.core.text.formatting import format_quantity, month_text, with_symbol

# Translators: what an account did with tokens, as the title of a row: `sent`, and below it 1.5 ETH
OPERATION_TITLES: Final[dict[str, str]] = {
    "approve": pgettext("state", "approved"),
    "bought": pgettext("state", "bought"),
    "borrow": pgettext("state", "borrowed"),
    "burn": pgettext("state", "burnt"),
    "buy": pgettext("state", "bought"),
    "cancel": pgettext("state", "canceled"),
    "claim": pgettext("state", "claimed"),
    "deploy": pgettext("state", "deployed"),
    "deposit": pgettext("state", "deposited"),
    "execute": pgettext("state", "executed"),
    "mint": pgettext("state", "minted"),
    "receive": pgettext("state", "received"),
    "repay": pgettext("state", "repaid"),
    "send": pgettext("state", "sent"),
    "sell": pgettext("state", "sold"),
    "stake": pgettext("state", "staked"),
    "trade": pgettext("state", "swapped"),
    "unstake": pgettext("state", "unstaked"),
    "withdraw": pgettext("state", "withdrawn"),
}
PLUS_OPERATIONS: Final = frozenset({"receive", "deposit", "borrow", "claim"})
MINUS_OPERATIONS: Final = frozenset({"withdraw", "repay", "burn"})
_NO_NFT_NAME: Final = "-"


def operation_title(operation_type: str) -> str:
    """Returns the past tense of an operation, in lower case; a word that we do not know as it is."""
    return OPERATION_TITLES.get(operation_type, operation_type)


def operation_sign(operation_type: str) -> str:
    """Returns `+` for what comes in, `-` for what goes out, and "" for everything else, sends included."""
    if operation_type in PLUS_OPERATIONS:
        return "+"
    return "-" if operation_type in MINUS_OPERATIONS else ""


def transfer_text(transfer: Transfer, sign: str = "") -> str:
    """Formats what moved: an NFT's name, or an amount with three decimals and its symbol; "" where the service describes neither.

    Args:
        transfer: what moved.
        sign: of its direction, `+` or `-`, which stands before it.
    """
    if transfer.nft_info is not None:
        return sign + (transfer.nft_info.name or _NO_NFT_NAME)
    if transfer.fungible_info is None:
        return ""
    symbol, quantity = transfer.fungible_info.symbol or "", transfer.quantity
    if quantity is None:
        return sign + symbol if symbol else ""
    return with_symbol(format_quantity(quantity.numeric, sign=sign), symbol)


def transfer_image(transfer: Transfer) -> str:
    """The URL of its picture, or ""."""
    if transfer.nft_info is not None:
        return transfer.nft_info.preview_url
    return transfer.fungible_info.icon_url if transfer.fungible_info else ""


def descriptions(transaction: Transaction) -> tuple[str, ...]:
    """Lists the lines under a transaction's title.

    Without transfers: the other side of a send or receive, else nothing. One transfer: its sign and text. Several: their texts.
    """
    metadata = transaction.metadata
    if not transaction.transfers:
        return (_other(transaction),)
    sign = operation_sign(metadata.operation_type) if len(transaction.transfers) == 1 else ""
    return tuple(transfer_text(transfer, sign) for transfer in transaction.transfers)


def _other(transaction: Transaction) -> str:
    metadata = transaction.metadata
    other = {"send": metadata.sent_to, "receive": metadata.sent_from}.get(metadata.operation_type, "")
    return truncate(normal_address("eip155", other) if is_address("eip155", other) else other)


def with_other_side(transaction: Transaction, amount: str) -> str:
    """Adds the other party to what moved: `1.000 ETH to 0xbb...bbbbbb`; only for a send or receive of which the service says it."""
    other = _other(transaction)
    if not other:
        return amount
    sent = transaction.metadata.operation_type == "send"
    if not amount:
        return _("to {address}", address=other) if sent else _("from {address}", address=other)
    # Translators: what was sent or received, and the other side: 1.5 ETH from 0x70997...
    return (
        _("{amount} to {name}", amount=amount, name=other)
        if sent
        else _("{amount} from {name}", amount=amount, name=other)
    )


def is_exchange(transaction: Transaction) -> bool:
    """Whether a transaction is shown as one row with two sides: exactly two transfers that are not both NFTs."""
    transfers = transaction.transfers
    return len(transfers) == 2 and not all(transfer.nft_info is not None for transfer in transfers)


@dataclass(frozen=True, slots=True)
class Month:
    """The transactions of one month of the visitor's calendar, the newest first.

    Attributes:
        month: 1 to 12.
        title: `March`, or `March 2024` when it is not of the current year.
    """

    year: int
    month: int
    title: str
    transactions: tuple[Transaction, ...]


def by_month(transactions: Iterable[Transaction], today: date, *, zone: tzinfo = UTC) -> tuple[Month, ...]:
    """Groups the history by month, the newest month and the newest transaction first; of equal ids the last one counts.

    Args:
        transactions: in any order.
        today: the visitor's date, for the titles.
        zone: the visitor's.
    """
    unique = {transaction.id: transaction for transaction in transactions}
    ordered = sorted(unique.values(), key=lambda transaction: transaction.metadata.mined_at, reverse=True)
    months: dict[tuple[int, int], list[Transaction]] = {}
    for transaction in ordered:
        day = local_day(transaction, zone)
        months.setdefault((day.year, day.month), []).append(transaction)
    return tuple(
        Month(year, month, month_title(year, month, today), tuple(entries)) for (year, month), entries in months.items()
    )


def local_day(transaction: Transaction, zone: tzinfo) -> date:
    """The day of a transaction by the visitor's calendar."""
    instant = transaction.metadata.mined_at
    try:
        return instant.astimezone(zone).date()
    except OverflowError:
        # The first or the last hours that a calendar has.
        return instant.date()


def month_title(year: int, month: int, today: date) -> str:
    """The name of a month, with its year when it is not the current one."""
    return month_text(date(year, month, 1), year=year != today.year)
