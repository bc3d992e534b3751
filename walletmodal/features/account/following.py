"""Who else acts when another account, or another network of it, has come into use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import reflex as rx

from walletmodal.features.bridge.state import Followups

_listeners: list[Callable[[rx.State], Awaitable[Followups]]] = []


def on_account(listener: Callable[[rx.State], Awaitable[Followups]]) -> Callable[[rx.State], Awaitable[Followups]]:
    """Registers what follows the account in use where no snapshot tells of a change; it may also be called without one."""
    _listeners.append(listener)
    return listener


async def followed(state: rx.State) -> Followups:
    """What the listeners want done."""
    return [event for listener in _listeners for event in await listener(state)]
