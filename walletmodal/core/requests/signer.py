"""Which account a request of the host names as the one that is to sign."""

from collections.abc import Callable, Mapping
from typing import Any

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import Namespace


def signer(namespace: Namespace, method: str, params: Any, first: str) -> str:
    """The account that is to sign, where a method puts it (EIP-191, EIP-712, EIP-1193, the pairings' own), in its normal spelling.

    Args:
        namespace: of the request.
        method: a method of `WALLET_METHODS`.
        params: unchecked JSON of the host.
        first: the account that signs where a method names none.

    Raises:
        TypeError, ValueError, KeyError, IndexError, AttributeError: the parameters have another form than the method's.
        AddressError: what stands there is no address.
    """
    places: dict[str, Callable[[], Any]] = {
        "personal_sign": lambda: params[1],
        "eth_signTypedData_v4": lambda: params[0],
        "eth_sendTransaction": lambda: params[0]["from"],
        "wallet_sendCalls": lambda: params[0].get("from", first),
        "solana_signMessage": lambda: params["pubkey"],
        "solana_signTransaction": lambda: _of_transactions(params, first),
        "solana_signAllTransactions": lambda: _of_transactions(params, first),
        "solana_signAndSendTransaction": lambda: _of_transactions(params, first),
        "signMessage": lambda: params["address"],
        "sendTransfer": lambda: params["account"],
        "polkadot_signMessage": lambda: params["address"],
    }
    named = places.get(method)
    found = first if named is None else named()
    if namespace == "eip155" and not found.startswith("0x"):
        # Some wallets would not know it for an address, and take the message that stands beside it for one.
        raise ValueError("an address without 0x")
    return normal_address(namespace, found)


def _of_transactions(params: Mapping[str, Any], first: str) -> str:
    """The loader and the pairings' wallets take the one or the other name, so both must say the same."""
    named = {params[name] for name in ("pubkey", "account") if params.get(name) is not None}
    if len(named) > 1:
        raise ValueError("two accounts")
    return named.pop() if named else first
