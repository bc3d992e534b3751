"""The numbers of errors, which hosts' code tests; `rpc_errors` has a class for each (reference errors.md §1)."""

from typing import Final

# JSON-RPC 2.0 and EIP-1474
PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
INVALID_INPUT: Final = -32000
RESOURCE_NOT_FOUND: Final = -32001
RESOURCE_UNAVAILABLE: Final = -32002
TRANSACTION_REJECTED: Final = -32003
METHOD_NOT_SUPPORTED: Final = -32004
LIMIT_EXCEEDED: Final = -32005
VERSION_UNSUPPORTED: Final = -32006

# EIP-1193 and EIP-3326
REJECTED: Final = 4001
UNAUTHORIZED: Final = 4100
UNSUPPORTED_METHOD: Final = 4200
DISCONNECTED: Final = 4900
CHAIN_DISCONNECTED: Final = 4901
CHAIN_UNKNOWN: Final = 4902

# CAIP-25, by which wallets refuse a whole connection
REJECTED_CONNECTION: Final = 5000
REJECTED_METHODS: Final = 5002

# EIP-5792
CAPABILITY_UNSUPPORTED: Final = 5700
CHAIN_UNSUPPORTED: Final = 5710
DUPLICATE_ID: Final = 5720
UNKNOWN_BUNDLE: Final = 5730
BUNDLE_TOO_LARGE: Final = 5740
UPGRADE_REJECTED: Final = 5750
ATOMICITY_UNSUPPORTED: Final = 5760
EIP5792: Final = range(CAPABILITY_UNSUPPORTED, ATOMICITY_UNSUPPORTED + 1)
"""All that are EIP-5792's, those that it has not named yet among them."""

UNKNOWN: Final = -1
"""Of no standard: nothing better is known."""
