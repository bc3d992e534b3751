"""Blocks as the facts of their transactions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from walletmodal.sandbox.blockchain.abi import hex_number
from walletmodal.sandbox.blockchain.chains import NATIVE, Chain
from walletmodal.sandbox.blockchain.failures import NodeUnavailableError
from walletmodal.sandbox.blockchain.history.facts import Movement, Status, TransactionFacts
from walletmodal.sandbox.blockchain.history.logs import approvers, movements
from walletmodal.sandbox.blockchain.history.traces import internal_payments
from walletmodal.sandbox.blockchain.rpc import Ask, NodeError
from walletmodal.sandbox.evm.smart_accounts import ENTRY_POINTS

_PLAIN_GAS: Final = 21_000
_ENTRY_POINTS: Final = frozenset(map(str.lower, ENTRY_POINTS))


@dataclass(frozen=True, slots=True)
class IndexedBlock:
    """One block: its number, its hash, its parent's, and its transactions' facts."""

    number: int
    hash: str
    parent: str
    transactions: tuple[TransactionFacts, ...]


async def read_blocks(chain: Chain, numbers: range) -> list[IndexedBlock]:
    """The blocks with these numbers, up to the first that the chain does not have (any more).

    Raises:
        NodeUnavailableError: the chain does not answer.
    """
    asks = [Ask("eth_getBlockByNumber", (hex(number), True)) for number in numbers]
    blocks: list[dict[str, object]] = []
    for answer in await chain.node.ask(asks):
        if not isinstance(answer, dict):
            break
        blocks.append(answer)
    receipts = await _receipts(chain, blocks)
    traces = await _traces(chain, blocks, receipts)
    return [
        IndexedBlock(
            hex_number(block.get("number")),
            str(block.get("hash")),
            str(block.get("parentHash")),
            tuple(
                _facts(chain, block, transaction, receipts[str(transaction["hash"])], traces)
                for transaction in _transactions(block)
                if str(transaction["hash"]) in receipts
            ),
        )
        for block in blocks
    ]


def pending_facts(chain: Chain, transaction: dict[str, object], timestamp: int) -> TransactionFacts:
    """The facts of a transaction that waits to be mined: what it carries, for nothing else is known of it."""
    value, target = hex_number(transaction.get("value")), _lower(transaction.get("to"))
    sender = str(transaction.get("from", "")).lower()
    carried = (Movement("native", NATIVE, sender, target, value),) if value and target else ()
    return TransactionFacts(
        chain=chain.caip2,
        block=2**63,
        position=hex_number(transaction.get("nonce")),
        timestamp=timestamp,
        hash=str(transaction.get("hash", "")),
        sender=sender,
        target=target,
        nonce=hex_number(transaction.get("nonce")),
        status="pending",
        value=value,
        call=_call(transaction),
        created=None,
        movements=carried,
    )


async def _receipts(chain: Chain, blocks: Sequence[dict[str, object]]) -> dict[str, dict[str, object]]:
    full = [block for block in blocks if _transactions(block)]
    answers = await chain.node.ask([Ask("eth_getBlockReceipts", (block["number"],)) for block in full])
    found: dict[str, dict[str, object]] = {}
    for block, answer in zip(full, answers, strict=True):
        if isinstance(answer, NodeError) or not isinstance(answer, list):
            raise NodeUnavailableError(chain.caip2, f"no receipts of block {block.get('number')}")
        # A block that was replaced between the two questions has other receipts; its hash then differs from its child's parent.
        found.update({str(one["transactionHash"]): one for one in answer if isinstance(one, dict)})
    return found


async def _traces(
    chain: Chain, blocks: Sequence[dict[str, object]], receipts: dict[str, dict[str, object]]
) -> dict[str, object]:
    hashes = [
        str(transaction["hash"])
        for block in blocks
        for transaction in _transactions(block)
        if _may_pay_inside(transaction, receipts.get(str(transaction["hash"])))
    ]
    answers = await chain.node.ask([Ask("trace_transaction", (one,)) for one in hashes])
    return dict(zip(hashes, answers, strict=True))


def _may_pay_inside(transaction: dict[str, object], receipt: dict[str, object] | None) -> bool:
    if receipt is None or hex_number(receipt.get("status")) != 1 or transaction.get("to") is None:
        return False
    return hex_number(receipt.get("gasUsed")) > _PLAIN_GAS


def _facts(
    chain: Chain,
    block: dict[str, object],
    transaction: dict[str, object],
    receipt: dict[str, object],
    traces: dict[str, object],
) -> TransactionFacts:
    succeeded = hex_number(receipt.get("status")) == 1
    sender, target = str(transaction.get("from", "")).lower(), _lower(transaction.get("to"))
    created, value = (
        _lower(receipt.get("contractAddress")) if target is None else None,
        hex_number(transaction.get("value")),
    )
    moved: tuple[Movement, ...] = ()
    logs = receipt.get("logs")
    logs = logs if isinstance(logs, list) else []
    receiver = target or created
    if succeeded:
        carried = (Movement("native", NATIVE, sender, receiver, value),) if value and receiver else ()
        inside = internal_payments(traces.get(str(transaction["hash"])))
        if target in _ENTRY_POINTS:
            # What accounts put down there is the fee of their operations, which no history tells of transactions either.
            inside = tuple(one for one in inside if one.recipient != target)
        moved = carried + movements(logs, chain.wrapped) + inside
    status: Status = "confirmed" if succeeded else "failed"
    return TransactionFacts(
        chain=chain.caip2,
        block=hex_number(block.get("number")),
        position=hex_number(transaction.get("transactionIndex")),
        timestamp=hex_number(block.get("timestamp")),
        hash=str(transaction["hash"]),
        sender=sender,
        target=target,
        nonce=hex_number(transaction.get("nonce")),
        status=status,
        value=value,
        call=_call(transaction),
        created=created,
        movements=moved,
        approvers=approvers(logs),
    )


def _transactions(block: dict[str, object]) -> list[dict[str, object]]:
    listed = block.get("transactions")
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _call(transaction: dict[str, object]) -> str:
    data = str(transaction.get("input") or transaction.get("data") or "0x")
    return data[:10].lower() if len(data) > 2 else ""


def _lower(value: object) -> str | None:
    return value.lower() if isinstance(value, str) else None
