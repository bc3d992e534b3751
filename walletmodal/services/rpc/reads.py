"""Methods that only read: they may be joined, batched with others, and asked again without anybody noticing.

All others may change something at their second asking, or answer differently for it, so they are left alone.
"""

from typing import Final

from walletmodal.core.requests.methods import NODE_METHODS, method_names

READ_METHODS: Final = method_names(spec for spec in NODE_METHODS.values() if spec.repeatable) | frozenset(
    {
        "net_version",
        "web3_clientVersion",
        # Solana
        "getAccountInfo",
        "getBalance",
        "getBlockHeight",
        "getEpochInfo",
        "getFeeForMessage",
        "getGenesisHash",
        "getLatestBlockhash",
        "getMinimumBalanceForRentExemption",
        "getMultipleAccounts",
        "getProgramAccounts",
        "getRecentPrioritizationFees",
        "getSignatureStatuses",
        "getSignaturesForAddress",
        "getSlot",
        "getTokenAccountBalance",
        "getTokenAccountsByDelegate",
        "getTokenAccountsByOwner",
        "getTokenSupply",
        "getTransaction",
        "getVersion",
        "isBlockhashValid",
        "simulateTransaction",
        # The gateway's own, for chains whose nodes know no balances.
        "getAddressBalance",
    }
)
"""Pings (`net_listening`, `getHealth`) are not here: in a batch they would measure the batch."""
