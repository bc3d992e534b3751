"""What a team has put into the modal, as views and places ask for it. `walletmodal.views` is how a team does so."""

from __future__ import annotations

import inspect
import logging
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from traceback import walk_tb
from types import ModuleType, TracebackType
from typing import Any, Final, Literal

import reflex as rx

from walletmodal.components.own_part import own_part, raised_part
from walletmodal.core.chains.caip import Namespace
from walletmodal.core.protocol.views import VIEWS
from walletmodal.reflex_internals.mode import is_development

CONTENT: Final = "content"
"""The place that every view has: all of it."""
Side = Literal["before", "after"]
Draw = Callable[[], rx.Component]

logger = logging.getLogger(__name__)


class OwnViewsError(Exception):
    """A team's views rely on what is not there, or contradict each other. One line for each mistake, with its file."""


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that does not exist: the one that was meant, else all that there are."""
    names = sorted(known)
    meant = get_close_matches(name, names, n=1, cutoff=0.5)
    return f"did you mean {meant[0]!r}?" if meant else f"there are {', '.join(names) or 'none'}"


def sentence(error: Exception) -> str:
    """An error as a team is told of it; of a name that a module of walletmodal does not have, with the nearest one."""
    kind = type(error).__name__
    module: object = None
    name = ""
    if isinstance(error, ImportError):
        # In Python 3.11 the message alone has the name.
        module, name = sys.modules.get(error.name or ""), [*str(error).split("'"), ""][1]
    elif isinstance(error, AttributeError):
        module, name = error.obj, error.name or ""
    if not isinstance(module, ModuleType) or not module.__name__.startswith("walletmodal") or hasattr(module, name):
        return f"{kind}: {error}"
    known = getattr(module, "__all__", None) or [one for one in dir(module) if not one.startswith("_")]
    return f"{kind}: {module.__name__} has no {name!r}; {nearest(name, known)}"


def shortened(file: str) -> str:
    """A path as a team knows it: from its project."""
    path = Path(file)
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else path.name


@dataclass(frozen=True, slots=True)
class OwnPart:
    """A function of a team's that draws something.

    Attributes:
        draw: the function.
        what: for messages, such as `view Loyalty`.
        source: its file and line, such as `my_modal.py:12`.
    """

    draw: Draw
    what: str
    source: str

    def component(self, name: str, *, ours: rx.Component | None = None, content: bool = False) -> rx.Component:
        """What it draws, from a script of its own; what raises in it stays in it.

        Args:
            name: of the script.
            ours: what stands in its place when it raises at a visitor's.
            content: it stands beside the content of a view.
        """
        try:
            # Not within the memo: Reflex would draw once more what has raised there.
            drawn = self.draw()
            if not isinstance(drawn, rx.Component):
                raise TypeError(f"it returned {type(drawn).__name__}, not a component")
        except Exception as error:  # noqa: BLE001 - a team's code may raise anything; the modal is built all the same
            return self._raised(error, ours)
        told = {"what": self.what, "source": self.source} if is_development() else {}
        return own_part(memo(name, lambda: drawn)(), *([ours] if ours is not None else []), content=content, **told)

    def _raised(self, error: Exception, ours: rx.Component | None) -> rx.Component:
        source = self._raised_at(error.__traceback__)
        told = sentence(error)
        OWN.failures.append(f"{source}: {self.what} raised {told}")
        logger.error("%s of %s raised while it was built", self.what, source, exc_info=error)
        if is_development():
            return raised_part(what=self.what, source=source, error=told)
        return raised_part() if ours is None else ours

    def _raised_at(self, traceback: TracebackType | None) -> str:
        """The last line of the function's own file that was on the way to the error."""
        file = inspect.unwrap(self.draw).__code__.co_filename
        lines = [line for frame, line in walk_tb(traceback) if frame.f_code.co_filename == file]
        return f"{shortened(file)}:{lines[-1]}" if lines else self.source


@dataclass(frozen=True, slots=True)
class OwnTab:
    """A tab of the account, in these namespaces."""

    part: OwnPart
    namespaces: tuple[Namespace, ...]


@dataclass(frozen=True, slots=True)
class OwnAction:
    """An action on an account, in these namespaces."""

    label: str
    icon: str
    on_click: Any
    namespaces: tuple[Namespace, ...]
    source: str


@dataclass
class Own:
    """All that a team has put into the modal.

    Attributes:
        parts: all that was asked to be drawn, also where there is no such view or place.
        views, replaced: by the name of the view.
        around: by view, place and side, in their order.
        tabs, actions: by their names.
        handlers: of the visitor's events, by the event.
        opened: names of views that something leads to, with where it does.
        mistakes: sentences about what cannot be as it was asked for.
        failures: sentences about what raised while it was built.
    """

    parts: list[OwnPart] = field(default_factory=list)
    views: dict[str, OwnPart] = field(default_factory=dict)
    replaced: dict[str, OwnPart] = field(default_factory=dict)
    around: dict[tuple[str, str, Side], list[OwnPart]] = field(default_factory=dict)
    tabs: dict[str, OwnTab] = field(default_factory=dict)
    actions: dict[str, OwnAction] = field(default_factory=dict)
    handlers: dict[str, list[Any]] = field(default_factory=dict)
    opened: list[tuple[str, str]] = field(default_factory=list)
    mistakes: list[str] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Checks what can be checked before anything is drawn.

        Raises:
            OwnViewsError: something is not there, or is there twice.
        """
        lost = [
            f"{source}: there is no view {view!r}; {nearest(view, VIEWS)}"
            for view, source in self.opened
            if view not in VIEWS
        ]
        if sentences := [*self.mistakes, *lost]:
            raise OwnViewsError("\n".join(dict.fromkeys(sentences)))


OWN: Final = Own()


def memo(name: str, draw: Draw) -> Draw:
    """A component in a script of its own, whatever module its function is in."""

    def shown() -> rx.Component:
        return draw()

    # Reflex names the script after the module, which need not exist.
    shown.__module__, shown.__qualname__, shown.__name__ = f"walletmodal.own.{name}", name, f"own_{name}"
    made: Draw = rx.memo(shown)
    return made


def own_parts(view: str, place: str, side: Side) -> list[rx.Component]:
    """What a team has put at a place of a view."""
    return [
        part.component(f"{view}_{place}_{side}_{number}", content=place == CONTENT)
        for number, part in enumerate(OWN.around.get((view, place, side), ()))
    ]


def around(view: str, place: str, *ours: rx.Component) -> tuple[rx.Component, ...]:
    """A part of a view, between what a team has put before and after it; `place`: one of the view's `places`."""
    return (*own_parts(view, place, "before"), *ours, *own_parts(view, place, "after"))
