"""Preview of what a wallet is about to be asked: what the visitor saw is what gets signed, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import reflex as rx

from walletmodal.core.chains.caip import AccountId
from walletmodal.features.account.holdings import holder
from walletmodal.features.account.state import account
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin


class FrozenRequest(Protocol):
    """What a preview stands for."""

    @property
    def account(self) -> AccountId:
        """Who is to sign."""

    @property
    def connector(self) -> str:
        """The wallet that is to."""

    @property
    def needs_acceptance(self) -> bool:
        """Whether the visitor must have accepted warnings first."""


@dataclass(frozen=True, slots=True)
class PreviewTexts:
    """Sentences of a preview: why another one is shown.

    Attributes:
        changed: something is not as the visitor saw it.
        other_account: the wallet uses another account.
    """

    changed: str
    other_account: str


class PreviewMixin(AssigningMixin, mixin=True):
    """A preview, from its preparation to the wallet.

    A state that has it says in which view it is seen and which sentences it uses, and has the background events `prepare` and `check`.

    Attributes:
        plan: what it says, once there is something.
        phase: loading (it is being prepared), ready, blocked (it is not offered), failed (there is nothing to show), checking (the visitor
            has confirmed), asking (the wallet has it), approving (the network has the approval before it).
        error: why it failed, or why nothing was sent.
        notice: why the visitor sees a fresh preview.
        accepted: whether the visitor has accepted the warnings.
        seen: which preview this is; the visitor's clicks name it, for one that comes late must not count for another.
    """

    plan: dict[str, Any] = {}
    phase: str = "loading"
    error: str = ""
    notice: str = ""
    accepted: bool = False
    seen: str = ""

    _run: int = 0
    # The run that is being prepared, and the socket that wants it: when that is gone, who prepares it may be gone too.
    _preparing: tuple[int, str] = (-1, "")
    # The account pays the fee, whoever else would.
    _own_fee: bool = False
    # Id of the question that the wallet has, or of the transaction that the network has.
    _question: str = ""

    def _view(self) -> str:
        """Returns the view in which it is seen."""
        raise NotImplementedError

    def _texts(self) -> PreviewTexts:
        """Returns its sentences."""
        raise NotImplementedError

    def _kept(self) -> FrozenRequest | None:
        """Returns what it stands for; Reflex would hand out a proxy of it."""
        found: FrozenRequest | None = self.get_value("_frozen")
        return found

    def _drop(self) -> None:
        """Drops what it stands for."""
        raise NotImplementedError

    def _is_old(self) -> bool:
        """Whether it has stood for too long to be signed."""
        return False

    def _reload(self, notice: str = "", error: str = "", *, own_fee: bool = False) -> Followups:
        """Starts a fresh preview; what was prepared before is signed no more."""
        self._run += 1
        if self._own_fee != own_fee:
            self._own_fee = own_fee
        self._question = ""
        self._drop()
        self._put(plan={}, phase="loading", error=error, notice=notice, accepted=False)
        cls: Any = self.__class__
        return [cls.prepare]

    def _begin_preparing(self) -> bool:
        """Notes that a fresh preview is being prepared; False where it is already, for the same socket."""
        now = self._run, self.router.session.session_id
        if self.phase != "loading" or self._preparing == now:
            return False
        self._preparing = now
        return True

    def _on_asked(self, question: str) -> None:
        """Notes that the wallet is being asked; the resume record is written with the question."""
        self._question = question
        self._put(phase="asking")

    def _on_refused(self, error: str, *, own_fee: bool = False) -> Followups:
        """Shows why nothing was sent; the visitor may try again, and with `own_fee` pays the fee then, whoever else would have."""
        self._question = ""
        if own_fee or self._kept() is None:
            # A session that was lost meanwhile: it is prepared afresh.
            return self._reload(error=error, own_fee=own_fee)
        self._put(phase="ready", error=error)
        return []

    async def _is_current(self) -> bool:
        """Whether account, network and wallet are those that it was made for."""
        frozen, found = self._kept(), await holder(self)
        if frozen is None or found is None:
            return False
        connector = (await account(self, found.chain.namespace)).connector
        asked = frozen.account
        return (found.chain, found.address, connector) == (asked.chain, asked.address, frozen.connector)

    async def _drop_left(self) -> bool:
        """Drops what was confirmed where the visitor has gone elsewhere since: who goes back is not asked by the wallet."""
        left = (await self.get_state(ShellState)).view != self._view()
        if left:
            self._reload()
        return left

    @rx.event
    async def retry(self) -> Followups:
        """Prepares the preview once more."""
        return self._reload() if self.phase in ("failed", "blocked", "ready", "loading") else []

    @rx.event
    async def accept(self, accepted: Any, seen: Any) -> None:
        """Accepts the warnings of the preview that was seen."""
        if self.phase == "ready" and seen == self.seen:
            self._put(accepted=accepted is True)

    @rx.event
    async def confirm(self, seen: Any) -> Followups:
        """Confirms what was seen, with its warnings accepted."""
        frozen, shell = self._kept(), await self.get_state(ShellState)
        if self.phase != "ready" or frozen is None or shell.view != self._view():
            return []
        if seen != self.seen:
            # Clicked when another preview was shown, and long on its way.
            self._put(notice=self._texts().changed)
            return []
        if frozen.needs_acceptance and not self.accepted:
            return []
        if not await self._is_current():
            return self._reload(self._texts().other_account)
        if self._is_old():
            return self._reload(self._texts().changed)
        self._put(phase="checking", error="", notice="")
        cls: Any = self.__class__
        return [cls.check]

    @rx.event
    def pay_fee(self) -> Followups:
        """Has the account pay the fee itself: the link below who else would."""
        return self._reload(own_fee=True) if self.phase == "ready" else []

    @rx.event
    async def stop_waiting(self) -> Followups:
        """Stops waiting for the wallet or the network; what was sent is on record, and goes on."""
        return self._reload() if self.phase in ("asking", "approving") else []

    @rx.event
    async def cancel(self) -> None:
        """Returns to the form: the Cancel button."""
        shell = await self.get_state(ShellState)
        if shell.view == self._view():
            await shell._back()
            await shell._save_record()
