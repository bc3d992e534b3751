"""The Solana side of `ChainAdapter`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from walletmodal.core.chains.addresses import address_fault, normal_address
from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.errors import NetworkError
from walletmodal.core.namespaces.descriptor import AddressFault
from walletmodal.core.text.texts import UNSUPPORTED_CHAIN
from walletmodal.core.transfers.fees import FeeQuote, Speed
from walletmodal.core.transfers.send import Transfer
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Simulation
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.services.chains.adapter import Authorship, Finding, PreparedTransfer, Token, TransportOf
from walletmodal.services.chains.lazily import lazily
from walletmodal.services.chains.solana.outcomes import SolanaOutcomes
from walletmodal.services.chains.solana.reads import TOKEN_PROGRAMS, SolanaReads
from walletmodal.services.chains.solana.transaction_simulation import TransactionSimulation, transaction_of

if TYPE_CHECKING:
    from walletmodal.services.chains.solana.transfers import SolanaTransfers

_HERE: Final = "walletmodal.services.chains.solana"


class SolanaAdapter:
    """The Solana side of `ChainAdapter`.

    Args:
        transport: gives the way to a network's nodes, such as `RpcEndpoints.transport`.
    """

    namespace: Namespace = "solana"

    def __init__(self, transport: TransportOf) -> None:
        self._transport = transport

    def address_fault(self, address: str) -> AddressFault | None:
        """Malformed: not the base58 form of 32 bytes. There is no checksum."""
        return address_fault("solana", address)

    async def native_balance(self, chain: ChainId, address: str) -> int:
        """`getBalance`, in lamports.

        Raises:
            AddressError: the address is none.
            TransportError: no answer, or one that is no amount.
        """
        checked = normal_address("solana", address)
        return await SolanaReads(self._transport(chain), chain).lamports(checked)

    async def token_balances(self, chain: ChainId, address: str, tokens: Sequence[Token]) -> Mapping[str, int]:
        """What all token accounts of an owner hold of each mint, of both token programs; 0 where there is no account.

        Raises:
            AddressError: the address is none.
            TransportError: the node cannot be asked, or answers with no accounts.
        """
        checked = normal_address("solana", address)
        if not tokens:
            return {}
        reads = SolanaReads(self._transport(chain), chain)
        rows = await asyncio.gather(*(reads.holdings(checked, {"programId": program}) for program in TOKEN_PROGRAMS))
        held = {token.address: 0 for token in tokens}
        for holding in (holding for row in rows for holding in row):
            if holding.mint in held:
                held[holding.mint] += holding.amount
        return held

    async def read_token(self, chain: ChainId, address: str) -> Token:
        """The decimals of a mint. A mint tells no name, so its address stands for one.

        Raises:
            AddressError: the address is none.
            NetworkError: there is no mint at the address.
            TransportError: the node cannot be asked.
        """
        checked = normal_address("solana", address)
        mint = await SolanaReads(self._transport(chain), chain).mint(checked)
        return Token(checked, checked, checked[:4], mint.decimals)

    async def token_supply(self, chain: ChainId, address: str) -> int:
        """Raises NetworkError: supplies of mints are not read."""
        raise NetworkError(UNSUPPORTED_CHAIN, details=str(chain))

    async def is_token(self, chain: ChainId, address: str) -> bool:
        """Whether there is a mint, a token account or a program at an address, which are nobody's to spend from.

        Raises:
            AddressError: the address is none.
            TransportError: the node cannot be asked.
        """
        account = await SolanaReads(self._transport(chain), chain).account(normal_address("solana", address))
        return account is not None and (account.mint or account.holding or account.executable)

    async def transfer_fee(self, chain: ChainId, sender: str, token: str | None = None) -> FeeQuote:
        """What a transfer of SOL or of a token costs; for a token, that the receiver's account has to be opened is counted in.

        Raises:
            AddressError, TransportError: as `ChainAdapter.transfer_fee`.
        """
        opened: type[SolanaTransfers] = await lazily(f"{_HERE}.transfers", "SolanaTransfers")
        return await opened(self._transport(chain), chain).fee(sender, token)

    async def simulate(self, prepared: PreparedTransfer, sender: str, receiver: str) -> Simulation:
        """What a `solana_signAndSendTransaction` would do; other methods are not simulated.

        Raises:
            AddressError, MalformedResponseError, TransportError: as `ChainAdapter.simulate`.
        """
        if prepared.method != "solana_signAndSendTransaction":
            return NOT_SIMULATED
        simulation = TransactionSimulation(self._transport(prepared.chain), prepared.chain)
        return await simulation.simulate(transaction_of(prepared.params), sender, receiver)

    async def authorship(self, chain: ChainId, transaction_hash: str, address: str) -> Authorship:
        """`own`: what leaves an account of this namespace has left it with its signature, or with that of one whom it let."""
        normal_address("solana", address)
        return "own"

    async def build_transfer(
        self,
        sender: str,
        transfer: Transfer,
        speed: Speed = "normal",
        *,
        sponsored: bool = False,
    ) -> PreparedTransfer:
        """`solana_signAndSendTransaction` with an unsigned transaction of SOL or of a token, simulated by the node.

        Raises:
            AddressError, AmountError, NetworkError, SendError, TransportError: as `ChainAdapter.build_transfer`.
        """
        opened: type[SolanaTransfers] = await lazily(f"{_HERE}.transfers", "SolanaTransfers")
        return await opened(self._transport(transfer.chain), transfer.chain).build(sender, transfer, speed)

    async def height(self, chain: ChainId) -> int:
        """`getSlot`. Raises TransportError."""
        return await SolanaOutcomes(self._transport(chain), chain).height()

    async def find_transaction(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        """By its signature, or among what the account has signed since.

        Raises:
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        return await SolanaOutcomes(self._transport(asked.chain), asked.chain).find(asked, taken)

    async def broadcast(self, chain: ChainId, signed: str) -> str:
        """`sendTransaction`; what has landed already is no failure.

        Raises:
            NodeError: the node refuses it.
            TransportError: the node cannot be asked.
        """
        return await SolanaOutcomes(self._transport(chain), chain).broadcast(signed)

    async def verify_message(self, chain: ChainId, address: str, message: str | bytes, signature: str) -> bool:
        """Whether the key that is the address signed the bytes of a message (ed25519).

        Args:
            chain: any of Solana: a key signs for all of them.
            address: the public key.
            message: what was signed, as it is.
            signature: base58 or base64 of 64 bytes.

        Raises:
            AddressError: the address is none.
        """
        checked = normal_address("solana", address)
        verify: Callable[[str, str | bytes, str], bool] = await lazily(f"{_HERE}.signatures", "is_signed_by")
        return verify(checked, message, signature)
