"""The kind of the embedded wallet's account on a network, as its frame tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.errors import AddressError

AccountType = Literal["eoa", "smartAccount"]
BatchStatus = Literal["unsupported", "ready", "supported"]

ACCOUNT_TYPE_METHOD: Final = "walletmodal_accountType"
"""Asked of the frame: tells the kind in use, or takes the owner's choice; nobody has to agree."""
REVOKE_METHOD: Final = "walletmodal_revokeDelegation"
"""Ends the smart account on a network; the frame has it approved and sends it."""


@dataclass(frozen=True, slots=True)
class AccountInUse:
    """What the account is on a network.

    Attributes:
        type: the kind that its owner prefers there.
        status: EIP-5792's word for calls at once: `supported` for a smart account, `ready` for one that becomes one with its first batch.
        foreign: the contract that controls the account in the place of ours (EIP-7702), "" for none.
        safe: the address of the smart account where that is a Safe; "" where both kinds have one address.
    """

    type: AccountType
    status: BatchStatus
    foreign: str = ""
    safe: str = ""


def read_account_in_use(value: object) -> AccountInUse | None:
    """Reads the frame's answer, which comes by way of the visitor's browser; None for what makes no sense."""
    fields = value if isinstance(value, Mapping) else {}
    kind, status = fields.get("type"), fields.get("status")
    if kind not in ("eoa", "smartAccount") or status not in ("unsupported", "ready", "supported"):
        return None
    try:
        foreign, safe = (_address(fields.get(name)) for name in ("foreign", "address"))
    except AddressError:
        return None
    return AccountInUse(kind, status, foreign, safe)


def _address(given: object) -> str:
    return normal_address("eip155", given) if isinstance(given, str) and given else ""
