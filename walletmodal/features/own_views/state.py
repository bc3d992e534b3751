"""Tells a team's states what has happened to their visitor (`walletmodal.views.on`), and the visitor that one of them has raised."""

from __future__ import annotations

from typing import Final, NamedTuple

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.core.text.display_text import typed_text
from walletmodal.core.text.texts import OWN_EVENT_FAILED
from walletmodal.features.account.active import active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.signin.state import signed_in
from walletmodal.features.toasts.state import AlertState, ToastState
from walletmodal.reflex_internals.mode import is_development
from walletmodal.ui.own_parts import OWN


class Seen(NamedTuple):
    """What was last known of a visitor: namespace and address of the account, its network, and whether it is signed in."""

    account: tuple[str, str] = ("", "")
    network: str = ""
    signed_in: bool = False


NOBODY: Final = Seen()
MAX_TOLD: Final = 300


class OwnViewsState(rx.State):
    """Who the visitor was when a team's states last heard of it. It has no variables: the page's first script would name them."""

    _seen: Seen = NOBODY

    async def _changed(self) -> list[str]:
        """Looks at the visitor anew; returns the events of what has changed since."""
        held = await account(self, await active_namespace(self))
        if held.status == "connected":
            now = Seen((held.namespace, held.address), held._chain, await signed_in(self))
        else:
            now = NOBODY
        before, self._seen = self._seen, now
        same = before.account == now.account
        happened = {
            "signed_out": before.signed_in and not (same and now.signed_in),
            "disconnected": before != NOBODY and now == NOBODY,
            "connected": now != NOBODY and not same,
            "network_changed": same and now != NOBODY and before.network != now.network,
            "signed_in": now.signed_in and not (same and before.signed_in),
        }
        return [event for event, has_happened in happened.items() if has_happened]

    @rx.event
    async def tell(self, told: str) -> None:
        """Says that an event of the team's has raised; what, and where, in development alone."""
        if is_development() and (line := typed_text(told, limit=MAX_TOLD)):
            (await self.get_state(AlertState)).message = line
        else:
            (await self.get_state(ToastState))._show(OWN_EVENT_FAILED, "error")


async def notify(state: rx.State) -> Followups:
    """Queues the team's handlers of what has changed."""
    if not OWN.handlers:
        return []
    changed = await (await state.get_state(OwnViewsState))._changed()
    return [handler for event in changed for handler in OWN.handlers.get(event, ())]


async def notify_of_snapshot(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """As `notify`, once every feature has the snapshot."""
    return await notify(state)


async def reset_own_views(state: rx.State) -> None:
    """Forgets the visitor of the page before: to the new page, every account is new."""
    (await state.get_state(OwnViewsState))._seen = NOBODY
