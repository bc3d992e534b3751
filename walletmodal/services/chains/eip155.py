"""EVM networks."""

import re
from collections.abc import Callable
from typing import Final

from walletmodal.core.addresses import AddressFault, address_fault, normal_address
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.errors import MalformedResponseError
from walletmodal.core.networks import Network
from walletmodal.services.rpc.transport import RpcTransport

_QUANTITY: Final = re.compile(r"0x(?:0|[1-9a-fA-F][0-9a-fA-F]{0,63})")


class Eip155Adapter:
    """The EVM side of `ChainAdapter`.

    Args:
        transport: gives the way to a network's nodes, such as `RpcEndpoints.transport`.
    """

    namespace: Namespace = "eip155"

    def __init__(self, transport: Callable[[ChainId], RpcTransport]) -> None:
        self._transport = transport

    def address_fault(self, address: str) -> AddressFault | None:
        """Malformed, or a wrong EIP-55 checksum."""
        return address_fault("eip155", address)

    async def native_balance(self, chain: ChainId, address: str) -> int:
        """`eth_getBalance` at the latest block, in wei.

        Raises:
            AddressError: the address is none.
            TransportError: no answer, or one that is no quantity.
        """
        checked = normal_address("eip155", address)
        result = await self._transport(chain).request("eth_getBalance", [checked, "latest"])
        if not isinstance(result, str) or not _QUANTITY.fullmatch(result):
            raise MalformedResponseError(url=str(chain), details="eth_getBalance answered with no quantity")
        return int(result, 16)

    def explorer_link(self, network: Network, address: str) -> str | None:
        """`<explorer>/address/<address>`, or None when the network has no explorer or the address is none."""
        if self.address_fault(address) is not None:
            return None
        return network.explorer_address_url(normal_address("eip155", address))
