"""Progress of a purchase on a provider's page, as far as the history of the account tells it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final, Literal

import reflex as rx

from walletmodal.core.constants import PURCHASE_TIMEOUT
from walletmodal.core.errors import WalletModalError
from walletmodal.core.text.texts import LINK_COPIED, NO_LINK_FOUND
from walletmodal.core.transfers.onramp import COINBASE
from walletmodal.core.transfers.purchases import is_awaited
from walletmodal.deployment import deployment
from walletmodal.features.bridge.wiring import Followups, run_all, wiring
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.onramp.buyer import active_buyer
from walletmodal.features.shell.state import ShellState
from walletmodal.features.substates import AssigningMixin
from walletmodal.features.toasts.state import ToastState
from walletmodal.reflex_internals.low_priority import low_priority

VIEW: Final = "BuyInProgress"
PROVIDERS: Final = "OnRampProviders"
ACTIVITY: Final = "OnRampActivity"
FIELDS: Final = ("provider", "label", "url", "phase", "blocked", "unknown", "_since", "_of", "_origin")


class PurchaseState(AssigningMixin, rx.State):
    """The purchase that was begun last.

    Attributes:
        provider, label, url: where.
        phase: idle, waiting, failed (nothing was bought in time).
        blocked: the browser has not opened the page.
        unknown: the service that would know did not answer when it was asked last.
        polls: whether the account's history tells of purchases at this provider.
        here: whether it is of this account, on this host page.
    """

    provider: str = ""
    label: str = ""
    url: str = ""
    phase: Literal["idle", "waiting", "failed"] = "idle"
    blocked: bool = False
    unknown: bool = False
    polls: bool = False
    here: bool = False

    _since: float = 0.0
    _of: str = ""
    _origin: str = ""

    def _begin(self, *, provider: str, label: str, url: str, blocked: bool, of: str, origin: str, now: float) -> None:
        """Begins to wait for a purchase for the account `of`, whatever the network, at `now`, seconds since 1970."""
        self._put(provider=provider, label=label, url=url, phase="waiting", blocked=blocked, unknown=False)
        self._put(polls=provider == COINBASE, here=True)
        self._since, self._of, self._origin = now, of, origin

    def _clear(self) -> None:
        self._put(provider="", label="", url="", phase="idle", blocked=False, unknown=False, polls=False, here=False)
        self._since, self._of, self._origin = 0.0, "", ""

    def _to_record(self) -> dict[str, Any] | None:
        """Returns the part of the resume record; None where nothing was begun."""
        if self.phase == "idle":
            return None
        return {name.lstrip("_"): getattr(self, name) for name in FIELDS}

    def _restore(self, part: dict[str, Any]) -> None:
        """Restores what `_to_record` returned."""
        for name in FIELDS:
            setattr(self, name, part[name.lstrip("_")])
        self.polls, self.here = self.provider == COINBASE, True

    async def _is_here(self) -> bool:
        """Whether it is of the account in use, on the host page that it was begun on."""
        found, embed = await active_buyer(self), await self.get_state(EmbedState)
        return found is not None and found.account == self._of and embed._origin == self._origin

    async def _is_watched(self) -> bool:
        """Whether somebody looks at it, and it is still to come."""
        shell = await self.get_state(ShellState)
        waits = self.phase == "waiting" and self.polls and shell.view == VIEW
        return waits and await shell._is_visible() and await self._is_here()

    @rx.event(background=True)
    @low_priority("progress")
    async def poll(self) -> Followups:
        """Looks into the account's history for the purchase; after three minutes it counts as failed."""
        async with self:
            found, since = await active_buyer(self), self._since
            if found is None or not await self._is_watched():
                return []
        calls, clock = deployment().services.blockchain.accounts, deployment().clock
        begun, now = datetime.fromtimestamp(since, UTC), clock.now().timestamp()
        bought, unknown = False, False
        try:
            page = await calls.purchases(found.caller, found.chain, found.address)
            bought = any(is_awaited(one, begun) for one in page.data)
        except WalletModalError:
            unknown = True
        async with self:
            if self._since != since or not await self._is_watched():
                return []
            self._put(unknown=unknown)
            shell = await self.get_state(ShellState)
            if bought:
                self._clear()
                shell._replace(ACTIVITY)
                await shell._save_record()
                return await run_all(wiring().on_transaction_final, self)
            if now - since >= PURCHASE_TIMEOUT:
                self._put(phase="failed")
                await shell._save_record()
        return []

    @rx.event
    async def try_again(self) -> None:
        """Goes back to the providers, whose pages are made anew: the button of a failed purchase."""
        shell = await self.get_state(ShellState)
        if self.phase == "idle" or shell.view != VIEW:
            return
        self._clear()
        if shell.depth > 1 and shell._stack[-2][0] == PROVIDERS:
            await shell._back()
        else:
            shell._replace(PROVIDERS)
        await shell._save_record()

    @rx.event
    async def open_progress(self) -> None:
        """Opens the purchase that was begun: the row above the providers."""
        if self.phase != "idle" and await self._is_here():
            shell = await self.get_state(ShellState)
            shell._push(VIEW)
            await shell._save_record()

    @rx.event
    async def on_copied(self, ok: bool) -> None:
        """Shows whether the browser copied the page's address; without one there is nothing to wait for."""
        toasts, shell = await self.get_state(ToastState), await self.get_state(ShellState)
        if self.url:
            toasts._show_copied(ok, LINK_COPIED)
            return
        toasts._show(NO_LINK_FOUND, "error")
        if shell.view == VIEW:
            await shell._back()
            await shell._save_record()
