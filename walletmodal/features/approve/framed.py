"""Requests that the secure site's frame confirms: ApproveTransaction keeps its place while they wait, and goes when they are answered."""

from __future__ import annotations

from collections.abc import Mapping

import reflex as rx

from walletmodal.core.protocol.commands import Command
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.core.wallets.embedded import CONFIRMED_METHODS
from walletmodal.features.approve.state import VIEW, ApproveState
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import Extent, Followups
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.reflex_internals.substates import get_substate


def is_confirmed_in_frame(command: Command) -> bool:
    """Whether a command has the frame ask its visitor."""
    params = command["params"]
    asks = command["method"] == "wallet.request" and params.get("connector") == AUTH_ID
    return asks and params.get("method") in CONFIRMED_METHODS


def _hints(command: Command) -> list[str]:
    hint = command["params"].get("hint")
    if not isinstance(hint, Mapping):
        return []
    return [line for line in hint["lines"] if line not in hint.get("facts", ())]


async def sync_framed(state: rx.State, extent: Extent) -> None:
    """Shows the view for each request that is new to the frame, and notes whether it is still there."""
    bridge = await get_substate(state, BridgeState)
    if extent == "place" and not bridge.get_value("commands"):
        # Nothing has come or gone.
        return
    waiting = [command for command in bridge.get_value("commands") if is_confirmed_in_frame(command)]
    framed, own = await get_substate(state, EmbeddedState), await get_substate(state, ApproveState)
    own._show_trial([command["id"] for command in waiting])
    if not waiting:
        framed._put(confirming=False, _shown=())
        return
    shell = await get_substate(state, ShellState)
    fresh = [command["id"] for command in waiting if command["id"] not in framed._shown]
    framed._put(_shown=tuple(command["id"] for command in waiting))
    if fresh:
        framed._put(framed=True, hints=_hints(waiting[0]))
        if not await shell._is_visible():
            await shell._open(VIEW, waiting[0]["params"]["namespace"])
        elif shell.view != VIEW:
            shell._push(VIEW)
    framed._put(confirming=await shell._shows(VIEW))


async def leave_framed(state: rx.State, command: Command) -> None:
    """Leaves the view once the frame has answered, before the flow goes on that has asked."""
    if not is_confirmed_in_frame(command):
        return
    bridge = await state.get_state(BridgeState)
    left = [one for one in bridge.get_value("commands") if is_confirmed_in_frame(one)]
    framed, shell = await state.get_state(EmbeddedState), await state.get_state(ShellState)
    if left:
        framed._put(hints=_hints(left[0]))
    elif shell.view == VIEW and (await state.get_state(ApproveState)).phase == "idle":
        framed._put(confirming=False)
        await shell._pop_views(VIEW)


async def show_own(state: rx.State) -> Followups:
    """Shows the view as it is, where the host opens it and nothing waits in the frame."""
    framed = await state.get_state(EmbeddedState)
    if not framed.confirming:
        framed._put(framed=False)
    return []


async def reset_framed(state: rx.State) -> None:
    """Clears what the page before waited for."""
    (await state.get_state(EmbeddedState))._put(confirming=False, framed=False, hints=[], _shown=())
