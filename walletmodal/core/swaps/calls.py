"""Contract calls of a swap: the approval of exactly its amount, and the swap itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from eth_abi.abi import encode

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.decoding.abi import canonical_values

_APPROVE: Final = bytes.fromhex("095ea7b3")
_ARGUMENTS: Final = ["address", "uint256"]


@dataclass(frozen=True, slots=True)
class ContractCall:
    """A call of a contract by the account itself.

    Attributes:
        to: the contract, in its normal spelling.
        data: hexadecimal with 0x.
        value: of the native coin, in base units.
    """

    to: str
    data: str
    value: int = 0

    def request(self, sender: str) -> dict[str, str]:
        """Returns the parameter of `eth_sendTransaction`, without gas, fees and nonce."""
        return {"from": sender, "to": self.to, "value": hex(self.value), "data": self.data}


@dataclass(frozen=True, slots=True)
class Approval:
    """What a call of `approve(address,uint256)` allows."""

    spender: str
    amount: int


def approve_call(token: str, spender: str, amount: int) -> ContractCall:
    """Builds the call that lets a spender take exactly so many base units of a token."""
    return ContractCall(token, "0x" + (_APPROVE + encode(_ARGUMENTS, [spender, amount])).hex())


def read_approval(data: str) -> Approval | None:
    """Reads the data of an approval; None for any other call."""
    raw = bytes.fromhex(data.removeprefix("0x"))
    found = canonical_values(_ARGUMENTS, raw[4:]) if raw[:4] == _APPROVE else None
    return None if found is None else Approval(normal_address("eip155", found[0]), found[1])
