"""What the host wants to be agreed to before anyone connects."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.shell.state import ShellState

ASKED_ON: Final = frozenset({"Connect", "ConnectWallets"})
"""The views that have the checkbox."""


class LegalState(rx.State):
    """The host's documents. `asks`: connecting waits for a tick; `agreed`: it is there, for as long as the page lives."""

    terms: str = ""
    privacy: str = ""
    asks: bool = False
    agreed: bool = False

    async def _waits(self) -> bool:
        """Whether nothing may be chosen yet where the visitor is."""
        return self.asks and not self.agreed and (await self.get_state(ShellState)).view in ASKED_ON

    @rx.event
    def agree(self, ticked: bool) -> None:
        """The checkbox."""
        if isinstance(ticked, bool) and ticked != self.agreed:
            self.agreed = ticked


async def take_documents(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """The links follow the host's options."""
    legal, options = await state.get_state(LegalState), (await state.get_state(EmbedState))._options
    terms, privacy = options.terms_conditions_url or "", options.privacy_policy_url or ""
    if (terms, privacy) != (legal.terms, legal.privacy):
        legal.terms, legal.privacy = terms, privacy
    asks = options.features.legal_checkbox and bool(terms or privacy)
    if asks != legal.asks:
        legal.asks = asks
    return []


async def forget_agreement(state: rx.State) -> None:
    """Another page asks anew."""
    legal = await state.get_state(LegalState)
    if legal.agreed:
        legal.agreed = False
