"""The EVM side of `ChainAdapter`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from walletmodal.core.addresses import AddressFault, address_fault, normal_address
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.networks import Network
from walletmodal.core.send import Transfer
from walletmodal.services.chains.adapter import PreparedTransfer, Token, TransportOf
from walletmodal.services.chains.eip155.answers import read_quantity
from walletmodal.services.chains.eip155.tokens import Erc20Tokens
from walletmodal.services.chains.lazily import lazily

if TYPE_CHECKING:
    from walletmodal.services.chains.eip155.signatures import EvmSignatures
    from walletmodal.services.chains.eip155.transfers import EvmTransfers

_HERE: Final = "walletmodal.services.chains.eip155"


class Eip155Adapter:
    """The EVM side of `ChainAdapter`.

    Args:
        transport: gives the way to a network's nodes, such as `RpcEndpoints.transport`.
    """

    namespace: Namespace = "eip155"

    def __init__(self, transport: TransportOf) -> None:
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
        return read_quantity(result, "eth_getBalance", chain)

    async def token_balances(self, chain: ChainId, address: str, tokens: Sequence[Token]) -> Mapping[str, int]:
        """`balanceOf` of each ERC-20 contract at the latest block.

        Raises:
            AddressError: the address is none.
            TransportError: the node cannot be asked.
        """
        checked = normal_address("eip155", address)
        return await Erc20Tokens(self._transport(chain), chain).balances(checked, tokens)

    async def read_token(self, chain: ChainId, address: str) -> Token:
        """`name`, `symbol` and `decimals` of an ERC-20 contract.

        Raises:
            AddressError: the address is none.
            NetworkError: there is no ERC-20 contract at the address.
            TransportError: the node cannot be asked.
        """
        return await Erc20Tokens(self._transport(chain), chain).token(address)

    async def build_transfer(self, sender: str, transfer: Transfer) -> PreparedTransfer:
        """`eth_sendTransaction` of a native or ERC-20 transfer, with gas, fees and nonce.

        Raises:
            AddressError, AmountError, NetworkError, NodeError, SendError, TransportError: as `ChainAdapter.build_transfer`.
        """
        opened: type[EvmTransfers] = await lazily(f"{_HERE}.transfers", "EvmTransfers")
        return await opened(self._transport(transfer.chain)).build(sender, transfer)

    async def verify_message(self, chain: ChainId, address: str, message: str | bytes, signature: str) -> bool:
        """Whether the account signed a message by `personal_sign` (EIP-191).

        Its key can have signed (EOA), its code can say so (ERC-1271), or the code that it will have (ERC-6492).

        Args:
            chain: where a contract account is asked; a key is not asked for anywhere.
            address: the account.
            message: before the prefix of EIP-191.
            signature: hexadecimal with 0x.

        Raises:
            AddressError: the address is none.
            TransportError: only a contract could tell, and it cannot be asked now.
        """
        signatures = await self._signatures(chain)
        return await signatures.verify_message(address, message, signature)

    async def verify_typed_data(
        self, chain: ChainId, address: str, typed_data: Mapping[str, object], signature: str
    ) -> bool:
        """As `verify_message`, for `eth_signTypedData_v4` (EIP-712).

        Args:
            chain: as above.
            address: the account.
            typed_data: `types`, `primaryType`, `domain` and `message`.
            signature: hexadecimal with 0x.

        Raises:
            AddressError: the address is none.
            ShapeError: it is no typed data.
            TransportError: only a contract could tell, and it cannot be asked now.
        """
        digest_of: Callable[[Mapping[str, object]], bytes] = await lazily(f"{_HERE}.typed_data", "typed_data_digest")
        signatures = await self._signatures(chain)
        return await signatures.verify(address, digest_of(typed_data), signature)

    def explorer_link(self, network: Network, address: str) -> str | None:
        """`<explorer>/address/<address>`, or None when the network has no explorer or the address is none."""
        if self.address_fault(address) is not None:
            return None
        return network.explorer_address_url(normal_address("eip155", address))

    async def _signatures(self, chain: ChainId) -> EvmSignatures:
        opened: type[EvmSignatures] = await lazily(f"{_HERE}.signatures", "EvmSignatures")
        return opened(self._transport, chain)
