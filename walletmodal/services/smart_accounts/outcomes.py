"""What became of user operations, as the chain says: the event of the entry point counts, never the word of a bundler."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from eth_abi.abi import decode
from eth_abi.exceptions import DecodingError
from eth_utils.crypto import keccak

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import MalformedResponseError, TransportError
from walletmodal.core.errors.services import NotConfiguredError
from walletmodal.core.smart_accounts.operation_events import OPERATION_EVENT
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.chains.eip155.answers import read_data, read_quantity
from walletmodal.services.chains.eip155.reverts import revert_reason
from walletmodal.services.smart_accounts.bundler import Bundler

MAX_BLOCKS: Final = 5_000
"""Of one question for events: many nodes answer no more."""
MAX_LOGS: Final = 10_000

_REVERTED: Final = keccak(text="UserOperationRevertReason(bytes32,address,uint256,bytes)")


@dataclass(frozen=True, slots=True)
class SentOperation:
    """What is known of an operation that was sent.

    Attributes:
        hash: our own of it.
        sender: the account.
        entry_point: where it was handed in.
        height: of the chain, when it was sent.
    """

    hash: bytes
    sender: str
    entry_point: str
    height: int


@dataclass(frozen=True, slots=True)
class OperationOutcome:
    """What an operation did.

    Attributes:
        success: whether its calls went through; where not, the fee is paid all the same.
        transaction: the one that it is in; block: the height of that.
        cost: what was paid for it, in base units of the native coin.
        nonce: of the operation.
        paid_for: whether a paymaster paid, and not the account.
        reason: why it failed, a contract's own words, or "".
    """

    success: bool
    transaction: str
    block: int
    cost: int
    nonce: int
    paid_for: bool
    reason: str = ""


class OperationOutcomes:
    """Looks user operations up.

    Args:
        bundler: says in which transaction an operation is; without it the chain's events are searched.
        nodes: gives the way to a network's nodes.
    """

    def __init__(self, bundler: Bundler, nodes: TransportOf) -> None:
        self._bundler, self._nodes = bundler, nodes

    async def find(self, chain: ChainId, sent: SentOperation, head: int) -> OperationOutcome | None:
        """Returns what became of an operation; None while the chain does not have it.

        A bundler that is away, knows nothing, or names a transaction without the operation is done without.

        Args:
            chain: the network.
            sent: the operation.
            head: height of the chain now.

        Raises:
            MalformedResponseError: the node's answer cannot be understood.
            TransportError: the node cannot be asked.
        """
        try:
            named = await self._bundler.transaction_of(chain, sent.hash)
        except (TransportError, NotConfiguredError):
            named = ""
        found = await self._in_transaction(chain, sent, named) if named else None
        return found or await self._in_events(chain, sent, head)

    async def _in_transaction(self, chain: ChainId, sent: SentOperation, transaction: str) -> OperationOutcome | None:
        receipt = await self._nodes(chain).request("eth_getTransactionReceipt", [transaction])
        logs = receipt.get("logs") if isinstance(receipt, dict) else None
        return self._outcome(chain, sent, logs) if isinstance(logs, list) else None

    async def _in_events(self, chain: ChainId, sent: SentOperation, head: int) -> OperationOutcome | None:
        last = sent.height + MAX_BLOCKS
        event = {
            "address": sent.entry_point,
            "topics": [["0x" + OPERATION_EVENT.hex(), "0x" + _REVERTED.hex()], "0x" + sent.hash.hex()],
            "fromBlock": hex(sent.height),
            # Nodes refuse a range that ends behind the newest block that they have.
            "toBlock": "latest" if last >= head else hex(last),
        }
        logs = await self._nodes(chain).request("eth_getLogs", [event])
        if not isinstance(logs, list):
            raise MalformedResponseError(url=str(chain), details="eth_getLogs answered with no list")
        return self._outcome(chain, sent, logs)

    def _outcome(self, chain: ChainId, sent: SentOperation, logs: list[Any]) -> OperationOutcome | None:
        if len(logs) > MAX_LOGS:
            raise MalformedResponseError(url=str(chain), details="more events than a transaction has")
        event = next((one for one in logs if _is_of(one, sent, OPERATION_EVENT)), None)
        if event is None:
            return None
        data = read_data(event.get("data"), "eth_getLogs", chain)
        try:
            nonce, success, cost, _ = decode(["uint256", "bool", "uint256", "uint256"], data)
            transaction = read_data(event.get("transactionHash"), "eth_getLogs", chain)
            paymaster = int(event["topics"][3], 16)
        except (DecodingError, IndexError, TypeError, ValueError) as error:
            raise MalformedResponseError(url=str(chain), details="an event that is none") from error
        reverted = next((one for one in logs if _is_of(one, sent, _REVERTED)), None)
        return OperationOutcome(
            success=success,
            transaction="0x" + transaction.hex(),
            block=read_quantity(event.get("blockNumber"), "eth_getLogs", chain),
            cost=cost,
            nonce=nonce,
            paid_for=paymaster != 0,
            reason=_reason(reverted.get("data"), chain) if reverted else "",
        )


def _is_of(log: object, sent: SentOperation, topic: bytes) -> bool:
    if not isinstance(log, Mapping) or str(log.get("address")).lower() != sent.entry_point.lower():
        return False
    topics = log.get("topics")
    wanted = ["0x" + topic.hex(), "0x" + sent.hash.hex(), "0x" + sent.sender[2:].lower().rjust(64, "0")]
    # A block that a reorganisation has taken out is none any more.
    return isinstance(topics, list) and [str(one).lower() for one in topics[:3]] == wanted and not log.get("removed")


def _reason(given: object, chain: ChainId) -> str:
    try:
        _, output = decode(["uint256", "bytes"], read_data(given, "eth_getLogs", chain))
    except (DecodingError, OverflowError, MalformedResponseError):
        return ""
    return revert_reason(output)
