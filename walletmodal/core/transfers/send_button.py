"""Label of the Send view's button, and the lines beside the amount."""

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Final, Literal

from walletmodal.core.language import _, ngettext
from walletmodal.core.text.formatting import format_usd
from walletmodal.core.transfers.amount_input import AmountProblem, TypedAmount
from walletmodal.core.transfers.fees import fee_value

SendLabel = Literal[
    "Preview Send",
    "Invalid Address",
    "Add Address",
    "Insufficient Gas Funds",
    "Insufficient Funds",
    "Add Amount",
    "Incorrect Value",
    "Select Token",
]
TypedReceiver = Literal["none", "valid", "invalid"]

PREVIEW: Final[SendLabel] = "Preview Send"
INCORRECT_VALUE: Final = "Incorrect value"
_CENT: Final = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class SendForm:
    """What the label follows from.

    Attributes:
        has_token: whether a token was picked; without one nothing else counts.
        amount: as it was typed.
        balance: of the token, in base units.
        receiver: whether one was typed, and whether it can be sent to.
        lacks_gas: see `core.transfers.send.lacks_gas`.
    """

    has_token: bool = False
    amount: TypedAmount = field(default_factory=TypedAmount)
    balance: int = 0
    receiver: TypedReceiver = "none"
    lacks_gas: bool = True


def send_label(form: SendForm) -> SendLabel:
    """The label: of all that is missing, what stands first in the form. The button acts only as `Preview Send`."""
    amount = form.amount
    missing: tuple[tuple[bool, SendLabel], ...] = (
        (not form.has_token, "Select Token"),
        (amount.problem != "", "Incorrect Value"),
        (amount.base_units == 0, "Add Amount"),
        (amount.base_units > form.balance, "Insufficient Funds"),
        (form.lacks_gas, "Insufficient Gas Funds"),
        (form.receiver == "none", "Add Address"),
        (form.receiver == "invalid", "Invalid Address"),
    )
    return next((label for missed, label in missing if missed), PREVIEW)


def fiat_line(amount: TypedAmount, decimals: int, price: Decimal | None) -> str:
    """The line below the amount: what it is worth, `Incorrect value`, or "" where there is nothing to say."""
    if amount.problem:
        return INCORRECT_VALUE
    if amount.base_units == 0 or price is None or price <= 0:
        return ""
    worth = fee_value(amount.base_units, decimals, price) or Decimal(0)
    return format_usd(_CENT, prefix="< ") if worth < _CENT else format_usd(worth)


def amount_hint(problem: AmountProblem, decimals: int) -> str:
    """What to do about an amount that cannot be read."""
    if problem == "malformed":
        return _("Type digits only, with a point before the decimals.")
    if problem == "ambiguous":
        return _("Is the comma for thousands? Use a point before decimals, and nothing for thousands.")
    if problem == "too_many_decimals":
        if not decimals:
            return _("This token has no decimals.")
        return ngettext(
            "This token has no more than {count} decimals.", "This token has no more than {count} decimals.", decimals
        )
    return ""
