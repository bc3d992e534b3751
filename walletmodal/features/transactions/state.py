"""Pending transactions: of the active account, and the one whose result is shown."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Sequence
from typing import Any, Final

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.errors.codes import TRANSACTION_REJECTED
from walletmodal.core.language import _
from walletmodal.core.language.text import recalled
from walletmodal.core.namespaces.registry import has_feature
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import HASH_COPIED
from walletmodal.core.transfers.transaction_request import PENDING, TransactionRequest
from walletmodal.db.engine import describe_failure
from walletmodal.db.requests import owner_key
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.holdings import token_icon
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, run_all, wiring
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.batches import follow_batches
from walletmodal.features.transactions.rows import CALM_MS, NO_ROW, PendingRow, pending_row, recent_since, wait_ms
from walletmodal.reflex_internals.low_priority import low_priority

MAX_ROWS: Final = 10
"""Shown at a time; what is older is still looked at, when it comes up."""

FAILED: Final = _("It has failed on the network")
NOT_TAKEN: Final = _("The network has not taken it")

_BROWSER_ID: Final = re.compile(r"[A-Za-z0-9_-]{43}")

logger = logging.getLogger(__name__)


class PendingState(AssigningMixin, rx.State):
    """Pending transactions.

    Attributes:
        every: ms until the next poll; 0 when there is nothing to poll for.
        awaits: whether a request of the host waits for the transaction of a user operation.
    """

    # The browser's half of what proves that a transaction was asked for here; the record has its hash.
    browser_id: str = rx.LocalStorage(name="walletmodal_browser")
    rows: list[PendingRow] = []
    result: PendingRow = NO_ROW
    every: int = 0
    awaits: bool = False

    _followed: str = ""
    # The account whose rows these are.
    _account: str = ""
    _step: int = 0
    # Of the transactions that were asked for.
    _number: int = 0
    # From when on the wallet may be asked for its batches again, seconds since 1970.
    _batches_due: float = 0.0
    # Calls of the host that are answered with the transaction of a user operation, by the id of its entry.
    _awaited: dict[str, str] = {}
    # What those of them are answered with that are no requests for that transaction.
    _answers: dict[str, Any] = {}

    def _owner(self) -> str:
        """Returns whose transactions these are; the browser may have sent anything in the place of its secret."""
        found: object = self.browser_id
        return owner_key(found) if isinstance(found, str) and _BROWSER_ID.fullmatch(found) else ""

    def _ensure_owner(self) -> str:
        """Returns the owner, with a new secret for a browser that has none."""
        if not self._owner():
            self.browser_id = secrets.token_urlsafe(32)
        return self._owner()

    def _watch(self, request_id: str) -> None:
        """Shows this transaction in the result view; "" for none."""
        if self._followed != request_id:
            self._followed = request_id
        if self.get_value("result")["id"] != request_id:
            self.result = {**NO_ROW, "id": request_id}

    def _await_transaction(self, request_id: str, call: str, answer: object = None) -> None:
        """Answers a call of the host once the chain has the transaction of a user operation: with its hash, or with what counts whatever becomes of it."""
        answers = self.get_value("_answers")
        answers = answers if answer is None else {**answers, request_id: answer}
        self._set_awaited({**self.get_value("_awaited"), request_id: call}, answers)

    def _set_awaited(self, awaited: dict[str, str], answers: dict[str, Any]) -> None:
        self._awaited, self.awaits = awaited, bool(awaited)
        self._answers = {key: value for key, value in answers.items() if key in awaited}

    def _reset_interval(self) -> None:
        """Makes the next polls come soon again: something has happened."""
        if self._step:
            self._step = 0
        if not self.every:
            # Also where the poll that is begun now fails, or ends with its worker.
            self.every = CALM_MS

    async def _watched_account(self) -> tuple[str, str]:
        """Returns address and network of the account that is looked at; "" for none."""
        namespace: Namespace = await active_namespace(self)
        held = await account(self, namespace)
        if held.status != "connected" or not has_feature(namespace, "send"):
            return "", ""
        return held.address, f"{namespace}:{held._chain}"

    async def _asked_ids(self) -> set[str]:
        """Returns ids of the transactions that the wallet is being asked for."""
        return set((await self.get_state(BridgeState))._records)

    @rx.event
    async def on_copied(self, ok: bool) -> None:
        """Shows whether the browser copied the hash."""
        (await self.get_state(ToastState))._show_copied(ok, HASH_COPIED)

    @rx.event(background=True)
    @low_priority("progress")
    async def poll(self) -> Any:
        """Polls the chains for what may have changed in recorded transactions, and shows it."""
        async with self:
            owner, (address, chain) = self._owner(), await self._watched_account()
            expected, followed = await self._asked_ids(), self._followed
            named = (followed, *self.get_value("_awaited")) if followed else tuple(self.get_value("_awaited"))
        try:
            found = await _load_requests(owner, address, chain, named)
        except (SQLAlchemyError, OSError) as error:
            logger.warning("the transactions on record cannot be read: %s", describe_failure(error))
            return None
        found = await follow_batches(self, found)
        known = await asyncio.gather(
            *(deployment().outcomes.look(one, answer_expected=one.id in expected) for one in found)
        )
        async with self:
            await self._answer_awaited(known)
            if (self._owner(), await self._watched_account(), self._followed) != (owner, (address, chain), followed):
                return None
            return await self._show(known, address, chain)

    async def _answer_awaited(self, known: list[TransactionRequest]) -> None:
        """Tells the host of transactions that the chain has, and of those that it will not have."""
        awaited, answers = dict(self.get_value("_awaited")), self.get_value("_answers")
        done = [(awaited.pop(one.id), one) for one in known if one.id in awaited and one.status not in PENDING]
        if not done:
            return
        bridge = await self.get_state(BridgeState)
        self._set_awaited(awaited, answers)
        for call, one in done:
            if one.status == "confirmed" or one.id in answers:
                await bridge._settle(call, answers.get(one.id, one.hash))
            else:
                # Of one that has failed the bundle's receipt says that all went well, so its hash is no answer.
                failed = FAILED if one.status == "reverted" else NOT_TAKEN
                told = _("{failure}: {reason}", failure=failed, reason=recalled(one.reason)) if one.reason else failed
                await bridge._settle(call, code=TRANSACTION_REJECTED, message=told)
        await bridge._save_record()

    async def _show(self, known: list[TransactionRequest], address: str, chain: str) -> Followups:
        # A wallet may have answered while the chains were asked.
        expected = await self._asked_ids()
        drawn = {one.id: _pending_row(one, expected) for one in known}
        before = {row["id"]: row for row in [*self.get_value("rows"), self.get_value("result")]}
        own = [one for one in known if (one.proposal.sender, one.proposal.chain) == (address, chain)]
        rows = [drawn[one.id] for one in own if one.status != "declined"]
        changed = any(before.get(key) != row for key, row in drawn.items())
        self._step = 0 if changed else self._step + 1
        self._put(rows=rows[:MAX_ROWS], every=wait_ms(known, expected, self._step))
        if self._followed in drawn:
            self._put(result=drawn[self._followed])
            if self.get_value("result")["tone"] != "waiting":
                # How it ended stands there now.
                (await self.get_state(ToastState))._hide(about=self._followed)
        done = any(
            row["status"] not in (*PENDING, "unknown", "declined") and before.get(key, NO_ROW)["status"] in PENDING
            for key, row in drawn.items()
            if key in before
        )
        return await run_all(wiring().on_transaction_final, self) if done else []


def _pending_row(asked: TransactionRequest, expected: set[str]) -> PendingRow:
    image = asked.proposal.image
    return pending_row(asked, answer_expected=asked.id in expected, image=token_icon(image) if image else "")


async def _load_requests(owner: str, address: str, chain: str, named: Sequence[str]) -> list[TransactionRequest]:
    """Loads the account's requests, and those that are named, which this session has asked for.

    The secret that they were asked under may be gone with a session that was lost before the browser had it.
    """
    store = deployment().requests
    since = recent_since(deployment().clock.now())
    found = await store.of_account(owner, address, chain, settled_after=since, limit=MAX_ROWS) if address else []
    known = {one.id for one in found}
    others = [await store.get(one) for one in named if one not in known]
    return [*found, *filter(None, others)]


async def refresh_pending(_state: rx.State) -> Followups:
    """Polls what may be old."""
    return [PendingState.poll]


async def reset_pending(state: rx.State) -> None:
    """Clears what the page before watched; what it has sent is still to be seen."""
    pending = await state.get_state(PendingState)
    pending._watch("")
    pending._account = ""
    pending._set_awaited({}, {})


async def sync_pending(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Syncs the list with accounts and networks after a snapshot."""
    return await on_account_change(state)


async def on_account_change(state: rx.State) -> Followups:
    """Shows the transactions of another account or network."""
    pending = await state.get_state(PendingState)
    subject = ":".join(await pending._watched_account())
    if subject == pending._account:
        return []
    pending._account = subject
    pending._put(rows=[])
    return [PendingState.poll] if subject.strip(":") else []
