"""Gas fees of a network: three speeds by EIP-1559, or the one price of before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median_low
from typing import Final

from walletmodal.core.errors.nodes import InsufficientFundsError
from walletmodal.core.transfers.fees import SPEEDS, FeeQuote, Speed, SpeedFee

FEE_BLOCKS: Final = 5
PERCENTILES: Final = (10, 50, 90)
"""Of the tips that a block's transactions paid: what is offered to go slowly, as others, and fast."""

_QUARTERS_OF_BASE: Final[Mapping[Speed, int]] = {"slow": 5, "normal": 8, "fast": 10}
"""How far the base fee may rise before the transaction has to wait, in quarters of today's."""


@dataclass(frozen=True, slots=True)
class Fees:
    """What gas costs, in wei.

    Attributes:
        least: with less, the next block would not take the transaction.
        most: what the sender would pay at most, so that it is taken also when the base fee rises.
        tip: of those, what the block's maker gets; None on chains that know only one price.
    """

    least: int
    most: int
    tip: int | None

    def within(self, gas: int, funds: int) -> "Fees":
        """The same for an account that can spend `funds` on `gas`: nodes ask for the most beforehand.

        Raises:
            InsufficientFundsError: not even the least can be paid.
        """
        if funds < gas * self.least:
            raise InsufficientFundsError(details=f"{gas} gas at {self.least} wei, and {max(funds, 0)} wei for it")
        return self if gas == 0 else replace(self, most=min(self.most, funds // gas))

    def fields(self) -> dict[str, str]:
        """Returns the fee fields of a transaction: EIP-1559's two, or the one price of before."""
        if self.tip is None:
            return {"gasPrice": hex(self.most)}
        return {"maxFeePerGas": hex(self.most), "maxPriorityFeePerGas": hex(self.tip)}


@dataclass(frozen=True, slots=True)
class History:
    """What `eth_feeHistory` told: base fees, the next block's last; of each block the tips at `PERCENTILES`."""

    base_fees: Sequence[int]
    tips: Sequence[Sequence[int]]


def fees_by_speed(history: History, price: int | None) -> Mapping[Speed, Fees]:
    """The fees of each speed on a chain that has base fees.

    Args:
        history: with at least one base fee.
        price: what the node would pay for gas in all, or None while unknown; it says the tip where nobody has paid any of late.
    """
    base = history.base_fees[-1]
    usual = max(0, (price or 0) - base)
    paid = [_median([row[place] for row in history.tips if place < len(row)]) for place in range(len(PERCENTILES))]
    normal = paid[1] or paid[0] or usual
    # The speeds differ also where all pay the same, or the node tells one figure for all.
    tips: Mapping[Speed, int] = {
        "slow": min(paid[0] or normal, normal - normal // 10),
        "normal": normal,
        "fast": max(paid[2], normal + normal // 4),
    }
    return {
        speed: Fees(least=base + tips[speed], most=base * _QUARTERS_OF_BASE[speed] // 4 + tips[speed], tip=tips[speed])
        for speed in SPEEDS
    }


def one_price(price: int) -> Mapping[Speed, Fees]:
    """The fees of a chain that has no base fees."""
    return {"normal": Fees(least=price, most=price, tip=None)}


def chosen(fees: Mapping[Speed, Fees], speed: Speed) -> Fees:
    """The fees of a speed; where there is one price, that one."""
    return fees.get(speed) or fees["normal"]


def quote(fees: Mapping[Speed, Fees], gas: int, data: int | None) -> FeeQuote:
    """What so much gas costs, and the data of it.

    Args:
        fees: of each speed.
        gas: the limit.
        data: what the network charges for the transaction's data now; None where it does and nobody knows how much.
    """
    options = tuple(
        SpeedFee(speed, gas * one.most + most_for_data(data or 0), gas * min(one.least, one.most) + (data or 0))
        for speed, one in sorted(fees.items(), key=lambda pair: SPEEDS.index(pair[0]))
    )
    return FeeQuote(options, data_fee=data is None)


def most_for_data(data: int) -> int:
    """What a transaction's data may cost by the time it gets into a block: a quarter more than now."""
    return data + -(-data // 4)


def _median(paid: list[int]) -> int:
    """Returns the median of those that paid anything; 0 where nobody did."""
    some = [tip for tip in paid if tip > 0]
    return median_low(some) if some else 0
