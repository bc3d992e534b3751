"""What the server can do on a namespace."""

from typing import Protocol

from walletmodal.core.addresses import AddressFault
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.networks import Network


class ChainAdapter(Protocol):
    """The server's side of one namespace. Building transfers and verifying signatures join with the features that need them."""

    @property
    def namespace(self) -> Namespace:
        """Which namespace it serves."""
        ...

    def address_fault(self, address: str) -> AddressFault | None:
        """What is wrong with an address, or None."""
        ...

    async def native_balance(self, chain: ChainId, address: str) -> int:
        """The native coin's balance in base units, read now.

        Raises:
            AddressError: the address is none.
            TransportError: it cannot be read.
        """
        ...

    def explorer_link(self, network: Network, address: str) -> str | None:
        """The explorer's page of an address, or None."""
        ...
