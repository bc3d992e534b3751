"""The RPC methods of EVM networks and their wallets."""

from typing import Any, Final

from walletmodal.core.namespaces.eip155.params import (
    ASSETS,
    CHAIN,
    HASHES,
    HASHES_SCHEMA,
    IDS,
    OBJECTS,
    OPERATION_SCHEMA,
    SEND_CALLS,
    accounts_of_grants,
    bundle_of,
    capabilities,
    chains_of_calls,
    chains_of_objects,
    count_calls,
    granted_permissions,
    is_eip2255,
    permissions,
    revoked_permissions,
    user_operation,
)
from walletmodal.core.permissions.execution_permissions import MAX_REQUESTS
from walletmodal.core.requests.answers import bundle_id, evm_hash
from walletmodal.core.requests.method import Batch, MethodSpec, NamedChains
from walletmodal.core.requests.readers import (
    read_calls,
    read_evm_transaction,
    read_hex_or_text,
    read_operation,
    read_typed,
)
from walletmodal.core.requests.shapes import no_params
from walletmodal.core.requests.summary_calls import batch_summary, operation_summary, transaction_summary
from walletmodal.core.requests.summary_delegation import typed_data_dangers
from walletmodal.core.requests.summary_messages import message_summary
from walletmodal.core.requests.summary_permissions import grant_dangers, permissions_summary
from walletmodal.core.requests.summary_revocation import revocation_summary
from walletmodal.core.requests.summary_safe import signed_data_summary
from walletmodal.core.sign_in.message import sign_in_text
from walletmodal.core.wallets.capabilities import missing_capability


def _read(name: str, **rest: Any) -> MethodSpec:
    """A method that a node answers, and that changes nothing."""
    return MethodSpec(name, "node", repeatable=True, **rest)


METHODS: Final = (
    # Nodes
    _read("eth_blockNumber", params=no_params),
    _read("eth_call"),
    _read("eth_chainId", params=no_params),
    _read("eth_estimateGas"),
    _read("eth_estimateUserOperationGas", params=user_operation, documented=OPERATION_SCHEMA),
    _read("eth_feeHistory"),
    _read("eth_gasPrice", params=no_params),
    _read("eth_getAccount"),
    _read("eth_getBalance"),
    _read("eth_getBlockByHash"),
    _read("eth_getBlockByNumber"),
    _read("eth_getBlockReceipts"),
    _read("eth_getBlockTransactionCountByHash"),
    _read("eth_getBlockTransactionCountByNumber"),
    _read("eth_getCode"),
    _read("eth_getFilterLogs", filter="names"),
    _read("eth_getLogs"),
    _read("eth_getProof"),
    _read("eth_getStorageAt"),
    _read("eth_getTransactionByBlockHashAndIndex"),
    _read("eth_getTransactionByBlockNumberAndIndex"),
    _read("eth_getTransactionByHash"),
    _read("eth_getTransactionCount"),
    _read("eth_getTransactionReceipt"),
    _read("eth_getUncleCountByBlockHash"),
    _read("eth_getUncleCountByBlockNumber"),
    _read("eth_getUserOperationByHash", params=HASHES, documented=HASHES_SCHEMA),
    _read("eth_getUserOperationReceipt", params=HASHES, documented=HASHES_SCHEMA),
    _read("eth_maxPriorityFeePerGas", params=no_params),
    _read("eth_supportedEntryPoints", params=no_params),
    _read("eth_syncing", params=no_params),
    MethodSpec("eth_getFilterChanges", "node", filter="names"),
    MethodSpec("eth_newBlockFilter", "node", params=no_params, filter="makes"),
    MethodSpec("eth_newFilter", "node", filter="makes"),
    MethodSpec("eth_newPendingTransactionFilter", "node", params=no_params, filter="makes"),
    MethodSpec("eth_uninstallFilter", "node", filter="names"),
    # It is signed already.
    MethodSpec("eth_sendRawTransaction", "node", paired=True),
    # The modal
    MethodSpec("eth_accounts", "page", params=no_params, paired=True),
    MethodSpec("eth_requestAccounts", "account", params=no_params, paired=True, granted=list),
    MethodSpec(
        "wallet_requestPermissions", "account", params=permissions, most=1, paired=True, granted=granted_permissions
    ),
    MethodSpec("wallet_getPermissions", "modal", params=no_params, paired=True, granted=granted_permissions),
    MethodSpec("wallet_addEthereumChain", "modal", params=CHAIN, most=1, paired=True),
    MethodSpec("wallet_switchEthereumChain", "modal", params=CHAIN, most=1, paired=True),
    MethodSpec("net_version", "modal", params=no_params),
    MethodSpec("web3_clientVersion", "modal", params=no_params),
    # What only wallets know (EIP-5792, ERC-7811)
    MethodSpec(
        "wallet_getAssets",
        "wallet_read",
        params=ASSETS,
        most=1,
        paired=True,
        accounts=lambda params: [params[0]["account"]],
    ),
    MethodSpec("wallet_getCallsStatus", "wallet_read", params=IDS, most=1, paired=True),
    MethodSpec(
        "wallet_getCapabilities",
        "wallet_read",
        params=capabilities,
        most=2,
        paired=True,
        accounts=lambda params: (params or [])[:1],
    ),
    MethodSpec("wallet_showCallsStatus", "wallet_read", params=IDS, most=1, paired=True),
    # What wallets have of permissions (ERC-7715)
    MethodSpec("wallet_getGrantedExecutionPermissions", "wallet_read", params=no_params, paired=True),
    MethodSpec("wallet_getSupportedExecutionPermissions", "wallet_read", params=no_params, paired=True),
    # What wallets sign, send and grant
    MethodSpec(
        "personal_sign",
        "wallet",
        most=3,
        paired=True,
        signer=lambda params, _first: params[1],
        read=read_hex_or_text,
        sign_in=lambda message: ["0x" + sign_in_text(message).encode().hex(), message.account_id.address],
        summary=message_summary,
    ),
    MethodSpec(
        "eth_signTypedData_v4",
        "wallet",
        most=2,
        paired=True,
        signer=lambda params, _first: params[0],
        read=read_typed,
        summary=signed_data_summary,
        dangers=typed_data_dangers,
    ),
    MethodSpec(
        "eth_sendTransaction",
        "wallet",
        most=1,
        paired=True,
        signer=lambda params, _first: params[0]["from"],
        chains=NamedChains(lambda params: [params[0].get("chainId")]),
        read=read_evm_transaction,
        summary=transaction_summary,
        sends=True,
        answer=evm_hash,
    ),
    MethodSpec(
        "eth_sendUserOperation",
        "wallet",
        params=user_operation,
        most=2,
        opaque=True,
        read=read_operation,
        summary=operation_summary,
    ),
    MethodSpec(
        "wallet_sendCalls",
        "wallet",
        params=SEND_CALLS,
        most=1,
        paired=True,
        signer=lambda params, first: params[0].get("from", first),
        chains=NamedChains(chains_of_calls, elsewhere=True),
        batch=Batch(count_calls, bundle_of, missing_capability),
        optional=True,
        read=read_calls,
        summary=batch_summary,
        sends=True,
        answer=bundle_id,
    ),
    # Permissions (ERC-7715) build on EIP-5792: a wallet that has none of its methods has none of these.
    MethodSpec(
        "wallet_grantPermissions",
        "wallet",
        params=OBJECTS,
        paired=True,
        accounts=accounts_of_grants,
        chains=NamedChains(chains_of_objects, what="permission", elsewhere=True),
        optional=True,
        opaque=True,
        summary=permissions_summary,
        dangers=grant_dangers,
    ),
    MethodSpec(
        "wallet_requestExecutionPermissions",
        "wallet",
        params=OBJECTS,
        most=MAX_REQUESTS,
        paired=True,
        accounts=accounts_of_grants,
        chains=NamedChains(chains_of_objects, what="permission", elsewhere=True),
        optional=True,
        opaque=True,
        summary=permissions_summary,
        dangers=grant_dangers,
    ),
    MethodSpec(
        "wallet_revokeExecutionPermission",
        "wallet",
        params=revoked_permissions,
        paired=True,
        optional=True,
        opaque=True,
        summary=revocation_summary,
    ),
    MethodSpec(
        "wallet_revokePermissions",
        "wallet",
        params=revoked_permissions,
        paired=True,
        optional=True,
        opaque=True,
        summary=revocation_summary,
        variant=(is_eip2255, MethodSpec("wallet_revokePermissions", "modal", params=permissions)),
    ),
)

ONLY_PAIRED: Final = (
    "eth_sign",
    "eth_signTransaction",
    "eth_signTypedData",
    "eth_signTypedData_v3",
    "wallet_registerOnboarding",
    "wallet_watchAsset",
    "wallet_scanQRCode",
)
"""Pairings ask wallets for these, too; a host page cannot use them."""
