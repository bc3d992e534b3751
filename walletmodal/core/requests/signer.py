"""Account that a host's request names as the one that is to sign."""

from typing import Any

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.requests.method import MethodSpec


def find_signer(namespace: Namespace, spec: MethodSpec, params: Any, first: str) -> str:
    """Finds the account that is to sign, where a method puts it (EIP-191, EIP-712, EIP-1193, the pairings' own), in its normal spelling.

    Args:
        namespace: of the request.
        spec: of its method.
        params: unchecked JSON of the host.
        first: the account that signs where a method names none.

    Raises:
        TypeError, ValueError, KeyError, IndexError, AttributeError: the parameters have another form than the method's.
        AddressError: what stands there is no address.
    """
    found = spec.signer(params, first)
    if namespace == "eip155" and not found.startswith("0x"):
        # Some wallets would not know it for an address, and take the message that stands beside it for one.
        raise ValueError("an address without 0x")
    return normal_address(namespace, found)
