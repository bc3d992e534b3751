"""The transactions that the visitor may want to watch: of the account that is shown, and the one whose result is shown."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from typing import Any, Final

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.connections.connections import Changes
from walletmodal.core.namespaces.registry import has
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.texts import HASH_COPIED, TRANSACTION_STARTED
from walletmodal.core.transfers.transaction_request import PENDING, TransactionRequest
from walletmodal.db.requests import owner_key
from walletmodal.deployment import deployment
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.holdings import token_icon
from walletmodal.features.account.state import account
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups, run_all, wiring
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.features.transactions.rows import NO_ROW, PendingRow, recent_since, shown, wait_ms

MAX_ROWS: Final = 10
"""Shown at a time; what is older is still looked at, when it comes up."""

_BROWSER_ID: Final = re.compile(r"[A-Za-z0-9_-]{43}")

logger = logging.getLogger(__name__)


class PendingState(AssigningMixin, rx.State):
    """What is pending, or was until a moment ago. `every`: ms until the next look; 0 when there is nothing to look for."""

    # The browser's half of what proves that a transaction was asked for here; the record has its hash.
    browser_id: str = rx.LocalStorage(name="walletmodal_browser")
    rows: list[PendingRow] = []
    result: PendingRow = NO_ROW
    every: int = 0

    _followed: str = ""
    # The account whose rows these are.
    _account: str = ""
    _step: int = 0

    def _owner(self) -> str:
        """Whose transactions these are; the browser may have sent anything in the place of its secret."""
        found: object = self.browser_id
        return owner_key(found) if isinstance(found, str) and _BROWSER_ID.fullmatch(found) else ""

    def _identify(self) -> str:
        """The same, for a browser that may not have a secret yet."""
        if not self._owner():
            self.browser_id = secrets.token_urlsafe(32)
        return self._owner()

    def _follow(self, request_id: str) -> None:
        """Has the result view show this transaction; "" for none."""
        if self._followed != request_id:
            self._followed = request_id
        if self.get_value("result")["id"] != request_id:
            self.result = {**NO_ROW, "id": request_id}

    def _hurry(self) -> None:
        """Something has happened: the next looks come soon again."""
        if self._step:
            self._step = 0

    async def _subject(self) -> tuple[str, str]:
        """Which account is looked at: its address, and the network that it is on; "" for none."""
        namespace: Namespace = await active_namespace(self)
        held = await account(self, namespace)
        if held.status != "connected" or not has(namespace, "send"):
            return "", ""
        return held.address, f"{namespace}:{held._chain}"

    async def _expected(self) -> set[str]:
        """Ids of the transactions that the wallet is being asked for."""
        return set((await self.get_state(BridgeState))._records)

    @rx.event
    async def copied(self, ok: bool) -> None:
        """The browser has copied the hash, or could not."""
        (await self.get_state(ToastState))._tell_copied(ok, HASH_COPIED)

    @rx.event(background=True)
    async def look(self) -> Any:
        """Reads the record, asks the chains for what may have changed, and shows it."""
        async with self:
            owner, (address, chain) = self._owner(), await self._subject()
            expected, followed = await self._expected(), self._followed
        try:
            found = await _entries(owner, address, chain, followed)
        except (SQLAlchemyError, OSError):
            logger.warning("the transactions on record cannot be read", exc_info=True)
            return None
        known = await asyncio.gather(
            *(deployment().outcomes.look(one, answer_expected=one.id in expected) for one in found)
        )
        async with self:
            if (self._owner(), await self._subject(), self._followed) != (owner, (address, chain), followed):
                return None
            return await self._show(known, address, chain)

    async def _show(self, known: list[TransactionRequest], address: str, chain: str) -> Followups:
        # A wallet may have answered while the chains were asked.
        expected = await self._expected()
        drawn = {one.id: _drawn(one, expected) for one in known}
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
                (await self.get_state(ToastState))._hide(TRANSACTION_STARTED)
        done = any(
            row["status"] not in (*PENDING, "unknown", "declined") and before.get(key, NO_ROW)["status"] in PENDING
            for key, row in drawn.items()
            if key in before
        )
        return await run_all(wiring().on_transaction_final, self) if done else []


def _drawn(asked: TransactionRequest, expected: set[str]) -> PendingRow:
    image = asked.proposal.image
    return shown(asked, answer_expected=asked.id in expected, image=token_icon(image) if image else "")


async def _entries(owner: str, address: str, chain: str, followed: str) -> list[TransactionRequest]:
    """What is to be looked at: the account's own, and the one that is followed."""
    store = deployment().requests
    since = recent_since(deployment().clock.now())
    found = await store.of_account(owner, address, chain, settled_after=since, limit=MAX_ROWS) if address else []
    if followed and all(one.id != followed for one in found):
        other = await store.get(followed)
        if other is not None and other.owner == owner:
            found.append(other)
    return found


async def refresh_pending(_state: rx.State) -> Followups:
    """What is known of pending transactions may be old."""
    return [PendingState.look]


async def reset_pending(state: rx.State) -> None:
    """What the page before was waiting for, nobody waits for any more; what it has sent is still to be seen."""
    pending = await state.get_state(PendingState)
    pending._follow("")
    pending._account = ""


async def sync_pending(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Accounts and networks come from wallets."""
    return await follow_account(state)


async def follow_account(state: rx.State) -> Followups:
    """Another account, or another network of it, has other transactions."""
    pending = await state.get_state(PendingState)
    subject = ":".join(await pending._subject())
    if subject == pending._account:
        return []
    pending._account = subject
    pending._put(rows=[])
    return [PendingState.look] if subject.strip(":") else []
