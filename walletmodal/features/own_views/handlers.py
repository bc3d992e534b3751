"""Tells a team's states what has happened to their visitor (`walletmodal.views.on`)."""

from __future__ import annotations

from typing import Final, NamedTuple

import reflex as rx

from walletmodal.core.connections.connections import Changes
from walletmodal.core.protocol.snapshots import Snapshot
from walletmodal.features.account.active import ActiveState, active_namespace
from walletmodal.features.account.state import account
from walletmodal.features.bridge.wiring import Followups
from walletmodal.features.signin.state import signed_in
from walletmodal.ui.own_parts import OWN


class Heard(NamedTuple):
    """What a team's states know of a visitor: namespace and address of the account, its network, and whether it is signed in."""

    account: tuple[str, str] = ("", "")
    network: str = ""
    signed_in: bool = False


NOBODY: Final = Heard()


async def _visitor(state: rx.State) -> Heard:
    held = await account(state, await active_namespace(state))
    if held.status != "connected":
        return NOBODY
    return Heard((held.namespace, held.address), held._chain, await signed_in(state))


def _changed(before: Heard, now: Heard) -> list[str]:
    """The events of what is different."""
    same = before.account == now.account
    happened = {
        "signed_out": before.signed_in and not (same and now.signed_in),
        "disconnected": before != NOBODY and now == NOBODY,
        "connected": now != NOBODY and not same,
        "network_changed": same and now != NOBODY and before.network != now.network,
        "signed_in": now.signed_in and not (same and before.signed_in),
    }
    return [event for event, has_happened in happened.items() if has_happened]


async def notify(state: rx.State) -> Followups:
    """Queues the team's handlers of what has changed since they last heard of the visitor."""
    if not OWN.handlers:
        return []
    active = await state.get_state(ActiveState)
    before, now = Heard(*active._heard), await _visitor(state)
    active._heard = now
    return [handler for event in _changed(before, now) for handler in OWN.handlers.get(event, ())]


async def notify_of_snapshot(state: rx.State, _snapshot: Snapshot, _changes: Changes) -> Followups:
    """As `notify`, once every feature has the snapshot."""
    return await notify(state)


async def reset_own_views(state: rx.State) -> None:
    """Forgets the visitor of the page before: to the new page, every account is new."""
    (await state.get_state(ActiveState))._heard = ()
