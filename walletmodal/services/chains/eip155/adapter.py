"""The EVM side of `ChainAdapter`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from walletmodal.core.chains.addresses import address_fault, normal_address
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.errors.flow import UnsupportedChainError
from walletmodal.core.namespaces.descriptor import AddressFault
from walletmodal.core.transfers.fees import FeeQuote, Speed
from walletmodal.core.transfers.send import Transfer
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Simulation
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.services.chains.adapter import Authorship, Finding, PreparedTransfer, Token, TransportOf
from walletmodal.services.chains.eip155.answers import read_quantity
from walletmodal.services.chains.eip155.batch_simulation import simulate_batch
from walletmodal.services.chains.eip155.outcomes import EvmOutcomes
from walletmodal.services.chains.eip155.tokens import Erc20Tokens
from walletmodal.services.chains.eip155.transaction_simulation import TransactionSimulation, transaction_of
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

    async def token_supply(self, chain: ChainId, address: str) -> int:
        """`totalSupply` of an ERC-20 contract.

        Raises:
            AddressError: the address is none.
            NetworkError: there is no ERC-20 contract at the address.
            TransportError: the node cannot be asked.
        """
        return await Erc20Tokens(self._transport(chain), chain).supply(address)

    async def is_token(self, chain: ChainId, address: str) -> bool:
        """Whether a contract answers as an ERC-20, ERC-721 or ERC-1155 token.

        Raises:
            AddressError: the address is none.
            TransportError: the node cannot be asked.
        """
        return await Erc20Tokens(self._transport(chain), chain).is_token(normal_address("eip155", address))

    async def transfer_fee(self, chain: ChainId, sender: str, token: str | None = None) -> FeeQuote:
        """What gas for a transfer of the native coin or of an ERC-20 token costs.

        Raises:
            AddressError, TransportError: as `ChainAdapter.transfer_fee`.
        """
        opened: type[EvmTransfers] = await lazily(f"{_HERE}.transfers", "EvmTransfers")
        return await opened(self._transport(chain)).fee(chain, sender, token)

    async def simulate(self, prepared: PreparedTransfer, sender: str, receiver: str) -> Simulation:
        """What an `eth_sendTransaction` would do, or to its own account a `wallet_sendCalls`; other methods are not simulated.

        Raises:
            AddressError, MalformedResponseError, TransportError: as `ChainAdapter.simulate`.
        """
        if prepared.method == "wallet_sendCalls":
            return await simulate_batch(self._transport, prepared.chain, prepared.params, sender)
        if prepared.method != "eth_sendTransaction":
            return NOT_SIMULATED
        chain, request = prepared.chain, transaction_of(prepared.params)
        return await TransactionSimulation(self._transport(chain), chain).simulate(request, sender, receiver)

    async def authorship(self, chain: ChainId, transaction_hash: str, address: str) -> Authorship:
        """`own` where `eth_getTransactionByHash` knows a transaction of the account by that hash; `unclear` where the account has code.

        Raises:
            AddressError: the address is none.
            TransportError: the node cannot be asked.
        """
        account, transport = normal_address("eip155", address), self._transport(chain)
        found, code = await asyncio.gather(
            transport.request("eth_getTransactionByHash", [transaction_hash]),
            transport.request("eth_getCode", [account, "latest"]),
        )
        sender = found.get("from") if isinstance(found, Mapping) else None
        if isinstance(sender, str) and sender.lower() == account.lower():
            return "own"
        return "unclear" if found is not None and code not in ("0x", None) else "foreign"

    async def build_transfer(
        self, sender: str, transfer: Transfer, speed: Speed = "normal", *, sponsored: bool = False
    ) -> PreparedTransfer:
        """`eth_sendTransaction` of a native or ERC-20 transfer, with gas, fees and nonce.

        Raises:
            AddressError, AmountError, NetworkError, NodeError, SendError, TransportError: as `ChainAdapter.build_transfer`.
        """
        opened: type[EvmTransfers] = await lazily(f"{_HERE}.transfers", "EvmTransfers")
        return await opened(self._transport(transfer.chain)).build(sender, transfer, speed, sponsored=sponsored)

    async def height(self, chain: ChainId) -> int:
        """`eth_blockNumber`. Raises TransportError."""
        return await EvmOutcomes(self._transport(chain), chain).height()

    async def find_transaction(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        """By its hash, by what took its nonce, or among what the account has sent since.

        Raises:
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        return await EvmOutcomes(self._transport(asked.chain), asked.chain).find(asked, taken)

    async def broadcast(self, chain: ChainId, signed: str) -> str:
        """Raises UnsupportedChainError: EVM wallets send themselves."""
        raise UnsupportedChainError(str(chain))

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

    async def _signatures(self, chain: ChainId) -> EvmSignatures:
        opened: type[EvmSignatures] = await lazily(f"{_HERE}.signatures", "EvmSignatures")
        return opened(self._transport, chain)
