"""Terms on which a paymaster takes a token for the fee, as its contract reads them out of the operation: nobody's word."""

from dataclasses import dataclass
from typing import Final

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.smart_accounts.answers import TokenQuote
from walletmodal.core.smart_accounts.contracts import TOKEN_PAYMASTERS

_MODE: Final = 1
_FLAGS: Final = 1
_UNTIL: Final = slice(2, 8)
_AFTER: Final = slice(8, 14)
_TOKEN: Final = slice(14, 34)
_POST_OP_GAS: Final = slice(34, 50)
_RATE: Final = slice(50, 82)
_TREASURY: Final = slice(98, 118)


@dataclass(frozen=True, slots=True)
class TokenTerms:
    """What a singleton paymaster takes.

    Attributes:
        quote: the token, the paymaster, and its price.
        treasury: who gets the token.
        after, until: seconds since 1970, between which it pays; an `until` of 0 is no end.
    """

    quote: TokenQuote
    treasury: str
    after: int
    until: int

    def holds_at(self, moment: int) -> bool:
        """Whether the paymaster pays at a moment, in seconds since 1970."""
        return self.after <= moment and (not self.until or moment < self.until)


def reads_terms(paymaster: str) -> bool:
    """Whether the terms of a paymaster can be read: Pimlico's singleton for entry points 0.7 and 0.8."""
    return paymaster in TOKEN_PAYMASTERS


def read_token_terms(paymaster: str, data: bytes) -> TokenTerms | None:
    """Reads the terms; None where the paymaster takes no token, or has terms beside the price (a fixed fee, a payment ahead).

    Args:
        paymaster: one whose terms can be read.
        data: `paymasterData` of the operation.
    """
    if len(data) <= _TREASURY.stop or data[0] >> 1 != _MODE or data[_FLAGS]:
        return None
    quote = TokenQuote(
        token=_address(data[_TOKEN]),
        paymaster=paymaster,
        rate=int.from_bytes(data[_RATE], "big"),
        post_op_gas=int.from_bytes(data[_POST_OP_GAS], "big"),
    )
    after, until = (int.from_bytes(data[part], "big") for part in (_AFTER, _UNTIL))
    return TokenTerms(quote, _address(data[_TREASURY]), after, until)


def _address(data: bytes) -> str:
    return normal_address("eip155", "0x" + data.hex())
