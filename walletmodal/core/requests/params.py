"""The parameters of every RPC method that a host may use.

What the reference accepts is accepted here, and repaired where it refuses or loses something that the method's own standard has:

* the five methods of ERC-4337 bundlers (ERC-7769), which its lists name and its shapes forget;
* `eth_syncing`, which has no parameters, may come without a list of them;
* `wallet_getCapabilities` keeps its account and chains (EIP-5792), `wallet_getCallsStatus` needs its id;
* `wallet_getAssets` needs its account (ERC-7811), and permissions are granted and taken back (ERC-7715) by at least one object;
* `wallet_sendCalls` needs its one request object, and fields that are not checked reach the wallet as they came.
"""

import re
from typing import Any, Final, TypeAlias

from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.parsing.schema import (
    INVALID,
    MISSING,
    REQUIRED,
    Path,
    Schema,
    anything,
    array,
    boolean,
    either,
    number,
    one_of,
    record,
    text,
)
from walletmodal.core.requests.methods import (
    MODAL_METHODS,
    SAFE_METHODS,
    UNSAFE_METHODS,
    WALLET_READS,
    MethodNotAllowedError,
)
from walletmodal.core.text.display_text import clean_text

Params: TypeAlias = list[Any] | dict[str, Any]

_HEX_CHAIN: Final = re.compile(r"0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,31})")
"""A quantity of JSON-RPC: no zeros in front, which some wallets would not read."""
_HEX_ADDRESS: Final = re.compile(r"0x[0-9a-fA-F]{40}")
_SATOSHIS: Final = re.compile(r"[1-9][0-9]{0,15}")
_HEX_HASH: Final = re.compile(r"0x[0-9a-fA-F]{64}")

PERMISSION: Final = "eth_accounts"
"""The one permission of EIP-2255 that pages can have here."""

_LIST: Final = array(anything)
_LIST_OR_OBJECT: Final[Schema[Params]] = either(_LIST, record())


def _none(value: object, path: Path) -> Params:
    """A method without parameters: those that a host sends all the same, as a list, are left out."""
    if value is not MISSING and value != {}:
        _LIST(value, path)
    return []


def _whatever(value: object, path: Path) -> Params:
    if value is MISSING:
        return []
    return _LIST_OR_OBJECT(value, path)


def _capabilities(value: object, path: Path) -> Params:
    """EIP-5792: the account, then chains. Who names none asks about the wallet."""
    given = [] if value is MISSING else _LIST(value, path)
    return [text()(given[0], (*path, 0)), *given[1:]] if given else []


def _revoked(value: object, path: Path) -> Params:
    """The drafts of ERC-7715 have an object or a list of them; nothing cannot be taken back."""
    given: Params = either(array(record(), at_least=1), record())(value, path)
    if not given:
        raise PayloadError(REQUIRED, details=".".join(map(str, path)))
    return given


def _permissions(value: object, path: Path) -> Params:
    """EIP-2255: what is asked for, by the method's name. There is one permission that can be had."""
    given: Params = array(record({PERMISSION: record()}), at_least=1)(value, path)
    for at, entry in enumerate(given):
        for name in entry:
            if name != PERMISSION:
                raise PayloadError(INVALID, details=f"{'.'.join(map(str, path))}[{at}].{clean_text(name, limit=64)}")
    return given


def _user_operation(value: object, path: Path) -> Params:
    """ERC-7769: the operation and the entry point; an estimate may have state overrides behind them."""
    given = array(anything, at_least=2)(value, path)
    operation = record()(given[0], (*path, 0))
    entry_point = text(prefix="0x", pattern=_HEX_ADDRESS)(given[1], (*path, 1))
    return [operation, entry_point, *given[2:]]


_HASH: Final = array(text(prefix="0x", pattern=_HEX_HASH), at_least=1)
_CHAIN: Final = array(record({"chainId": text(prefix="0x", pattern=_HEX_CHAIN)}), at_least=1)

_CALL: Final = record({"to": text(prefix="0x")}, {"data": text(prefix="0x"), "value": text()})
_SEND_CALLS: Final = array(
    record(
        {"calls": array(_CALL)},
        {
            "chainId": either(text(), number),
            "from": text(),
            "version": text(),
            "id": text(),
            "atomicRequired": boolean,
            "capabilities": anything,
        },
    ),
    at_least=1,
)

_COMMITMENTS: Final = ("processed", "confirmed", "finalized", "recent", "single", "singleGossip", "root", "max")
_SEND_OPTIONS: Final = record(
    optional={
        "skipPreflight": boolean,
        "preflightCommitment": one_of(*_COMMITMENTS),
        "maxRetries": number,
        "minContextSlot": number,
    }
)

_WITHOUT: Final = (
    "eth_accounts",
    "eth_blockNumber",
    "eth_chainId",
    "eth_gasPrice",
    "eth_maxPriorityFeePerGas",
    "eth_newBlockFilter",
    "eth_newPendingTransactionFilter",
    "eth_requestAccounts",
    "eth_supportedEntryPoints",
    "eth_syncing",
    "net_version",
    "wallet_getPermissions",
    "web3_clientVersion",
)

_OWN_SHAPES: Final[dict[str, Schema[Params]]] = {
    **dict.fromkeys(_WITHOUT, _none),
    "eth_estimateUserOperationGas": _user_operation,
    "eth_getUserOperationByHash": _HASH,
    "eth_getUserOperationReceipt": _HASH,
    "eth_sendUserOperation": _user_operation,
    "solana_signAllTransactions": record({"transactions": array(text())}),
    "solana_signAndSendTransaction": record(
        {"transaction": text()}, {"options": _SEND_OPTIONS, "sendOptions": _SEND_OPTIONS}
    ),
    "solana_signMessage": record({"message": text(), "pubkey": text()}),
    "solana_signTransaction": record({"transaction": text()}),
    "wallet_addEthereumChain": _CHAIN,
    "wallet_getAssets": array(record({"account": text()}), at_least=1),
    "wallet_getCallsStatus": array(text(), at_least=1),
    "wallet_getCapabilities": _capabilities,
    "wallet_grantPermissions": array(record(), at_least=1),
    "wallet_requestPermissions": _permissions,
    "wallet_revokePermissions": _revoked,
    "wallet_sendCalls": _SEND_CALLS,
    "wallet_showCallsStatus": array(text(), at_least=1),
    "wallet_switchEthereumChain": _CHAIN,
}

_WALLET_SHAPES: Final[dict[str, Schema[Params]]] = {
    "getAccountAddresses": _whatever,
    "sendTransfer": record({"recipientAddress": text(), "amount": text(pattern=_SATOSHIS), "account": text()}),
    "signMessage": record({"message": text(), "address": text()}, {"protocol": one_of("ecdsa", "bip322")}),
    "signPsbt": record({"psbt": text()}, {"signInputs": array(anything), "broadcast": boolean}),
    "polkadot_signMessage": record({"address": text(), "message": text()}),
}
"""Of the methods that only wallets of bip122 and polkadot have."""

_SHAPES: Final[dict[str, Schema[Params]]] = {
    **{
        method: _OWN_SHAPES.get(method, _LIST)
        for method in SAFE_METHODS | UNSAFE_METHODS | MODAL_METHODS | WALLET_READS
    },
    **_WALLET_SHAPES,
}


_MOST: Final = {
    "eth_sendTransaction": 1,
    "eth_sendUserOperation": 2,
    "eth_signTypedData_v4": 2,
    "personal_sign": 3,
    "wallet_addEthereumChain": 1,
    "wallet_getAssets": 1,
    "wallet_getCallsStatus": 1,
    "wallet_getCapabilities": 2,
    "wallet_requestPermissions": 1,
    "wallet_sendCalls": 1,
    "wallet_showCallsStatus": 1,
    "wallet_switchEthereumChain": 1,
}
"""How many entries each method has that something is read of. Further ones would reach the wallet unseen; of permissions each is one."""


def check_revoked_permissions(params: object) -> None:
    """Of EIP-2255, which `wallet_revokePermissions` has in the same form; `rpc_methods.classify` tells it from ERC-7715's.

    Raises:
        PayloadError: something else is to be taken back than a page has here.
    """
    _permissions(params, ("params",))


def check_params(method: str, params: object = None) -> Params:
    """The parameters of a call as they may be sent on: lists and objects anew, an empty list where a method has none.

    Args:
        method: name of a listed method, its case exact.
        params: JSON; None when the host sent none.

    Raises:
        MethodNotAllowedError: the method is in no list.
        PayloadError: the parameters have the wrong shape; `details` says where.
    """
    shape = _SHAPES.get(method)
    if shape is None:
        raise MethodNotAllowedError(method)
    found, most = shape(MISSING if params is None else params, ("params",)), _MOST.get(method)
    if most is not None and len(found) > most:
        raise PayloadError(INVALID, details=f"params[{most}]")
    return found
