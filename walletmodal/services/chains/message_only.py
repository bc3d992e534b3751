"""Adapter of namespaces on which the modal only signs in: no balances, no transfers."""

from collections.abc import Collection, Mapping, Sequence

from walletmodal.core.chains.addresses import address_fault, normal_address
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.errors import NetworkError
from walletmodal.core.errors.flow import UnsupportedChainError
from walletmodal.core.namespaces.descriptor import AddressFault
from walletmodal.core.text.texts import UNSUPPORTED_CHAIN
from walletmodal.core.transfers.fees import FeeQuote, Speed
from walletmodal.core.transfers.send import Transfer
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Simulation
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.services.chains.adapter import Authorship, Finding, PreparedTransfer, Token


class MessageOnlyAdapter:
    """`ChainAdapter` without balances, tokens and transfers; who extends it verifies signatures.

    Attributes:
        namespace: of the one that extends it.
    """

    namespace: Namespace

    def address_fault(self, address: str) -> AddressFault | None:
        """What the rules of the namespace find wrong with it, or None."""
        return address_fault(self.namespace, address)

    async def native_balance(self, chain: ChainId, address: str) -> int:
        """Raises NetworkError: balances of this namespace are not read; AddressError first, for what is no address."""
        normal_address(self.namespace, address)
        raise NetworkError(UNSUPPORTED_CHAIN, details=str(chain))

    async def token_balances(self, chain: ChainId, address: str, tokens: Sequence[Token]) -> Mapping[str, int]:
        """None: there are no tokens here."""
        normal_address(self.namespace, address)
        return {}

    async def read_token(self, chain: ChainId, address: str) -> Token:
        """Raises NetworkError: there are no tokens here."""
        raise NetworkError(UNSUPPORTED_CHAIN, details=str(chain))

    async def token_supply(self, chain: ChainId, address: str) -> int:
        """Raises NetworkError: there are no tokens here."""
        raise NetworkError(UNSUPPORTED_CHAIN, details=str(chain))

    async def build_transfer(
        self,
        sender: str,
        transfer: Transfer,
        speed: Speed = "normal",
        *,
        sponsored: bool = False,
    ) -> PreparedTransfer:
        """Raises UnsupportedChainError: transfers are not made on this namespace."""
        raise UnsupportedChainError(str(transfer.chain))

    async def transfer_fee(self, chain: ChainId, sender: str, token: str | None = None) -> FeeQuote:
        """Raises UnsupportedChainError: transfers are not made on this namespace."""
        raise UnsupportedChainError(str(chain))

    async def simulate(self, prepared: PreparedTransfer, sender: str, receiver: str) -> Simulation:
        """Simulates nothing here."""
        return NOT_SIMULATED

    async def is_token(self, chain: ChainId, address: str) -> bool:
        """False: there are no tokens here."""
        normal_address(self.namespace, address)
        return False

    async def authorship(self, chain: ChainId, transaction_hash: str, address: str) -> Authorship:
        """Raises NetworkError: transactions of this namespace are not read."""
        raise NetworkError(UNSUPPORTED_CHAIN, details=str(chain))

    async def height(self, chain: ChainId) -> int:
        """Raises UnsupportedChainError: transactions are not followed on this namespace."""
        raise UnsupportedChainError(str(chain))

    async def find_transaction(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        """Raises UnsupportedChainError: transactions are not followed on this namespace."""
        raise UnsupportedChainError(str(asked.chain))

    async def broadcast(self, chain: ChainId, signed: str) -> str:
        """Raises UnsupportedChainError: transfers are not made on this namespace."""
        raise UnsupportedChainError(str(chain))
