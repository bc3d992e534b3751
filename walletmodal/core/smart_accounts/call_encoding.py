"""Calls that an account makes, and how functions of contracts are called with them."""

from collections.abc import Sequence
from typing import NamedTuple

from eth_abi.abi import encode
from eth_utils.address import to_canonical_address

from walletmodal.core.decoding.abi import argument_types
from walletmodal.core.decoding.decoded_call import selector


class AccountCall(NamedTuple):
    """A call: the contract or receiver, base units of the native coin that go along, and the call data."""

    to: str
    value: int = 0
    data: bytes = b""

    @property
    def packed(self) -> bytes:
        """As ERC-7579 encodes a single call."""
        return to_canonical_address(self.to) + self.value.to_bytes(32, "big") + self.data


def encode_call(signature: str, *arguments: object) -> bytes:
    """Encodes the call of a function, such as `transfer(address,uint256)`."""
    return bytes.fromhex(selector(signature)[2:]) + encode(argument_types(signature), arguments)


def require_calls(calls: Sequence[AccountCall]) -> Sequence[AccountCall]:
    """Returns the calls.

    Raises:
        ValueError: there are none, which accounts would take for a call to nobody.
    """
    if not calls:
        raise ValueError("no calls")
    return calls
