"""Changes of who controls a Safe: calls that it makes of itself. One owner's signature stays enough."""

from collections.abc import Sequence
from typing import Final

from walletmodal.core.smart_accounts.call_encoding import AccountCall, encode_call

_FIRST: Final = "0x" + "0" * 39 + "1"
"""What stands before the first of the contract's list."""


def add_owner_call(safe: str, owner: str) -> AccountCall:
    """Returns the call with which a Safe takes another owner."""
    return AccountCall(safe, 0, encode_call("addOwnerWithThreshold(address,uint256)", owner, 1))


def remove_owner_call(safe: str, owners: Sequence[str], owner: str) -> AccountCall:
    """Returns the call with which a Safe has an owner less.

    Args:
        safe: the account.
        owners: all of them, in the order of the contract's list.
        owner: one of these.
    """
    before = [_FIRST, *owners][owners.index(owner)]
    return AccountCall(safe, 0, encode_call("removeOwner(address,address,uint256)", before, owner, 1))
