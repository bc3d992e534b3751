"""Which RPC methods a host may use, and who answers them."""

from collections.abc import Mapping
from typing import Final, Literal

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import UNSUPPORTED_METHOD
from walletmodal.core.text.display_text import clean_text

MethodClass = Literal["safe", "unsafe", "modal", "refused"]

EVM_READS: Final = frozenset(
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
    }
)
"""They only read: asking again, or asking once for several, makes no difference. Named one by one, for what is left out is only slower."""

FILTER_MAKERS: Final = frozenset({"eth_newBlockFilter", "eth_newFilter", "eth_newPendingTransactionFilter"})
FILTER_USES: Final = frozenset({"eth_getFilterChanges", "eth_getFilterLogs", "eth_uninstallFilter"})
"""Their first parameter is the id of a filter, which one node has and no other."""

SAFE_METHODS: Final = (
    EVM_READS
    | FILTER_MAKERS
    | FILTER_USES
    | frozenset(
        {
            "eth_accounts",
            "eth_sendRawTransaction",
            "wallet_getAssets",
            "wallet_getCallsStatus",
            "wallet_getCapabilities",
        }
    )
)
"""Read-only, or already signed: no approval."""

UNSAFE_METHODS: Final = frozenset(
    {
        "eth_sendTransaction",
        "eth_sendUserOperation",
        "eth_signTypedData_v4",
        "personal_sign",
        "solana_signAllTransactions",
        "solana_signAndSendTransaction",
        "solana_signMessage",
        "solana_signTransaction",
        "wallet_grantPermissions",
        "wallet_revokePermissions",
        "wallet_sendCalls",
    }
)
"""They sign, send or grant: checked before the wallet is asked."""

WALLET_METHODS: Final[Mapping[Namespace, frozenset[str]]] = {
    "eip155": frozenset(method for method in UNSAFE_METHODS if not method.startswith("solana_")),
    "solana": frozenset(method for method in UNSAFE_METHODS if method.startswith("solana_")),
    "bip122": frozenset({"getAccountAddresses", "sendTransfer", "signMessage", "signPsbt"}),
    "polkadot": frozenset({"polkadot_signMessage"}),
}
"""What a namespace's wallets are asked, under the names that pairings use. `UNSAFE_METHODS` are those that go to wallets."""

WALLET_READS: Final = frozenset(
    {"wallet_getAssets", "wallet_getCallsStatus", "wallet_getCapabilities", "wallet_showCallsStatus"}
)
"""Only the wallet knows, and nothing is signed (EIP-5792, ERC-7811): it is asked without more ado. `wallet_showCallsStatus` is in
neither list; it belongs to the others."""

ACCOUNT_REQUESTS: Final[Mapping[str, Namespace]] = {
    "eth_requestAccounts": "eip155",
    "wallet_requestPermissions": "eip155",
    "solana_requestAccounts": "solana",
}
"""They wait for an account of their namespace, and open the modal for it."""

MODAL_METHODS: Final = frozenset(
    {
        "eth_requestAccounts",
        "net_version",
        "wallet_addEthereumChain",
        "wallet_getPermissions",
        "wallet_requestPermissions",
        "wallet_switchEthereumChain",
        "web3_clientVersion",
    }
)
"""In neither list; answered by the modal itself."""

NOT_ALLOWED: Final = "Requested RPC call is not allowed"
"""For the console of a host's developer; a visitor reads `texts.ACTION_NOT_ALLOWED`."""

METHOD_NOT_ALLOWED: Final = "RPC method not allowed"
"""What the call itself is refused with."""


class MethodNotAllowedError(WalletModalError):
    """A method that is in no list; 4200 is EIP-1193's unsupported method.

    Args:
        method: as the host spelled it.
    """

    name = "MethodNotAllowedError"
    default_code = UNSUPPORTED_METHOD

    def __init__(self, method: str) -> None:
        self.method = method
        super().__init__(METHOD_NOT_ALLOWED, details=NOT_ALLOWED, meta=[f"Method: {clean_text(method, limit=64)}"])


def classify(method: str, params: object = None) -> MethodClass:
    """Who answers a method: a node (`safe`), the wallet (`unsafe`), the modal itself (`modal`), or nobody (`refused`).

    `wallet_revokePermissions` has two meanings: EIP-2255's, a list of objects keyed by method names, is the modal's; that of
    granted call permissions (ERC-7715) is the wallet's.
    """
    if method == "wallet_revokePermissions":
        return "modal" if _is_eip2255(params) else "unsafe"
    if method in SAFE_METHODS | WALLET_READS:
        return "safe"
    if method in UNSAFE_METHODS:
        return "unsafe"
    return "modal" if method in MODAL_METHODS else "refused"


def _is_eip2255(params: object) -> bool:
    if not isinstance(params, list | tuple) or not params:
        return False
    return all(
        isinstance(entry, dict) and entry and all(_is_grant(*item) for item in entry.items()) for entry in params
    )


def _is_grant(name: object, caveats: object) -> bool:
    return isinstance(name, str) and name.startswith(("eth_", "wallet_")) and isinstance(caveats, dict)
