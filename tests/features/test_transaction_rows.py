"""A transaction on record as its row shows it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from walletmodal.core.transfers.transaction_request import Proposal, TransactionRequest
from walletmodal.features.transactions.rows import PendingRow, pending_row

_RECEIVER = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"
_NOW = datetime(2026, 6, 15, tzinfo=UTC)


def _row(*, name: str = "", amount: int = 15 * 10**17, **changes: Any) -> PendingRow:
    proposal = Proposal(
        chain="eip155:1",
        sender="0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
        method="eth_sendTransaction",
        receiver=_RECEIVER,
        name=name,
        amount=amount,
        symbol="ETH",
        decimals=18,
    )
    asked = TransactionRequest("id", "owner", "https://host.example", "send", proposal, _NOW, _NOW, status="confirmed")
    return pending_row(replace(asked, **changes), answer_expected=False, image="")


def test_a_receiver_that_was_named_has_name_and_address() -> None:
    row = _row(name="vitalik.eth")
    assert (row["name"], row["receiver"]) == ("vitalik.eth", "0xd8...A96045")


def test_a_receiver_has_the_picture_of_its_address() -> None:
    assert "gradient" in _row()["avatar"]


def test_what_was_sent_is_shown_in_all_its_digits() -> None:
    assert _row(amount=2_500_000 * 10**18 + 1)["amount"] == "2,500,000.000000000000000001 ETH"


def test_why_the_network_did_not_take_it_is_told() -> None:
    assert _row(status="dropped", reason="The paymaster refuses this.")["reason"] == "The paymaster refuses this."


def test_the_reason_of_what_went_through_is_nobodys_concern() -> None:
    assert _row(reason="Sped up")["reason"] == ""
