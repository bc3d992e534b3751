"""What became of calls that a host page has made with the embedded wallet, as a view (EIP-5792 `wallet_showCallsStatus`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypedDict

import reflex as rx
from sqlalchemy.exc import SQLAlchemyError

from walletmodal.config import network_table
from walletmodal.core.chains.caip import AccountId, ChainId
from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.codes import LIMIT_EXCEEDED, RESOURCE_UNAVAILABLE, UNAUTHORIZED
from walletmodal.core.language import _, pgettext
from walletmodal.core.protocol.host_calls import HostRequest
from walletmodal.core.requests.answers import is_bundle_id
from walletmodal.core.text.texts import PARTLY_MADE
from walletmodal.core.transfers.calls_status import (
    CONFIRMED,
    FAILED,
    NOT_SENT,
    PARTLY_FAILED,
    PENDING,
    MadeTransaction,
    read_transactions,
)
from walletmodal.core.transfers.transaction_request import TransactionRequest
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.account.wallet_requests import wallet_asker
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.requests.checks import TOO_MANY
from walletmodal.features.requests.operation_status import operation_status
from walletmodal.features.requests.state import MAX_ASKED, RequestsState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.transactions.rows import Tone
from walletmodal.features.transactions.state import PendingState
from walletmodal.reflex_internals.low_priority import low_priority

VIEW: Final = "CallsStatus"
SHOW: Final = "wallet_showCallsStatus"
ASKED_NOW: Final = "The visitor is being asked about another request"
NOT_KNOWN_NOW: Final = "What became of the calls is not known now"
EVERY_MS: Final = 2000
GAP: Final = 0.5
"""Seconds within which nothing is looked at twice: any browser can ask for a look as often as it likes."""

_LABELS: Final[dict[int, tuple[str, Tone]]] = {
    PENDING: (_("Waiting for the network"), "waiting"),
    CONFIRMED: (pgettext("state", "Confirmed"), "good"),
    NOT_SENT: (_("Not sent"), "bad"),
    FAILED: (_("Failed on the network"), "bad"),
    PARTLY_FAILED: (PARTLY_MADE, "bad"),
}


class CallRow(TypedDict):
    """One call. `outcome`: what became of it by itself, where the calls were made one after the other; "" where they count together."""

    number: int
    text: str
    outcome: str
    tone: str


class MadeRow(TypedDict):
    """A transaction that has made calls; `link`: the explorer's page, or ""."""

    hash: str
    link: str


class Batch(TypedDict, total=False):
    """The calls that the view is about; empty where there are none.

    Attributes:
        label, tone: how they stand.
        together: they are one transaction.
        calls: each in words.
        made: the transactions that have made them.
        every: ms until the next look; 0 when nothing can change by itself.
    """

    label: str
    tone: str
    together: bool
    calls: list[CallRow]
    made: list[MadeRow]
    every: int


NO_BATCH: Final[Batch] = {}


@dataclass(frozen=True, slots=True)
class _Told:
    """What is known of a batch: its status in the standard's words, and its entry on record where this browser has asked for it."""

    value: dict[str, Any]
    known: TransactionRequest | None

    @property
    def status(self) -> int:
        status = self.value.get("status")
        return status if type(status) is int and status in _LABELS else PENDING


class CallsStatusState(AssigningMixin, rx.State):
    """The calls that the view is about.

    Attributes:
        batch: them, and how they stand. One variable, for every browser is sent the names of all.
    """

    batch: Batch = NO_BATCH

    # The host's calls that wait for the view, and the ids that they name.
    _asked: dict[str, str] = {}
    _about: str = ""
    _bundle: str = ""
    _due: float = 0.0

    async def _account(self) -> AccountId | None:
        held = await account(self, "eip155")
        if held.status != "connected" or held.connector != AUTH_ID:
            return None
        return AccountId(ChainId("eip155", held._chain), held.address)

    @rx.event(background=True)
    async def show(self, call: str) -> None:
        """Looks for calls, and shows them: the host has asked for it."""
        async with self:
            asked = self.get_value("_asked")
            bundle = asked.get(call) if isinstance(call, str) else None
            about = await self._account()
            if bundle is None:
                return
            self._asked = {key: value for key, value in asked.items() if key != call}
            bridge = await self.get_state(BridgeState)
            if about is None:
                await bridge._settle(call, code=UNAUTHORIZED, message="No wallet is connected")
                return
            owner = (await self.get_state(PendingState))._ensure_owner()
            origin = (await self.get_state(EmbedState))._origin
        told, failure = None, WalletModalError(NOT_KNOWN_NOW)
        try:
            told = await self._look(about, owner, origin, bundle)
        except WalletModalError as error:
            failure = error
        async with self:
            bridge = await self.get_state(BridgeState)
            if told is None:
                await bridge._settle(call, code=failure.code, message=failure.short_message)
                return
            self._about, self._bundle = str(about), bundle
            self._put_told(about, told)
            shell = await self.get_state(ShellState)
            if await shell._is_visible():
                shell._push(VIEW)
            else:
                await shell._open(VIEW, "eip155")
            await bridge._settle(call)

    @rx.event(background=True)
    @low_priority("progress")
    async def load(self) -> None:
        """Looks again, while the view is seen."""
        async with self:
            about, bundle, now = await self._account(), self._bundle, deployment().clock.now().timestamp()
            if about is None or not bundle or str(about) != self._about or now < self._due:
                return
            self._due = now + GAP
            owner = (await self.get_state(PendingState))._ensure_owner()
            origin = (await self.get_state(EmbedState))._origin
        try:
            told = await self._look(about, owner, origin, bundle)
        except WalletModalError:
            # What is shown stays.
            return
        async with self:
            if (str(about), bundle) == (self._about, self._bundle):
                self._put_told(about, told)

    async def _look(self, about: AccountId, owner: str, origin: str, bundle: str) -> _Told:
        """Asks the record and the wallet.

        Raises:
            WalletModalError: nobody knows such calls, or can say now.
        """
        try:
            known = await deployment().requests.of_bundle(owner, origin, about.address, bundle)
            value: object = await operation_status(known, bundle)
        except (SQLAlchemyError, OSError) as error:
            raise WalletModalError(NOT_KNOWN_NOW, details=type(error).__name__) from error
        if value is None:
            value = await wallet_asker(self, about.chain)("wallet_getCallsStatus", [bundle])
        return _Told(value if isinstance(value, dict) else {}, known)

    def _put_told(self, about: AccountId, told: _Told) -> None:
        label, tone = _LABELS[told.status]
        together = told.value.get("atomic") is not False
        chain = str(about.chain) if told.known is None else str(told.known.chain)
        transactions = read_transactions(told.value)
        words = told.known.proposal.calls if told.known is not None else ()
        hashes = [one.hash for one in transactions] or ([told.known.hash] if told.known and told.known.hash else [])
        self.batch = {
            "label": label,
            "tone": tone,
            "together": together,
            "calls": [_call_row(at, text, transactions, told.status, together) for at, text in enumerate(words)],
            "made": [_made_row(chain, one) for one in hashes],
            "every": EVERY_MS if told.status == PENDING else 0,
        }

    def _clear(self) -> None:
        self._asked, self._about, self._bundle, self.batch = {}, "", "", NO_BATCH


def _call_row(at: int, text: str, made: tuple[MadeTransaction, ...], status: int, together: bool) -> CallRow:
    outcome, tone = "", ""
    if not together and at < len(made):
        outcome, tone = (
            (pgettext("state", "Done"), "good") if made[at].succeeded else (pgettext("state", "Failed"), "bad")
        )
    elif not together and status != PENDING:
        outcome, tone = _("Not made"), "bad"
    return {"number": at + 1, "text": text, "outcome": outcome, "tone": tone}


def _made_row(chain: str, transaction: str) -> MadeRow:
    network = network_table().get(chain)
    return {"hash": transaction, "link": (network.explorer_transaction_url(transaction) or "") if network else ""}


async def show_calls(state: rx.State, call: str, asked: HostRequest) -> Followups:
    """Has calls shown to the visitor, for a host."""
    own, shell = await state.get_state(CallsStatusState), await state.get_state(ShellState)
    if await shell._shows("ApproveTransaction"):
        # What waits for the visitor would be refused by leading them elsewhere.
        await (await state.get_state(BridgeState))._settle(call, code=RESOURCE_UNAVAILABLE, message=ASKED_NOW)
        return []
    waiting, bundle = own.get_value("_asked"), str(asked.params[0] if isinstance(asked.params, list) else "")
    allowed = (await state.get_state(RequestsState))._take_allowance()
    if not allowed or len(waiting) >= MAX_ASKED or not is_bundle_id(bundle):
        await (await state.get_state(BridgeState))._settle(call, code=LIMIT_EXCEEDED, message=TOO_MANY)
        return []
    own._asked = {**waiting, call: bundle}
    return [CallsStatusState.show(call)]


async def reset_calls_status(state: rx.State) -> None:
    """Clears what the page before has asked for."""
    (await state.get_state(CallsStatusState))._clear()
