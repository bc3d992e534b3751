"""Tracking of recorded transactions: the chains are asked, and what they say is written."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from cachetools import TTLCache
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import ChainId, parse_chain_id
from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.nodes import NodeError
from walletmodal.core.errors.services import is_asked_too_much
from walletmodal.core.text.texts import CANCELLED, MADE_BEFORE, REPLACED, SPED_UP
from walletmodal.core.transfers.transaction_request import (
    Mined,
    TransactionRequest,
    differences,
    is_cancelling,
    is_same,
)
from walletmodal.db.engine import describe_failure
from walletmodal.db.requests import RequestStore
from walletmodal.operation_watch import OperationWatch, is_operation
from walletmodal.services.chains.adapter import Finding
from walletmodal.services.chains.registry import Chains
from walletmodal.services.single_flight import SingleFlight

STAYS_AFTER: Final = timedelta(seconds=15)
"""A transaction that is still in the chain so long after it was first seen there stays, where blocks are too rare to count them."""
MISSED_FOR: Final = timedelta(minutes=1)
"""So long no node may know a transaction before it is taken for dropped: they hear of it one after the other."""
EXPIRED_FOR: Final = timedelta(seconds=5)
"""The same for one that cannot get into the chain any more."""
SEARCHED_FOR: Final = timedelta(seconds=30)
"""So long is looked for a transaction after its answer failed to come."""
BUNDLED_FOR: Final = timedelta(minutes=10)
"""The same for several calls at once, which a wallet has taken and may bring to the network when it likes."""
GIVEN_UP_AFTER: Final = timedelta(days=1)
"""What is dropped or unknown may still turn up: a wallet asks for as long as it likes, and brings a transaction to the network again."""
FIRST_GAP, LOOK_GAP = 0.05, 0.5
"""Seconds within which nothing is looked at twice: any browser can ask for a look as often as it likes. What has just been sent is looked at sooner."""
UNEVEN: Final = 64
"""Blocks or slots by which nodes behind one URL may differ in how far they are."""
MAX_OTHERS: Final = 24
MAX_KEPT: Final = 4096

logger = logging.getLogger(__name__)


class Outcomes:
    """Looks at the chains for the transactions on record.

    Equal looks at the same time are one, whoever asks for them; who finds something writes it for all.

    Args:
        store: the record.
        chains: who asks the nodes.
        networks: CAIP-2 ids of the deployment's networks: a wallet may have sent to another of them than it was asked for.
        answer_seconds: how long a wallet may take to answer.
        operations: looks for user operations; None where there are none.
        clock: what ages are measured with.
    """

    def __init__(
        self,
        store: RequestStore,
        chains: Chains,
        networks: Sequence[str],
        *,
        answer_seconds: float,
        operations: OperationWatch | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._store, self._chains, self._clock = store, chains, clock or SystemClock()
        self._operations = operations
        self._networks = tuple(parse_chain_id(network) for network in networks)
        self._answer_time = timedelta(seconds=answer_seconds)
        self._looks: SingleFlight[TransactionRequest] = SingleFlight()
        self._looked: TTLCache[str, float, float] = TTLCache(MAX_KEPT, LOOK_GAP, self._clock.monotonic)

    async def look(self, asked: TransactionRequest, *, answer_expected: bool = False) -> TransactionRequest:
        """Refreshes an entry from the chain. Whatever cannot be asked leaves it as it is: the next look tells more.

        Args:
            asked: as it was read.
            answer_expected: the wallet is being asked, so nothing is to be searched for yet.
        """
        if asked.settled:
            return asked
        if not answer_expected and not self._is_due(asked):
            return asked
        # A look at a later state of the entry is another question.
        key = (asked.id, asked.changed_at, answer_expected)
        return await self._looks.join(key, lambda: self._refresh(asked, answer_expected=answer_expected))

    def _is_due(self, asked: TransactionRequest) -> bool:
        """Whether nobody has looked just now: within half the time since it was sent."""
        now = self._clock.monotonic()
        age = (self._clock.now() - (asked.answered_at or asked.asked_at)).total_seconds()
        if now - self._looked.get(asked.id, -LOOK_GAP) < min(LOOK_GAP, max(FIRST_GAP, age / 2)):
            return False
        self._looked[asked.id] = now
        return True

    async def close(self) -> None:
        """Give up what is being asked."""
        await self._looks.close()

    async def _refresh(self, asked: TransactionRequest, *, answer_expected: bool) -> TransactionRequest:
        try:
            if answer_expected:
                changes = {} if asked.height is not None else {"height": await self._height(asked.chain)}
            else:
                changes = await self._changes(asked)
            if not any(getattr(asked, name) != value for name, value in changes.items()):
                return asked
            changed = await self._store.change(asked, found=not asked.hash, **changes)
            if changed is not None and self._operations is not None and _is_to_be_handed_in(asked, changed):
                # Of several workers that look, the one that has written so: the others' refusals would end what it has brought.
                later = await self._operations.hand_in(changed, first=asked.missed_at is None)
                changed = await self._store.change(changed, **later) if later else changed
            return changed or await self._store.get(asked.id) or asked
        except WalletModalError as error:
            if is_asked_too_much(error):
                # Of another browser's, perhaps: whoever can ask now need not wait.
                self._looked.pop(asked.id, None)
            logger.info("a transaction could not be looked at: %s", error.short_message)
        except (SQLAlchemyError, OSError) as error:
            logger.warning("what became of a transaction could not be written: %s", describe_failure(error))
        return asked

    async def _height(self, chain: ChainId) -> int:
        return await self._chains.adapter(chain.namespace).height(chain)

    async def _changes(self, asked: TransactionRequest) -> dict[str, Any]:
        if self._operations is not None and is_operation(asked) and asked.signed and asked.missed_at is None:
            # Nobody has handed it in yet, so no chain has it.
            return self._operations.missing_changes(asked, self._clock.now())
        sender, chain = asked.proposal.sender, asked.proposal.chain
        taken = frozenset() if asked.hash else await self._store.hashes(asked.owner, sender, chain)
        try:
            finding = await self._find(asked, taken)
        except WalletModalError:
            if asked.hash or is_operation(asked):
                raise
            # The time for an answer runs out also where nobody can be asked.
            finding = Finding("missing")
        now = self._clock.now()
        if finding.state == "missing":
            if self._operations is not None and is_operation(asked):
                return self._operations.missing_changes(asked, now)
            return await self._missing_changes(asked, now)
        if finding.state == "gone":
            return self._expired_changes(asked, now)
        found = _found_changes(asked, finding, now)
        if "altered" in found and asked.hash and await self._was_made_before(asked, finding.mined):
            found["altered"] = (MADE_BEFORE, *found["altered"])
        return found

    async def _was_made_before(self, asked: TransactionRequest, mined: Mined | None) -> bool:
        """Whether what the wallet named is older than the question, or another question's: then nothing was sent for this one."""
        if mined is None:
            return False
        before, there = asked.height, mined.height if mined.chain == asked.proposal.chain else None
        if before is not None and there is not None and there < before - UNEVEN:
            return True
        # One transaction of a contract account may carry out several requests.
        return not mined.relayed and await self._store.has_earlier(asked)

    async def _find(self, asked: TransactionRequest, taken: Collection[str]) -> Finding:
        adapter = self._chains.adapter(asked.chain.namespace)
        if self._operations is None or not is_operation(asked):
            return await adapter.find_transaction(asked, taken)
        found = await self._operations.find(asked, await self._height(asked.chain))
        if found.state != "confirmed" or found.mined is None:
            return found
        # What somebody got of it stands in the transaction that it is in.
        there = await adapter.find_transaction(replace(asked, hash=found.hash), taken)
        return found if there.mined is None else replace(found, mined=replace(found.mined, gained=there.mined.gained))

    async def _missing_changes(self, asked: TransactionRequest, now: datetime) -> dict[str, Any]:
        if asked.mined_hash:
            # What took its place was taken back: everything is open again.
            return {"status": "sent", "mined_hash": "", "altered": (), "reason": ""}
        if not asked.hash:
            return self._unanswered_changes(asked, now)
        return await (self._rebroadcast(asked) if asked.signed else self._missed_changes(asked, now))

    async def _missed_changes(self, asked: TransactionRequest, now: datetime) -> dict[str, Any]:
        """Returns changes of a transaction with a hash that no node of its network knows, or knows any more."""
        elsewhere = await self._find_elsewhere(asked) if asked.missed_at is None or asked.status == "dropped" else None
        if elsewhere is not None:
            # Its nonce counts there; here another transaction of the account may have it.
            return _found_changes(asked, replace(elsewhere, nonce=None), now)
        if asked.missed_at is None:
            return {"status": "sent", "altered": (), "reason": "", "missed_at": now}
        if now - asked.missed_at < MISSED_FOR:
            return {}
        return {"status": "dropped", "settled": now - asked.asked_at > GIVEN_UP_AFTER}

    def _unanswered_changes(self, asked: TransactionRequest, now: datetime) -> dict[str, Any]:
        answered = asked.answered_at or asked.asked_at + self._answer_time
        if now < answered + (BUNDLED_FOR if asked.bundle else SEARCHED_FOR):
            return {}
        return {"status": "unknown", "settled": now - asked.asked_at > GIVEN_UP_AFTER}

    def _expired_changes(self, asked: TransactionRequest, now: datetime) -> dict[str, Any]:
        if asked.missed_at is None:
            return {"missed_at": now}
        if now - asked.missed_at < EXPIRED_FOR:
            return {}
        return {"status": "dropped", "settled": True, "signed": ""}

    async def _rebroadcast(self, asked: TransactionRequest) -> dict[str, Any]:
        """Broadcasts what a wallet has only signed, again and again, until a node knows it."""
        try:
            await self._chains.adapter(asked.chain.namespace).broadcast(asked.chain, asked.signed)
        except NodeError as error:
            return {"status": "dropped", "settled": True, "signed": "", "reason": error.short_message}
        return {}

    async def _find_elsewhere(self, asked: TransactionRequest) -> Finding | None:
        """Finds the transaction on another network: the wallet has sent it there, whatever it was asked."""
        others = [c for c in self._networks if c.namespace == asked.chain.namespace and c != asked.chain]
        for chain in others[:MAX_OTHERS]:
            there = asked.proposal.model_copy(update={"chain": str(chain)})
            try:
                finding = await self._find(replace(asked, proposal=there, nonce=None), ())
            except WalletModalError:
                continue
            if finding.hash:
                return finding
        return None


def _is_to_be_handed_in(before: TransactionRequest, now: TransactionRequest) -> bool:
    return is_operation(now) and now.missed_at not in (None, before.missed_at)


def _found_changes(asked: TransactionRequest, finding: Finding, now: datetime) -> dict[str, Any]:
    """Returns how a found transaction changes an entry."""
    facts: dict[str, Any] = {
        "nonce": asked.nonce if finding.nonce is None else finding.nonce,
        "proven": asked.proven or finding.proven,
        "missed_at": None,
        "signed": "",
    }
    if finding.state == "replaced":
        return {**facts, **_replaced(asked, finding)}
    if asked.mined_hash and finding.hash == asked.mined_hash:
        return {**facts, "settled": finding.final or now - asked.changed_at >= STAYS_AFTER}
    facts |= {"hash": asked.hash or finding.hash, "mined_hash": "", "reason": finding.reason}
    if not (asked.hash or asked.entry_point):
        # Whatever the wallet has answered, it has not named this one.
        facts["answered_at"] = None
    if finding.state == "waiting":
        return {**facts, "status": "sent"}
    if asked.proposal.given and finding.mined is not None:
        facts["gained"] = finding.mined.gained
    stays = asked.status == finding.state and now - asked.changed_at >= STAYS_AFTER
    altered = _lines(asked, finding.mined)
    return {**facts, "status": finding.state, "altered": altered, "settled": finding.final or stays}


def _replaced(asked: TransactionRequest, finding: Finding) -> dict[str, Any]:
    """Another transaction of the account has its nonce: the same once more with a higher fee, one that does nothing, or any other."""
    mined = finding.mined
    if mined is None:
        return {"status": "replaced", "reason": REPLACED, "settled": True}
    facts = {"mined_hash": finding.hash, "settled": finding.final}
    if is_same(asked.proposal, mined):
        # The chain says of it what it would have said of the first one; `reason` is its state.
        reverted = finding.reason == "reverted"
        return {**facts, "status": "reverted" if reverted else "replaced", "reason": SPED_UP}
    return {**facts, "status": "replaced", "reason": CANCELLED if is_cancelling(mined) else REPLACED}


def _lines(asked: TransactionRequest, mined: Mined | None) -> tuple[str, ...]:
    return () if mined is None else tuple(one.text for one in differences(asked.proposal, mined))
