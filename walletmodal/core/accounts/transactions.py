"""The history of an account."""

from collections.abc import Iterable
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.parsing.shapes import (
    Caip2,
    IdText,
    Instant,
    Name,
    Number,
    NumberText,
    Picture,
    Shape,
    SnakeShape,
    Truth,
    Whole,
    read_field,
    read_rows,
    read_shape,
)

PurchaseStatus = Literal["success", "in_progress", "failed"]

_PURCHASE_STATUSES: dict[str, PurchaseStatus] = {
    "ONRAMP_TRANSACTION_STATUS_SUCCESS": "success",
    "ONRAMP_TRANSACTION_STATUS_IN_PROGRESS": "in_progress",
    "ONRAMP_TRANSACTION_STATUS_FAILED": "failed",
}
_PartyText = Annotated[str, BeforeValidator(lambda value: "" if value is None else value), Field(max_length=256)]


class Media(SnakeShape):
    """A picture or film of an NFT."""

    url: Picture = ""
    content_type: Name | None = None


class NftContent(SnakeShape):
    """The pictures of an NFT."""

    preview: Media | None = None
    detail: Media | None = None


class NftFlags(SnakeShape):
    """What the service thinks of an NFT."""

    is_spam: Truth | None = None


class NftInfo(SnakeShape):
    """An NFT that was transferred; `name` is None where it has none."""

    name: Name | None = None
    content: NftContent | None = None
    flags: NftFlags | None = None

    @property
    def is_spam(self) -> bool:
        """Whether it was flagged; no flag is no spam."""
        return bool(self.flags and self.flags.is_spam)

    @property
    def preview_url(self) -> str:
        """The URL of the preview, or ""."""
        return self.content.preview.url if self.content and self.content.preview else ""


class FungibleIcon(SnakeShape):
    """The picture of a token."""

    url: Picture = ""


class FungibleInfo(SnakeShape):
    """A token that was transferred."""

    name: Name | None = None
    symbol: Name | None = None
    icon: FungibleIcon | None = None

    @property
    def icon_url(self) -> str:
        """The URL of the picture, or ""."""
        return self.icon.url if self.icon else ""


class TransferQuantity(SnakeShape):
    """A transferred amount, in the unit that people read."""

    numeric: NumberText


class Transfer(SnakeShape):
    """One movement of a transaction: of a token, of an NFT, or of something that the service does not describe.

    Attributes:
        value: worth in US dollars at the time, `price` that of one; None where nobody knows.
    """

    fungible_info: FungibleInfo | None = None
    nft_info: NftInfo | None = None
    direction: Literal["in", "out", "self"] | None = None
    quantity: TransferQuantity | None = None
    value: Number | None = None
    price: Number | None = None


class Application(Shape):
    """The application through which a transaction was made."""

    name: Name | None = None
    icon_url: Picture = ""


class TransactionMetadata(Shape):
    """When, where and between whom.

    Attributes:
        operation_type: a word of the service, such as `send` or `trade`; see `activity.py`.
        status: `confirmed`, `failed`, `pending`, or one of a card purchase.
        chain: CAIP-2 id; None where the service does not say.
    """

    operation_type: Annotated[IdText, Field(max_length=64)]
    hash: _PartyText = ""
    mined_at: Instant
    sent_from: _PartyText = ""
    sent_to: _PartyText = ""
    status: Annotated[IdText, Field(max_length=64)]
    nonce: Whole | None = None
    application: Application | None = None
    chain: Caip2 | None = None

    @property
    def purchase_status(self) -> PurchaseStatus | None:
        """The status of a card purchase, or None when it is no purchase."""
        return _PURCHASE_STATUSES.get(self.status)


class Transaction(Shape):
    """One entry of the history."""

    id: IdText
    metadata: TransactionMetadata
    transfers: Annotated[
        tuple[Transfer, ...], BeforeValidator(lambda value: () if value is None else value), Field(max_length=1000)
    ] = ()


class HistoryPage(Shape):
    """One page of the history, and the cursor of the next one, if there is any."""

    data: tuple[Transaction, ...]
    next: Annotated[IdText | None, Field(max_length=4096), BeforeValidator(lambda value: value or None)] = None


def parse_transaction(raw: object) -> Transaction:
    """One entry of `GET /v1/account/{account}/history`.

    Raises:
        ShapeError: names the first field that is wrong.
    """
    return read_shape(Transaction, raw)


def parse_history(raw: object) -> HistoryPage:
    """The answer of `GET /v1/account/{account}/history`. What strangers send is in it too, so an entry that is wrong is left out.

    Raises:
        ShapeError: no list of transactions, or none of them is right.
    """
    entries = read_rows(read_field(raw, "data", of="history"), parse_transaction, of="history")
    cursor = raw.get("next") if isinstance(raw, dict) else None
    return read_shape(HistoryPage, {"data": entries, "next": cursor})


def is_spam(transaction: Transaction) -> bool:
    """Whether all that it moved, and at least one thing, are NFTs that were flagged as spam."""
    transfers = transaction.transfers
    return bool(transfers) and all(move.nft_info is not None and move.nft_info.is_spam for move in transfers)


def without_spam(transactions: Iterable[Transaction]) -> tuple[Transaction, ...]:
    """The transactions that are not spam."""
    return tuple(transaction for transaction in transactions if not is_spam(transaction))


def on_chain(transactions: Iterable[Transaction], chain: ChainId) -> tuple[Transaction, ...]:
    """The transactions of the connected chain."""
    return tuple(transaction for transaction in transactions if transaction.metadata.chain == str(chain))
