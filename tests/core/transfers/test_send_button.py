"""The Send view's button, for every state of the form."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from tests.cases import every_case
from walletmodal.core.transfers.amount_input import TypedAmount, read_amount
from walletmodal.core.transfers.send_button import SendForm, SendLabel, amount_hint, fiat_line, send_label

READY = SendForm(has_token=True, amount=TypedAmount(5), balance=10, receiver="valid", lacks_gas=False)


@every_case(
    ("changes", "label"),
    [
        ({}, "Preview Send"),
        ({"receiver": "invalid"}, "Invalid Address"),
        ({"receiver": "none"}, "Add Address"),
        ({"lacks_gas": True}, "Insufficient Gas Funds"),
        ({"amount": TypedAmount(10)}, "Preview Send"),
        ({"amount": TypedAmount(11)}, "Insufficient Funds"),
        ({"amount": TypedAmount()}, "Add Amount"),
        ({"amount": TypedAmount(problem="malformed")}, "Incorrect Value"),
        ({"amount": TypedAmount(problem="ambiguous")}, "Incorrect Value"),
        ({"amount": TypedAmount(problem="too_many_decimals")}, "Incorrect Value"),
        ({"has_token": False}, "Select Token"),
        # What stands first in the form is asked for first.
        ({"receiver": "invalid", "lacks_gas": True}, "Insufficient Gas Funds"),
        ({"receiver": "none", "lacks_gas": True, "amount": TypedAmount(11)}, "Insufficient Funds"),
        ({"balance": 0, "lacks_gas": True}, "Insufficient Funds"),
        ({"amount": TypedAmount(), "lacks_gas": True, "receiver": "none"}, "Add Amount"),
        ({"has_token": False, "amount": TypedAmount(problem="malformed"), "receiver": "invalid"}, "Select Token"),
    ],
)
def test_the_label(changes: dict[str, Any], label: SendLabel) -> None:
    assert send_label(replace(READY, **changes)) == label


def test_an_empty_form_asks_for_a_token() -> None:
    assert send_label(SendForm()) == "Select Token"


@pytest.mark.parametrize(
    ("text", "price", "line"),
    [
        ("1.5", Decimal(2500), "$3,750.00"),
        ("1,5", Decimal(2500), "$3,750.00"),
        ("0.000001", Decimal(1), "< $0.01"),
        ("0.01", Decimal(1), "$0.01"),
        ("1.5", None, ""),
        ("1.5", Decimal(0), ""),
        ("", Decimal(2500), ""),
        ("0", Decimal(2500), ""),
        ("1e21", Decimal(2500), "Incorrect value"),
        ("-1", None, "Incorrect value"),
        ("123456789012345678901234567890", Decimal("0.1"), "$12,345,678,901,234,567,890,123,456,789.00"),
    ],
)
def test_the_line_below_the_amount(text: str, price: Decimal | None, line: str) -> None:
    assert fiat_line(read_amount(text, 6), 6, price) == line


def test_only_what_cannot_be_read_has_a_hint() -> None:
    told = [amount_hint(problem, 6) for problem in ("", "malformed", "ambiguous", "too_many_decimals")]
    assert (told[0], all(told[1:]), "6" in told[3]) == ("", True, True)
