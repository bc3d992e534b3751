"""What a card payment buys: the fees, and what is left of the amount for the asset."""

from dataclasses import dataclass
from decimal import ROUND_UP, Context, Decimal
from typing import Final

CARD_LIMITS: Final = (Decimal("10.00"), Decimal("7500.00"))
"""The least and the most that a card pays."""

CENT: Final = Decimal("0.01")

_EXACT: Final = Context(prec=100)
_SHOWN: Final = Context(prec=9)


@dataclass(frozen=True, slots=True)
class Quote:
    """What a payment buys. All amounts but `quantity` are in the currency of the payment.

    Attributes:
        total: what the card is charged.
        service_fee: what the provider keeps.
        network_fee: what the transaction costs.
        subtotal: what is left for the asset.
        quantity: whole units of the asset that the account gets.
    """

    total: Decimal
    service_fee: Decimal
    network_fee: Decimal
    subtotal: Decimal
    quantity: Decimal

    @property
    def price(self) -> Decimal:
        """Of one whole unit of the asset, to nine digits; 0 when the payment buys nothing."""
        return _SHOWN.divide(self.subtotal, self.quantity) if self.quantity else Decimal(0)

    def base_units(self, decimals: int) -> int:
        """The quantity in base units of an asset with so many decimals."""
        return int(self.quantity.scaleb(decimals, _EXACT))

    def total_for(self, quantity: Decimal) -> Decimal:
        """What must be paid for another quantity at this quote's price and fees, rounded up to a cent.

        The provider's fee is a share of the payment, the network's is the same for any.
        """
        if not self.quantity:
            return self.total
        worth = _EXACT.divide(_EXACT.multiply(quantity, self.subtotal), self.quantity) + self.network_fee
        share = _EXACT.divide(self.service_fee, self.total)
        return _EXACT.divide(worth, 1 - share).quantize(CENT, ROUND_UP, _EXACT)
