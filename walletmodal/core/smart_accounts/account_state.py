"""What an account is on a network, by its code, and what can be done with it as it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from walletmodal.core.smart_accounts.authorization import read_delegation
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.core.smart_accounts.safe import SafeAccount

Implementation = Literal["delegator", "safe"]
"""delegator: the key's own account, delegated to the stateless delegator (EIP-7702). safe: a Safe of its own address, whose owner is the key."""

StateKind = Literal["plain", "delegated", "foreign", "undeployed", "deployed", "contract"]
"""plain: no code. delegated: to our delegator. foreign: to another contract. undeployed, deployed: of a Safe. contract: code that no key of ours governs."""


@dataclass(frozen=True, slots=True)
class AccountState:
    """An account on a network.

    Attributes:
        kind: what it is.
        contract: that it is delegated to, "" for none.
    """

    kind: StateKind
    contract: str = ""

    @property
    def is_deployed(self) -> bool:
        """Whether the smart account is there, and needs nothing first (`smartAccountDeployed`)."""
        return self.kind in ("delegated", "deployed")


# Half a millisecond for a Safe's.
@lru_cache(maxsize=512)
def smart_account_address(implementation: Implementation, owner: str) -> str:
    """Returns the address of a key's smart account, the same on every network."""
    return owner if implementation == "delegator" else SafeAccount((owner,)).address


def safe_owner(account: str, accounts: Sequence[str]) -> str:
    """Returns the key's own account whose Safe an account is, where these are the two of one key; "" for any other account.

    Args:
        account: an address in its normal spelling.
        accounts: all that the wallet gives, that one among them.
    """
    others = [one for one in accounts if one != account]
    return others[0] if len(others) == 1 and smart_account_address("safe", others[0]) == account else ""


def read_account_state(implementation: Implementation, code: bytes) -> AccountState:
    """Reads what a smart account is from the code at its address (`smart_account_address`)."""
    contract = read_delegation(code)
    if implementation == "safe":
        # Nothing but a Safe can stand at an address that its factory has.
        return AccountState("deployed" if code else "undeployed")
    if contract:
        return AccountState("delegated" if contract == STATELESS_DELEGATOR else "foreign", contract)
    return AccountState("contract" if code else "plain")
