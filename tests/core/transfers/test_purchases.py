"""Card purchases in the history."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from walletmodal.core.accounts.transactions import Transaction, parse_transaction
from walletmodal.core.transfers.purchases import in_progress, is_awaited, merged, purchase_text

BEGUN = datetime(2026, 3, 1, 12, 0, 5, 900_000, tzinfo=UTC)


def purchase(seconds: float = 0, status: str = "SUCCESS", *, name: str = "p", **transfer: Any) -> Transaction:
    moved = {
        "fungible_info": {"name": "USD Coin", "symbol": "USDC", "icon": {"url": "https://pictures.example/usdc"}},
        "direction": "in",
        "quantity": {"numeric": "98.3219"},
        **transfer,
    }
    word = f"ONRAMP_TRANSACTION_STATUS_{status}" if status.isupper() else status
    return parse_transaction(
        {
            "id": name,
            "metadata": {
                "operationType": "buy",
                "hash": "",
                "minedAt": (BEGUN + timedelta(seconds=seconds)).isoformat(),
                "status": word,
                "chain": "eip155:1",
            },
            "transfers": [moved] if transfer is not None else [],
        }
    )


@pytest.mark.parametrize(
    ("seconds", "status", "awaited"),
    [
        (5, "SUCCESS", True),
        (5, "FAILED", True),
        (-60, "SUCCESS", False),
        (-60, "FAILED", False),
        (-60, "IN_PROGRESS", True),
        (5, "confirmed", False),
        (5, "ANYTHING", False),
    ],
)
def test_a_newer_purchase_and_one_in_progress_are_awaited(seconds: float, status: str, awaited: bool) -> None:
    assert is_awaited(purchase(seconds, status), BEGUN) is awaited


def test_a_service_that_writes_whole_seconds_is_understood() -> None:
    assert is_awaited(purchase(-0.9), BEGUN) is True


def test_one_that_is_not_settled_is_in_progress() -> None:
    assert in_progress([purchase(), purchase(status="IN_PROGRESS")]) is True
    assert in_progress([purchase(), purchase(status="FAILED")]) is False


def test_what_was_bought_is_told_with_a_plus() -> None:
    told = purchase_text(purchase())
    assert (told.amount, told.status, told.icon_url) == ("+ 98.321 USDC", "success", "https://pictures.example/usdc")


@pytest.mark.parametrize(
    ("changes", "amount"),
    [
        ({"quantity": None}, "+ USDC"),
        ({"fungible_info": None}, "+ 98.321"),
        ({"fungible_info": None, "quantity": None}, ""),
        ({"fungible_info": {"symbol": "\u202eUSDC\n"}}, "+ 98.321 USDC"),
        ({"fungible_info": {"symbol": "S" * 100}}, "+ 98.321 " + "S" * 32),
    ],
)
def test_what_a_service_does_not_say_is_left_out(changes: dict[str, Any], amount: str) -> None:
    assert purchase_text(purchase(**changes)).amount == amount


def test_a_purchase_that_is_read_again_takes_the_place_of_its_old_self() -> None:
    old = [purchase(-50, "IN_PROGRESS", name="a"), purchase(-90, name="b")]
    new = [purchase(-10, name="c"), purchase(-50, name="a")]
    found = merged(new, old, 10)
    assert [(one.id, one.metadata.purchase_status) for one in found] == [
        ("c", "success"),
        ("a", "success"),
        ("b", "success"),
    ]
    assert [one.id for one in merged(new, old, 2)] == ["c", "a"]
