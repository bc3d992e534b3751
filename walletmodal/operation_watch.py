"""Tracking of user operations on record: handed in until a bundler has them, and found by the event of the entry point."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, Final

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.operations import OperationError, OperationHashError
from walletmodal.core.smart_accounts.user_operation import UserOperation, read_user_operation
from walletmodal.core.transfers.transaction_request import Mined, TransactionRequest
from walletmodal.services.chains.adapter import Finding
from walletmodal.services.chains.eip155.outcomes import FINAL_DEPTH
from walletmodal.services.smart_accounts.bundler import Bundler
from walletmodal.services.smart_accounts.outcomes import OperationOutcomes, SentOperation

HANDED_IN_AGAIN_AFTER: Final = timedelta(seconds=10)
"""A bundler that does not answer may have lost it; one that has it refuses it the second time, and it is found all the same."""
GIVEN_UP_AFTER: Final = timedelta(minutes=10)
"""What no block has by then is not in the bundler's pool any more, and its price is of another time."""
LOOKED_FOR: Final = timedelta(days=1)
"""What a bundler has refused or kept back it may bring to the network all the same: who signed it must hear of that."""

TellCost = Callable[[str, str, int, int], Awaitable[None]]
"""Is told the chain (CAIP-2), the account, the nonce and what the operation has cost, in base units of the native coin."""

logger = logging.getLogger(__name__)


class OperationWatch:
    """Looks for operations, and hands them in.

    Args:
        bundler: takes them.
        outcomes: finds them.
        tell_cost: is told what an operation has cost, as often as it is found: after a reorganisation it may be another sum.
    """

    def __init__(self, bundler: Bundler, outcomes: OperationOutcomes, tell_cost: TellCost) -> None:
        self._bundler, self._outcomes, self._tell_cost = bundler, outcomes, tell_cost

    async def find(self, asked: TransactionRequest, height: int) -> Finding:
        """Says what the chain has of an operation.

        Args:
            asked: its entry.
            height: of the chain now.

        Raises:
            TransportError: nobody can be asked.
        """
        sent = SentOperation(
            bytes.fromhex(asked.bundle[2:]),
            asked.proposal.sender,
            asked.entry_point,
            max(0, (asked.height or height) - 1),
        )
        outcome = await self._outcomes.find(asked.chain, sent, height)
        if outcome is None:
            return Finding("missing")
        if outcome.paid_for:
            await self._tell_cost(asked.proposal.chain, asked.proposal.sender, outcome.nonce, outcome.cost)
        mined = Mined(
            chain=asked.proposal.chain,
            hash=outcome.transaction,
            sender=asked.proposal.sender,
            relayed=True,
            height=outcome.block,
        )
        return Finding(
            "confirmed" if outcome.success else "reverted",
            outcome.transaction,
            height >= outcome.block + FINAL_DEPTH,
            mined,
            proven=True,
            reason=outcome.reason,
        )

    def missing_changes(self, asked: TransactionRequest, now: datetime) -> dict[str, Any]:
        """Tells how the entry of an operation changes that the chain does not have. With another `missed_at` it is to be handed in."""
        since = asked.answered_at or asked.asked_at
        if asked.status == "dropped" or now >= since + GIVEN_UP_AFTER:
            over = now >= since + LOOKED_FOR
            return {"status": "dropped", "settled": over, **({"signed": ""} if over else {})}
        if not asked.signed:
            # It was in a block that was taken back: its bundler, or another one, brings it again, or nobody does.
            return {"status": "sent", "hash": ""}
        if asked.missed_at is not None and now < asked.missed_at + HANDED_IN_AGAIN_AFTER:
            return {}
        return {"missed_at": now}

    async def hand_in(self, asked: TransactionRequest, *, first: bool) -> dict[str, Any]:
        """Hands an operation in; returns how its entry changes.

        Args:
            asked: its entry, on which the caller, and nobody else, has written that it is missing.
            first: nobody has handed it in before.
        """
        try:
            operation = read_signed(asked.signed)
            await self._bundler.send(asked.chain, operation, asked.entry_point, bytes.fromhex(asked.bundle[2:]))
        except WalletModalError as error:
            logger.info("an operation could not be handed in: %s", error.short_message)
            # What was handed in before, or is known there by another hash, may be on its way: the chain says so, or time does.
            if first and isinstance(error, OperationError) and not isinstance(error, OperationHashError):
                return {"status": "dropped", "reason": error.short_message}
        return {}


def write_signed(operation: UserOperation) -> str:
    """A signed operation as it is kept."""
    return json.dumps(operation.to_json(), separators=(",", ":"))


def read_signed(text: str) -> UserOperation:
    """Reads what `write_signed` has written."""
    return read_user_operation(json.loads(text))


def is_operation(asked: TransactionRequest) -> bool:
    """Whether an entry is a user operation that has been signed."""
    return bool(asked.entry_point and asked.bundle)
