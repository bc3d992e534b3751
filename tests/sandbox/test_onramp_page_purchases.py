"""What is remembered of purchases, and what survives the process."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.sandbox.onramp_stage import ACCOUNT, Stage
from walletmodal.sandbox.onramp import purchases
from walletmodal.sandbox.onramp.purchases import Purchase, PurchaseStatus, PurchaseStore

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SOLANA_ACCOUNT = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"


def bought(number: int = 1, **changes: Any) -> Purchase:
    facts: dict[str, Any] = {
        "id": f"onramp-{number}",
        "chain": "eip155:1",
        "address": ACCOUNT,
        "token": None,
        "name": "Ether",
        "symbol": "ETH",
        "quantity": "0.5",
        "payment_total": "100",
        "payment_currency": "USD",
        "status": PurchaseStatus.SUCCESS,
        "at": NOW + timedelta(seconds=number),
        **changes,
    }
    return Purchase(**facts)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "sandbox" / "purchases.jsonl"


def test_an_account_sees_its_own_newest_first() -> None:
    store = PurchaseStore()
    for one in (bought(1), bought(3), bought(2), bought(4, address="0x" + "1" * 40)):
        store.put(one)
    assert [one.id for one in store.of_address(ACCOUNT)] == ["onramp-3", "onramp-2", "onramp-1"]


def test_hexadecimal_addresses_are_compared_whatever_their_case_and_others_are_not() -> None:
    store = PurchaseStore()
    store.put(bought(1))
    store.put(bought(2, address=SOLANA_ACCOUNT, chain="solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"))
    assert len(store.of_address(ACCOUNT.lower())) == 1
    assert len(store.of_address(SOLANA_ACCOUNT)) == 1
    assert store.of_address(SOLANA_ACCOUNT.lower()) == []


def test_a_chain_limits() -> None:
    store = PurchaseStore()
    store.put(bought(1))
    store.put(bought(2, chain="eip155:137"))
    assert [one.id for one in store.of_address(ACCOUNT, "eip155:137")] == ["onramp-2"]


def test_purchases_outlive_the_process_in_their_last_state(path: Path) -> None:
    first = PurchaseStore(path)
    first.put(bought(1, status=PurchaseStatus.IN_PROGRESS))
    first.put(bought(1))
    first.put(bought(2))
    assert PurchaseStore(path).of_address(ACCOUNT) == [bought(2), bought(1)]


def test_what_was_cut_off_or_is_no_purchase_is_passed_over(path: Path) -> None:
    PurchaseStore(path).put(bought(1))
    with path.open("ab") as file:
        file.write(b'{"id":"onramp-2"}\n\xff\xfe\n[[[\nnull\n{"id":"onr')
    assert [one.id for one in PurchaseStore(path).of_address(ACCOUNT)] == ["onramp-1"]


def test_a_line_that_was_cut_off_does_not_spoil_the_next(path: Path) -> None:
    PurchaseStore(path).put(bought(1))
    with path.open("ab") as file:
        file.write(b'{"id":"onr')
    PurchaseStore(path).put(bought(2))
    assert [one.id for one in PurchaseStore(path).of_address(ACCOUNT)] == ["onramp-2", "onramp-1"]


def test_the_store_is_bounded_and_so_is_its_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purchases, "KEPT", 3)
    store = PurchaseStore(path)
    for number in range(1, 8):
        store.put(bought(number))
    assert len(store.of_address(ACCOUNT)) == 3
    assert [one.id for one in PurchaseStore(path).of_address(ACCOUNT)] == ["onramp-7", "onramp-6", "onramp-5"]
    assert len(path.read_bytes().splitlines()) == 3


def test_clear_forgets_in_the_file_too(path: Path) -> None:
    store = PurchaseStore(path)
    store.put(bought(1))
    store.clear()
    assert store.of_address(ACCOUNT) == []
    assert PurchaseStore(path).of_address(ACCOUNT) == []


def test_what_an_ended_process_left_in_progress_is_failed(path: Path) -> None:
    PurchaseStore(path).put(bought(1, status=PurchaseStatus.IN_PROGRESS))
    stage = Stage(path)
    assert stage.purchases.of_address(ACCOUNT)[0].status is PurchaseStatus.FAILED
