"""Events of the modal that a team's states hear, and those that lead through it."""

from __future__ import annotations

from typing import Any, Literal, get_args

from walletmodal.features.shell.state import ShellState
from walletmodal.ui.own_parts import OWN, nearest
from walletmodal.views.sources import caller

VisitorEvent = Literal["connected", "disconnected", "network_changed", "signed_in", "signed_out"]
"""What happens to a visitor; each is heard once for each change.

connected: an account is in use that was not before, also after the host page has loaded anew; disconnected: none is any more;
network_changed: the account is on another network; signed_in: the server has verified the account's signature, now or before;
signed_out: it does not count any more.
"""


def on(event: VisitorEvent, handler: Any) -> None:
    """Runs an event of a state of yours when something has happened to its visitor.

    Args:
        event: what.
        handler: such as `Points.load`, which takes nothing: `await visitor(self)` says who it is. Anyone can call it at any time, as any
            event of a state. One that waits for something outside is a background event.
    """
    source = caller()
    if event not in get_args(VisitorEvent):
        OWN.mistakes.append(f"{source}: there is no event {event!r}; {nearest(event, get_args(VisitorEvent))}")
        return
    handlers = OWN.handlers.setdefault(event, [])
    if handler not in handlers:
        handlers.append(handler)


def opens(view: str) -> Any:
    """An event, for `on_click`, that opens a view above the one that is shown."""
    OWN.opened.append((view, caller()))
    return ShellState.push(view)


def back() -> Any:
    """An event that goes back as the header's button does."""
    return ShellState.back


def close() -> Any:
    """An event that closes the modal."""
    return ShellState.close
