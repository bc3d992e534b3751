"""web3 and eth_account, imported here and nowhere else, because of what importing them does to the process.

One of their dependencies sets Python's recursion limit to 100,000. With that, nested brackets of a stranger's JSON run the C stack over
and end the process, where Python would raise RecursionError; so the limit is put back before anything else runs. What the dependency
needs it for, pairings on BLS curves, is not used here.
"""

import sys
import warnings

_limit = sys.getrecursionlimit()
try:
    with warnings.catch_warnings():
        # web3 imports a part of websockets that is going away, for a provider that is not used here.
        warnings.filterwarnings("ignore", "websockets.legacy is deprecated", DeprecationWarning)
        from eth_account import Account
        from eth_account.messages import encode_defunct, encode_typed_data
        from web3 import AsyncWeb3
        from web3.exceptions import (
            ContractLogicError,
            InvalidAddress,
            OffchainLookup,
            TransactionNotFound,
            Web3Exception,
            Web3RPCError,
        )
        from web3.providers.async_base import AsyncJSONBaseProvider
        from web3.types import RPCEndpoint, RPCError, RPCResponse
finally:
    sys.setrecursionlimit(_limit)

__all__ = [
    "Account",
    "AsyncJSONBaseProvider",
    "AsyncWeb3",
    "ContractLogicError",
    "InvalidAddress",
    "OffchainLookup",
    "RPCEndpoint",
    "RPCError",
    "RPCResponse",
    "TransactionNotFound",
    "Web3Exception",
    "Web3RPCError",
    "encode_defunct",
    "encode_typed_data",
]
