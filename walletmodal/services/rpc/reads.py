"""Methods that only read: they may be joined, batched with others, and asked again without anybody noticing.

All others may change something at their second asking, or answer differently for it, so they are left alone.
"""

from typing import Final

READ_METHODS: Final = frozenset(
    {
        "eth_blockNumber",
        "eth_call",
        "eth_chainId",
        "eth_estimateGas",
        "eth_estimateUserOperationGas",
        "eth_feeHistory",
        "eth_gasPrice",
        "eth_getAccount",
        "eth_getBalance",
        "eth_getBlockByHash",
        "eth_getBlockByNumber",
        "eth_getBlockReceipts",
        "eth_getBlockTransactionCountByHash",
        "eth_getBlockTransactionCountByNumber",
        "eth_getCode",
        "eth_getFilterLogs",
        "eth_getLogs",
        "eth_getProof",
        "eth_getStorageAt",
        "eth_getTransactionByBlockHashAndIndex",
        "eth_getTransactionByBlockNumberAndIndex",
        "eth_getTransactionByHash",
        "eth_getTransactionCount",
        "eth_getTransactionReceipt",
        "eth_getUncleCountByBlockHash",
        "eth_getUncleCountByBlockNumber",
        "eth_getUserOperationByHash",
        "eth_getUserOperationReceipt",
        "eth_maxPriorityFeePerGas",
        "eth_supportedEntryPoints",
        "eth_syncing",
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
