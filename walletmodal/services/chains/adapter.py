"""Interface of a namespace: what the server can do on it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from walletmodal.core.chains.caip import ChainId, Namespace
from walletmodal.core.namespaces.descriptor import AddressFault
from walletmodal.core.transfers.fees import FeeQuote, Speed
from walletmodal.core.transfers.send import Transfer
from walletmodal.core.transfers.simulation import Simulation
from walletmodal.core.transfers.transaction_request import Mined, TransactionRequest
from walletmodal.services.rpc.transport import RpcTransport

TransportOf = Callable[[ChainId], RpcTransport]
"""Gives the way to a network's nodes, such as `RpcEndpoints.transport`."""

Authorship = Literal["own", "foreign", "unclear"]
"""Who made a transaction: the account, somebody else, or perhaps the account through somebody else, as contract accounts do."""


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
        speed: with which it was built.
        quote: what it would cost at each speed; at its own speed `fee` is less where the account has only that much left for it.
    """

    chain: ChainId
    method: str
    params: Sequence[object] | Mapping[str, object]
    fee: int
    speed: Speed = "normal"
    quote: FeeQuote = field(default_factory=FeeQuote)


FindingState = Literal["missing", "waiting", "confirmed", "reverted", "replaced", "gone"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What the nodes of a network know of a transaction that a wallet was asked for.

    Attributes:
        state: missing: nothing. waiting: it is not in the chain yet. replaced: another one of the account took its place.
            gone: it can never get into the chain.
        hash: of the transaction that this is about; "" where none was found.
        final: whether the chain will not take it back.
        mined: what the chain has; None while it has nothing.
        nonce: of the account, where the network counts so and it is known.
        proven: whether the node has shown that it is the account's, and does what was asked.
        reason: why, in the node's words, cleaned; "" for none.
    """

    state: FindingState
    hash: str = ""
    final: bool = False
    mined: Mined | None = None
    nonce: int | None = None
    proven: bool = False
    reason: str = ""


class NativeBalanceReader(Protocol):
    """Who can say how much of the native coin an account has."""

    @property
    def namespace(self) -> Namespace:
        """The namespace that it serves."""
        ...

    async def native_balance(self, chain: ChainId, address: str) -> int:
        """The native coin's balance in base units, read now.

        Raises:
            AddressError: the address is none.
            NetworkError: `Unsupported chain`: balances of this namespace are not read.
            TransportError: it cannot be read.
        """
        ...


class ChainAdapter(NativeBalanceReader, Protocol):
    """The server's side of one namespace."""

    def address_fault(self, address: str) -> AddressFault | None:
        """What is wrong with an address, or None."""
        ...

    async def token_balances(self, chain: ChainId, address: str, tokens: Sequence[Token]) -> Mapping[str, int]:
        """Returns an account's balance of each token, in base units by the token's address; those that cannot tell are left out.

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

    async def token_supply(self, chain: ChainId, address: str) -> int:
        """Returns a token's supply in base units.

        Raises:
            AddressError: the address is none.
            NetworkError: `Unsupported chain`: it is not read on this namespace, or there is no fungible token at the address.
            TransportError: the node cannot be asked.
        """
        ...

    async def is_token(self, chain: ChainId, address: str) -> bool:
        """Whether an address is no account but a token itself, or another thing of the chain's own that keeps what is sent to it.

        Raises:
            AddressError: the address is none.
            TransportError: the node cannot be asked.
        """
        ...

    async def transfer_fee(self, chain: ChainId, sender: str, token: str | None = None) -> FeeQuote:
        """What a transfer costs at each speed before its amount and receiver are known; at least one option.

        Args:
            chain: the network.
            sender: the account that pays.
            token: the contract or mint, or None for the native coin.

        Raises:
            UnsupportedChainError: transfers are not made on this namespace.
            AddressError: one of the addresses is none.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        ...

    async def simulate(self, prepared: PreparedTransfer, sender: str, receiver: str) -> Simulation:
        """What a transaction would do, told by a node that runs it without sending it.

        Args:
            prepared: such as `build_transfer` makes it.
            sender: the account that signs.
            receiver: who is to get something, or "" for the sender.

        Raises:
            AddressError: one of the addresses is none.
            MalformedResponseError: the node's answer cannot be understood.
            TransportError: the node cannot be asked.
        """
        ...

    async def authorship(self, chain: ChainId, transaction_hash: str, address: str) -> Authorship:
        """Whether a transaction of the chain was made by an account, and not only tells of it.

        Raises:
            TransportError: the node cannot be asked.
        """
        ...

    async def build_transfer(
        self, sender: str, transfer: Transfer, speed: Speed = "normal", *, sponsored: bool = False
    ) -> PreparedTransfer:
        """The transaction of a transfer, checked by the node as far as it can.

        Args:
            sender: the account that pays and signs.
            transfer: see `core.transfers.send.check_send`.
            speed: how soon it is to be in a block; networks with one price have one speed.
            sponsored: somebody else pays the fee, so the account need not have it; where the namespace has that.

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
            ProofOfFundsError: a Bitcoin wallet made one, which tells of coins.
            TransportError: only a contract could tell, and it cannot be asked now; nothing is known.
        """
        ...

    async def height(self, chain: ChainId) -> int:
        """Returns the chain's height: what is sent from now on is not below it. Raises TransportError."""
        ...

    async def find_transaction(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        """What became of a transaction that a wallet was asked for.

        Args:
            asked: with the hash that the wallet named, else it is looked for among what the account has sent since it was asked.
            taken: transactions that are somebody else's already; never found for one without a hash.

        Raises:
            UnsupportedChainError: transactions are not followed on this namespace.
            TransportError: the node cannot be asked, or answers with what cannot be understood.
        """
        ...

    async def broadcast(self, chain: ChainId, signed: str) -> str:
        """Brings a signed transaction to the network, where wallets only sign; again does no harm. Returns its hash.

        Raises:
            UnsupportedChainError: on this namespace wallets do that.
            NodeError: the node refuses it.
            TransportError: the node cannot be asked.
        """
        ...
