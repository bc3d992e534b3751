"""Something of a team's before or after a part of a view."""

from __future__ import annotations

from collections.abc import Callable

from walletmodal.core.protocol.views import VIEWS
from walletmodal.ui.own_parts import CONTENT, OWN, Draw, OwnPart, Side, nearest
from walletmodal.views.sources import is_same, part_of


def before(view: str, place: str = CONTENT) -> Callable[[Draw], Draw]:
    """Puts what the decorated function draws before a part of a view, below what others have put there.

    Args:
        view: its name, as `modal.open({view})` spells it.
        place: one of the view's places (docs/own-views.md has the list); default all of it.

    A view or place that does not exist stops the build, and `walletmodal check` names the nearest one.
    """
    return lambda draw: _put(view, place, "before", draw)


def after(view: str, place: str = CONTENT) -> Callable[[Draw], Draw]:
    """Puts what the decorated function draws after a part of a view. Otherwise as `before`."""
    return lambda draw: _put(view, place, "after", draw)


def _put(view: str, place: str, side: Side, draw: Draw) -> Draw:
    put(view, place, side, part_of(draw, f"{side} {view}" if place == CONTENT else f"{side} {view}, {place}"))
    return draw


def put(view: str, place: str, side: Side, part: OwnPart) -> None:
    """Puts a part there, in the place of the same one of a module that was imported before."""
    if view not in VIEWS:
        OWN.mistakes.append(f"{part.source}: there is no view {view!r}; {nearest(view, VIEWS)}")
    elif place not in (places := (CONTENT, *VIEWS[view].places)):
        OWN.mistakes.append(f"{part.source}: {view} has no place {place!r}; {nearest(place, places)}")
    else:
        there = OWN.around.setdefault((view, place, side), [])
        there[:] = [*(one for one in there if not is_same(one, part)), part]
