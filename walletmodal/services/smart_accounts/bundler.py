"""Client of bundlers: gas price, estimate, sending and receipt of user operations."""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import (
    HttpRequestError,
    MalformedResponseError,
    RpcRequestError,
    ShapeError,
    TransportError,
)
from walletmodal.core.errors.operations import OPERATION_CODES, OperationHashError, operation_error
from walletmodal.core.smart_accounts.answers import (
    GasPrice,
    read_estimate,
    read_gas_price,
    read_operation_hash,
    read_tip,
)
from walletmodal.core.smart_accounts.user_operation import UserOperation
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.rpc.verdicts import is_method_unavailable
from walletmodal.services.smart_accounts.node_fees import node_gas_price

_T = TypeVar("_T")

TIP_METHOD: Final = "rundler_maxPriorityFeePerGas"
PRICE_METHODS: Final = (
    "pimlico_getUserOperationGasPrice",
    TIP_METHOD,
    "zd_getUserOperationGasPrice",
    "skandha_getGasPrice",
    "voltaire_feesPerGas",
)
"""What providers call the question for a gas price; ERC-7769 has none."""
NODE: Final = ""
"""In the place of a method: the bundler has none of them, and the node is asked."""
MOST_ABOVE_NODE: Final = 100
"""How many times the node's price a bundler's may be: more is a mistake, or a trap."""
_UNKNOWN_METHOD_STATUSES: Final = frozenset({400, 404, 405, 422, 501})


class Bundler:
    """The bundlers of a deployment.

    Args:
        transport: gives the way to a network's bundler.
        nodes: gives the way to its nodes.
    """

    def __init__(self, transport: TransportOf, nodes: TransportOf) -> None:
        self._transport, self._nodes = transport, nodes
        self._price_methods: dict[ChainId, str] = {}

    async def gas_price(self, chain: ChainId) -> GasPrice:
        """Asks what a unit of gas costs. Which method the bundler has is found out once.

        Raises:
            NotConfiguredError: the network has no bundler.
            MalformedResponseError: the answer cannot be used, or is many times what the node says.
            TransportError: bundler or node cannot be asked.
        """
        of_node, base_fee = await node_gas_price(self._nodes(chain), chain)
        known = self._price_methods.get(chain)
        if known == NODE:
            return of_node
        certain = True
        for method in PRICE_METHODS if known is None else [known]:
            try:
                answer = await self._transport(chain).request(method)
            except (RpcRequestError, HttpRequestError) as error:
                if not _may_be_unknown_method(error):
                    raise
                certain &= isinstance(error, RpcRequestError) and is_method_unavailable(error)
                continue
            read = partial(read_tip, base_fee=base_fee) if method == TIP_METHOD else read_gas_price
            found = _understood(chain, read, answer)
            if found.most > MOST_ABOVE_NODE * of_node.most:
                raise MalformedResponseError(url=str(chain), details="a gas price far above the node's")
            self._price_methods[chain] = method
            return found
        if certain:
            self._price_methods[chain] = NODE
        return of_node

    async def estimate(self, chain: ChainId, operation: UserOperation, entry_point: str) -> UserOperation:
        """Returns the operation with the gas that it needs.

        Args:
            chain: the network.
            operation: with a dummy signature of the account's kind.
            entry_point: its address.

        Raises:
            OperationError: it is refused, or would fail.
            NotConfiguredError, TransportError: as `gas_price`.
        """
        answer = await self._ask(chain, "eth_estimateUserOperationGas", operation, entry_point)
        return _understood(chain, partial(read_estimate, operation=operation), answer)

    async def send(self, chain: ChainId, operation: UserOperation, entry_point: str, operation_hash: bytes) -> None:
        """Hands a signed operation in; returns once the bundler has it.

        Args:
            chain: the network.
            operation: as it was signed.
            entry_point: its address.
            operation_hash: our own of it; it is on record before, for a bundler that does not answer may have it all the same.

        Raises:
            OperationHashError: the bundler names another hash; whatever it has sent, its word counts for nothing.
            OperationError: it is refused.
            NotConfiguredError, TransportError: as `gas_price`.
        """
        answer = await self._ask(chain, "eth_sendUserOperation", operation, entry_point)
        told = _understood(chain, read_operation_hash, answer)
        if told != operation_hash:
            raise OperationHashError(f"{told.hex()} for {operation_hash.hex()}")

    async def transaction_of(self, chain: ChainId, operation_hash: bytes) -> str:
        """Asks in which transaction an operation is; "" while the bundler says none. It is the bundler's word: a node says what it did.

        Raises:
            NotConfiguredError, TransportError: as `gas_price`.
        """
        asked = ["0x" + operation_hash.hex()]
        answer = await self._transport(chain).request("eth_getUserOperationReceipt", asked)
        receipt = answer.get("receipt") if isinstance(answer, dict) else None
        named = receipt.get("transactionHash") if isinstance(receipt, dict) else None
        if named is None:
            return ""
        return "0x" + _understood(chain, read_operation_hash, named).hex()

    async def _ask(self, chain: ChainId, method: str, operation: UserOperation, entry_point: str) -> object:
        """Asks, and tells what is about the operation from what is about the way."""
        try:
            return await self._transport(chain).request(method, [operation.to_json(), entry_point])
        except RpcRequestError as error:
            if error.code in OPERATION_CODES:
                raise operation_error(error.code, error.details) from error
            raise


def _may_be_unknown_method(error: TransportError) -> bool:
    """Whether a provider may mean by its error that it does not have a method; they have codes and statuses of their own for it."""
    return isinstance(error, RpcRequestError) or (
        isinstance(error, HttpRequestError) and error.status in _UNKNOWN_METHOD_STATUSES
    )


def _understood(chain: ChainId, read: Callable[[object], _T], answer: object) -> _T:
    try:
        return read(answer)
    except ShapeError as error:
        raise MalformedResponseError(url=str(chain), details=error.details) from error
