"""The history of an account."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from tests.core.json_values import replaced, without
from tests.core.samples import SAMPLES
from walletmodal.core.accounts.transactions import Transaction, on_chain, parse_history, parse_transaction, without_spam
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import ShapeError

SENT = SAMPLES["transaction"]
FUNGIBLE, NFT = SENT["transfers"]
SPAM = replaced(NFT, True, "nft_info", "flags", "is_spam")


def transaction(transfers: Any = (), **metadata: object) -> Transaction:
    moved = list(transfers) if isinstance(transfers, tuple) else transfers
    return parse_transaction({**SENT, "metadata": {**SENT["metadata"], **metadata}, "transfers": moved})


def test_a_transaction_has_every_field_of_the_service() -> None:
    read = parse_transaction(SENT)
    metadata, (token, nft) = read.metadata, read.transfers
    assert (
        read.id,
        metadata.operation_type,
        metadata.status,
        metadata.chain,
        metadata.sent_from,
        metadata.sent_to,
    ) == (
        "t-81",
        "send",
        "confirmed",
        "eip155:1",
        "0xaa",
        "0xbb",
    )
    assert metadata.mined_at == datetime(2025, 3, 2, 9, 14, tzinfo=UTC)
    assert token.quantity is not None
    assert token.fungible_info is not None
    assert nft.nft_info is not None
    assert (token.quantity.numeric, token.fungible_info.symbol, nft.nft_info.name, nft.nft_info.preview_url) == (
        Decimal("12.5"),
        "USDC",
        "Kite 7",
        "https://icons.example/7.png",
    )


@pytest.mark.parametrize("transfers", [None, ()])
def test_a_transaction_may_have_no_transfers(transfers: object) -> None:
    assert transaction(transfers).transfers == ()


@pytest.mark.parametrize("field", ["application", "chain", "nonce", "hash"])
def test_metadata_that_may_be_null_may_be_missing(field: str) -> None:
    assert parse_transaction(without(SENT, "metadata", field)) == parse_transaction(
        replaced(SENT, None, "metadata", field)
    )


@pytest.mark.parametrize(
    ("status", "purchase"),
    [
        ("ONRAMP_TRANSACTION_STATUS_SUCCESS", "success"),
        ("ONRAMP_TRANSACTION_STATUS_IN_PROGRESS", "in_progress"),
        ("ONRAMP_TRANSACTION_STATUS_FAILED", "failed"),
        ("confirmed", None),
    ],
)
def test_the_status_of_a_card_purchase_is_known(status: str, purchase: str | None) -> None:
    assert transaction(status=status).metadata.purchase_status == purchase


@pytest.mark.parametrize(
    ("value", "path"),
    [(None, ("id",)), ("yesterday", ("metadata", "minedAt")), (None, ("metadata", "operationType")), ({}, ("transfers",)),
     ("up", ("transfers", 0, "direction")), (12.5, ("transfers", 0, "quantity", "numeric")), ("yes", ("transfers", 1, "nft_info", "flags", "is_spam"))],
)  # fmt: skip
def test_a_wrong_field_is_refused(value: object, path: tuple[str | int, ...]) -> None:
    with pytest.raises(ShapeError):
        parse_transaction(replaced(SENT, value, *path))


def test_a_page_has_its_cursor() -> None:
    assert parse_history({"data": [SENT], "next": "eyJwIjoyfQ"}).next == "eyJwIjoyfQ"


@pytest.mark.parametrize("answer", [{"data": []}, {"data": [], "next": None}, {"data": [], "next": ""}])
def test_the_last_page_has_none(answer: object) -> None:
    page = parse_history(answer)
    assert (page.data, page.next) == ((), None)


def test_an_entry_that_is_wrong_is_left_out() -> None:
    assert len(parse_history({"data": [without(SENT, "id"), SENT]}).data) == 1


@pytest.mark.parametrize("answer", [{}, [], {"data": {}}, {"data": [without(SENT, "id")]}, {"data": [], "next": 5}])
def test_what_is_no_page_is_refused(answer: object) -> None:
    with pytest.raises(ShapeError):
        parse_history(answer)


@pytest.mark.parametrize(
    ("transfers", "kept"),
    [
        ((SPAM,), False),
        ((SPAM, SPAM), False),
        ((SPAM, FUNGIBLE), True),
        ((SPAM, NFT), True),
        ((FUNGIBLE,), True),
        ((), True),
    ],
)
def test_a_transaction_of_spam_nfts_alone_is_dropped(transfers: tuple[object, ...], *, kept: bool) -> None:
    assert bool(without_spam([transaction(transfers)])) is kept


@pytest.mark.parametrize("flags", [None, {}, {"is_spam": None}])
def test_an_nft_without_a_flag_is_no_spam(flags: object) -> None:
    assert without_spam([transaction((replaced(NFT, flags, "nft_info", "flags"),))])


def test_only_transactions_of_the_connected_chain_are_kept() -> None:
    here, there, nowhere = transaction(), transaction(chain="eip155:10"), transaction(chain=None)
    assert on_chain([here, there, nowhere], parse_chain_id("eip155:1")) == (here,)
