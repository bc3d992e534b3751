"""What became of calls that were made as a user operation, in the words of EIP-5792 (`wallet_getCallsStatus`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from walletmodal.core.smart_accounts.operation_events import gas_of_operation, logs_of_operation
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.deployment import deployment
from walletmodal.operation_watch import is_operation

_PENDING, _CONFIRMED, _FAILED_BEFORE_CHAIN, _REVERTED = 100, 200, 400, 500
_RECEIPT: Final = ("status", "blockHash", "blockNumber", "gasUsed", "transactionHash")
_LOG: Final = ("address", "data", "topics")
_MAX_LOGS: Final = 10_000


async def operation_status(known: TransactionRequest | None, bundle: str) -> dict[str, Any] | None:
    """Tells the status of calls; None where they are no user operation.

    Args:
        known: their entry on record, None for none.
        bundle: the id that the host was given: its own, or the hash of the operation.

    Raises:
        TransportError: the network cannot be asked.
    """
    if known is None or not is_operation(known):
        return None
    known = await deployment().outcomes.look(known)
    about = {"version": "2.0.0", "id": bundle, "chainId": hex(known.chain.number), "atomic": True}
    receipt = await _receipt(known) if known.hash else None
    if receipt is None:
        failed = known.status in ("dropped", "declined", "unknown")
        return {**about, "status": _FAILED_BEFORE_CHAIN if failed else _PENDING}
    status = _CONFIRMED if known.status == "confirmed" else _REVERTED
    return {**about, "status": status, "receipts": [receipt]}


async def _receipt(known: TransactionRequest) -> dict[str, Any] | None:
    """Reads the receipt of the transaction that has the operation: the fields that the standard has, and the logs of these calls alone."""
    found = await deployment().rpc.transport(known.chain).request("eth_getTransactionReceipt", [known.hash])
    if not isinstance(found, Mapping):
        return None
    logs = found.get("logs")
    entries = [one for one in logs[:_MAX_LOGS] if isinstance(one, Mapping)] if isinstance(logs, list) else []
    own = logs_of_operation(entries, known.entry_point, known.bundle)
    # The bundle's own transaction succeeds where one of its operations fails.
    succeeded = {} if known.status == "confirmed" else {"status": "0x0"}
    gas = gas_of_operation(own[-1]) if own else ""
    return {
        **{name: found.get(name) for name in _RECEIPT},
        **succeeded,
        # The transaction's gas is that of all its operations.
        **({"gasUsed": gas} if gas else {}),
        "logs": [{name: one.get(name) for name in _LOG} for one in own],
    }
