"""Where the embedded wallet's Safe cannot be used: nobody takes its operations there."""

from __future__ import annotations

from collections.abc import Sequence

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.smart_accounts.account_state import safe_owner
from walletmodal.deployment import deployment


def is_barred(chain: ChainId, address: str, accounts: Sequence[str]) -> bool:
    """Whether an address is a Safe that cannot be used on a network.

    Args:
        chain: the network.
        address: in its normal spelling.
        accounts: all that the wallet gives.
    """
    if chain.namespace != "eip155" or not safe_owner(address, accounts):
        return False
    return str(chain) not in deployment().smart_accounts.bundler_networks
