"""Label of the Swap view's button."""

from dataclasses import dataclass, field
from typing import Final, Literal

from walletmodal.core.transfers.amount_input import TypedAmount

SwapLabel = Literal["Select token", "Enter amount", "Insufficient balance", "Review swap", "Swap"]
REVIEW: Final[SwapLabel] = "Review swap"


@dataclass(frozen=True, slots=True)
class SwapForm:
    """What the label follows from.

    Attributes:
        has_tokens: whether both were chosen.
        amount: as it was typed.
        balance: of the source token, in base units.
        lacks_fee: whether the native coin that is left cannot pay the network's fee.
        failed: whether there is no quote, and will be none without another try.
    """

    has_tokens: bool = False
    amount: TypedAmount = field(default_factory=TypedAmount)
    balance: int = 0
    lacks_fee: bool = False
    failed: bool = False


def swap_label(form: SwapForm) -> SwapLabel:
    """The label: of all that is missing, what stands first in the form. The button acts only as `Review swap`."""
    missing: tuple[tuple[bool, SwapLabel], ...] = (
        (not form.has_tokens, "Select token"),
        (form.amount.base_units == 0, "Enter amount"),
        (form.amount.base_units > form.balance or form.lacks_fee, "Insufficient balance"),
        (form.failed, "Swap"),
    )
    return next((label for missed, label in missing if missed), REVIEW)
