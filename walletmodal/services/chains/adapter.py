"""What the server can do on a namespace."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from walletmodal.core.addresses import AddressFault
from walletmodal.core.caip import ChainId, Namespace
from walletmodal.core.networks import Network
from walletmodal.core.send import Transfer
from walletmodal.services.rpc.transport import RpcTransport

TransportOf = Callable[[ChainId], RpcTransport]
"""Gives the way to a network's nodes, such as `RpcEndpoints.transport`."""


@dataclass(frozen=True, slots=True)
class Token:
    """A fungible token of one network.

    Attributes:
        address: contract (EIP-55) or mint (base58).
        name, symbol: to show.
        decimals: exponent between base units and the unit that people read.
    """

    address: str
    name: str
    symbol: str
    decimals: int


@dataclass(frozen=True, slots=True)
class PreparedTransfer:
    """A transfer as a wallet is asked to sign and send it.

    Attributes:
        chain: the network.
        method: what the wallet is asked.
        params: its parameters, JSON.
        fee: the most that it costs beside the amount, in base units of the native coin. On networks that also charge for their data
            on another chain, without that part.
    """

    chain: ChainId
    method: str
    params: Sequence[object] | Mapping[str, object]
    fee: int


class NativeBalanceReader(Protocol):
    """Who can say how much of the native coin an account has."""

    @property
    def namespace(self) -> Namespace:
        """Which namespace it serves."""
        ...

    async def native_balance(self, chain: ChainId, address: str) -> int:
        """The native coin's balance in base units, read now.

        Raises:
            AddressError: the address is none.
            NetworkError: `Unsupported chain`: balances of this namespace are not read (specification §9).
            TransportError: it cannot be read.
        """
        ...


class ChainAdapter(NativeBalanceReader, Protocol):
    """The server's side of one namespace."""

    def address_fault(self, address: str) -> AddressFault | None:
        """What is wrong with an address, or None."""
        ...

    async def token_balances(self, chain: ChainId, address: str, tokens: Sequence[Token]) -> Mapping[str, int]:
        """How much an account has of each token, in base units by the token's address; those that cannot tell are left out.

        Raises:
            AddressError: the address is none.
            TransportError: the node cannot be asked.
        """
        ...

    async def read_token(self, chain: ChainId, address: str) -> Token:
        """What a token says of itself. Its texts are those of whoever made it, cleaned.

        Raises:
            AddressError: the address is none.
            NetworkError: `Unsupported chain`: the namespace has no tokens here, or there is no token at the address.
            TransportError: the node cannot be asked.
        """
        ...

    async def build_transfer(self, sender: str, transfer: Transfer) -> PreparedTransfer:
        """The transaction of a transfer, checked by the node as far as it can.

        Args:
            sender: the account that pays and signs.
            transfer: see `core.send.check_send`.

        Raises:
            UnsupportedChainError: transfers are not made on this namespace.
            AddressError: sender, receiver or token are no addresses of the network.
            AmountError: the amount is more than a transaction can carry.
            NetworkError: there is no token at the token's address.
            NodeError: the node says that it would fail, such as for lack of funds.
            SendError: it would fail for another reason, or the amount was read with other decimals than the network knows.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        ...

    async def verify_message(self, chain: ChainId, address: str, message: str | bytes, signature: str) -> bool:
        """Whether the account signed a message. False also where the signature has no form of one.

        Args:
            chain: where the account lives; contract accounts are asked there.
            address: the account.
            message: what was signed, before any prefix that wallets put to it; a text is UTF-8.
            signature: as wallets of the namespace write it.

        Raises:
            AddressError: the address is none, or of another network of the namespace.
            TransportError: only a contract could tell, and it cannot be asked now; nothing is known.
        """
        ...

    def explorer_link(self, network: Network, address: str) -> str | None:
        """The explorer's page of an address, or None when the network has no explorer or the address is none."""
        ...
