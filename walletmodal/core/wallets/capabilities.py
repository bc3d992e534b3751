"""Wallet capabilities (EIP-5792 `wallet_getCapabilities`), compared with what a request needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from walletmodal.core.errors.rpc import (
    AtomicityNotSupportedError,
    RpcError,
    UnsupportedNonOptionalCapabilityError,
    UnsupportedProviderMethodError,
)

UNKNOWN_METHOD: Final = frozenset({-32601, -32004, 4200})
"""With these a wallet says that it does not know a method."""

PAYMASTER_SERVICE: Final = "paymasterService"
"""A page's own paymaster (ERC-7677)."""

_ALL_CHAINS: Final = "0x0"
_OPERATIONS_HAVE: Final = {"atomic": {"status": "supported"}, PAYMASTER_SERVICE: {"supported": True}}


def missing_method(method: str) -> RpcError:
    """The refusal of a request whose wallet does not have its method."""
    return UnsupportedProviderMethodError("The wallet does not have this method", method=method)


def missing_capability(params: Any, capabilities: object, hex_chain: str) -> RpcError | None:
    """What a batch insists on and the wallet says that it cannot do; None where there is no such thing, or nobody can say.

    Args:
        params: of `wallet_sendCalls`, which has passed the checks of its form.
        capabilities: the wallet's answer, unchecked; one that has not the form of the standard says nothing.
        hex_chain: the network of the batch, such as `0x1`.
    """
    has = _of_chain(capabilities, hex_chain)
    if has is None:
        return None
    batch = params[0]
    atomic = has.get("atomic")
    if batch.get("atomicRequired") is True and isinstance(atomic, Mapping) and atomic.get("status") == "unsupported":
        return AtomicityNotSupportedError()
    calls = batch.get("calls")
    wanted = [batch.get("capabilities"), *(call.get("capabilities") for call in calls if isinstance(call, Mapping))]
    for named in wanted:
        if isinstance(named, Mapping) and any(_insists(terms) and _lacks(has, name) for name, terms in named.items()):
            return UnsupportedNonOptionalCapabilityError()
    return None


def missing_in_operation(params: Any, hex_chain: str) -> RpcError | None:
    """What a batch insists on and no user operation has, which is all that a smart account could make of it. Arguments as of `missing_capability`."""
    return missing_capability(params, {hex_chain: _OPERATIONS_HAVE}, hex_chain)


def makes_batches(capabilities: object, hex_chain: str) -> bool:
    """Whether the wallet carries out several calls as one transaction, or would once its owner agrees.

    Args:
        capabilities: the wallet's answer, unchecked.
        hex_chain: the network, such as `0x1`.
    """
    atomic = (_of_chain(capabilities, hex_chain) or {}).get("atomic")
    return isinstance(atomic, Mapping) and atomic.get("status") in ("supported", "ready")


def _insists(terms: object) -> bool:
    return not (isinstance(terms, Mapping) and terms.get("optional") is True)


def _lacks(has: Mapping[Any, Any], name: object) -> bool:
    said = has.get(name)
    return said is None or (isinstance(said, Mapping) and said.get("supported") is False)


def _of_chain(capabilities: object, hex_chain: str) -> dict[Any, Any] | None:
    """What counts on a network, with what counts on all of them."""
    if not isinstance(capabilities, Mapping):
        return None
    found = dict[Any, Any]()
    for chain in (_ALL_CHAINS, hex_chain):
        for key, value in capabilities.items():
            if isinstance(key, str) and key.lower() == chain and isinstance(value, Mapping):
                found.update(value)
    return found or None
