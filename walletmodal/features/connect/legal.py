"""Terms that the host wants agreed to before anyone connects, or chooses what to buy."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState

ASKED_ON: Final = frozenset({"Connect", "ConnectWallets", "OnRampTokenSelect", "OnRampFiatSelect"})
"""The views that have the checkbox."""


class LegalState(rx.State):
    """The host's documents. `asks`: choosing waits for a tick; `agreed`: it is there, for as long as the page lives."""

    terms: str = ""
    privacy: str = ""
    asks: bool = False
    agreed: bool = False

    async def _is_blocked(self) -> bool:
        """Whether the missing agreement blocks choosing on the current view."""
        return self.asks and not self.agreed and (await self.get_state(ShellState)).view in ASKED_ON

    @rx.event
    def agree(self, ticked: bool) -> None:
        """Ticks or unticks the checkbox."""
        if isinstance(ticked, bool) and ticked != self.agreed:
            self.agreed = ticked


async def sync_documents(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """Updates the links from the host's options."""
    legal, options = await state.get_state(LegalState), (await state.get_state(EmbedState))._options
    terms, privacy = options.terms_conditions_url or "", options.privacy_policy_url or ""
    if (terms, privacy) != (legal.terms, legal.privacy):
        legal.terms, legal.privacy = terms, privacy
    asks = options.features.legal_checkbox and bool(terms or privacy)
    if asks != legal.asks:
        legal.asks = asks
    return []


async def reset_agreement(state: rx.State) -> None:
    """Clears the agreement: another page asks anew."""
    legal = await state.get_state(LegalState)
    if legal.agreed:
        legal.agreed = False
