"""Accounts as operators write them."""

from walletmodal.core.chains.addresses import address_fault, normal_address
from walletmodal.core.chains.caip import NAMESPACES, Namespace, parse_account_id
from walletmodal.core.errors import AddressError


def account_of(text: str) -> tuple[Namespace, str]:
    """The namespace and the address, in its normal spelling, of an address of any namespace or of a CAIP-10 account on any network.

    Raises:
        AddressError, CaipError: it is neither.
    """
    if ":" in text:
        account = parse_account_id(text)
        return account.namespace, normal_address(account.namespace, account.address)
    for namespace in NAMESPACES:
        if address_fault(namespace, text) is None:
            return namespace, normal_address(namespace, text)
    if text.lower().startswith("0x"):
        # Says what is wrong with it.
        normal_address("eip155", text)
    raise AddressError("Invalid address", details="of no namespace")
