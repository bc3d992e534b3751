"""Transfer fees at each speed, and what an account can spend beside them. Integers throughout."""

from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Final, Literal, get_args

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.text.amounts import to_decimal

Speed = Literal["slow", "normal", "fast"]
SPEEDS: Final[tuple[Speed, ...]] = get_args(Speed)

_EXACT: Final = 200
"""Digits that no product of a fee and a price exceeds."""
_DATA_FEE_CHAINS: Final = frozenset(
    {10, 130, 185, 252, 255, 288, 291, 480, 690, 957, 1135, 1750, 1868, 7560, 8453, 34443, 57073, 60808, 81457}
    | {84532, 534352, 7777777, 11155420, 888888888}
)
"""EVM networks (OP Stack, Scroll) that charge for a transaction's data on Ethereum beside its gas, which their nodes' estimates leave out."""


@dataclass(frozen=True, slots=True)
class SpeedFee:
    """What a transfer costs at one speed, in base units of the native coin.

    Attributes:
        most: the account must have it, and never pays more.
        expected: what it costs if the next block is as the latest ones were; at most `most`.
    """

    speed: Speed
    most: int
    expected: int


@dataclass(frozen=True, slots=True)
class FeeQuote:
    """What a transfer costs.

    Attributes:
        options: by rising speed. A network that knows only one price has one, "normal".
        data_fee: the network also charges for data on another network, which could not be found out and is not included.
    """

    options: tuple[SpeedFee, ...] = ()
    data_fee: bool = False

    def of(self, speed: Speed) -> SpeedFee:
        """The fee at a speed; where the network has one price, that one."""
        return next((one for one in self.options if one.speed == speed), self.options[0])

    @property
    def speeds(self) -> tuple[Speed, ...]:
        """Lists the speeds to choose from; none where there is no choice."""
        return tuple(one.speed for one in self.options) if len(self.options) > 1 else ()


def spendable(balance: int, fee: int) -> int:
    """Returns the native coin that can be sent when the fee comes out of it too, in base units; never below zero.

    Args:
        balance: of the account, in base units.
        fee: the most that sending costs (`SpeedFee.most`).
    """
    return max(0, balance - fee)


def fee_value(fee: int, decimals: int, price: Decimal | None) -> Decimal | None:
    """What a fee is worth, exactly; None where the price is unknown.

    Args:
        fee: in base units of the native coin.
        decimals: of the native coin.
        price: of one native coin, in the currency that is wanted.
    """
    if price is None:
        return None
    with localcontext() as context:
        context.prec = _EXACT
        return to_decimal(fee, decimals) * price


def charges_for_data(chain: ChainId) -> bool:
    """Whether a network charges for data on another one, beside the gas that its nodes estimate."""
    return chain.namespace == "eip155" and chain.number in _DATA_FEE_CHAINS
