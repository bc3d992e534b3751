"""Views, tabs, rows and actions of a team's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import reflex as rx

from walletmodal.core.accounts.account import ACCOUNT_TABS
from walletmodal.core.chains.caip import NAMESPACES, Namespace
from walletmodal.core.namespaces.registry import with_feature
from walletmodal.core.protocol.views import VIEWS, View
from walletmodal.features.account.offers import ACTION_VIEWS
from walletmodal.ui.own_parts import OWN, Draw, OwnAction, OwnPart, OwnTab, nearest
from walletmodal.ui.rows import list_button
from walletmodal.views.places import put
from walletmodal.views.sources import caller, is_same, part_of

_NAME: Final = re.compile(r"[A-Z][A-Za-z0-9]{0,39}")


def add(
    name: str, *, title: str = "", needs_account: bool = True, stays: bool = False, for_hosts: bool = True
) -> Callable[[Draw], Draw]:
    """Adds the view that the decorated function draws. It has the header with its way back, and its script comes when it is first shown.

    Args:
        name: capital first, letters and digits: `modal.open({view: name})` and `opens(name)` lead to it.
        title: its heading.
        needs_account: opened without a connected account, Connect comes first, and leads on to it.
        stays: a changed network leads nobody away from it.
        for_hosts: whether the host's `open` leads to it; False: only the modal itself.
    """

    def register(draw: Draw) -> Draw:
        part = part_of(draw, f"view {name}")
        known = OWN.views.get(name)
        if not _NAME.fullmatch(name):
            OWN.mistakes.append(f"{part.source}: {name!r} is no name for a view: a capital first, letters and digits")
        elif known is not None and not is_same(known, part):
            OWN.mistakes.append(f"{part.source}: there is another view {name!r} already, at {known.source}")
        elif known is None and name in VIEWS:
            OWN.mistakes.append(f"{part.source}: {name} is a view of walletmodal; views.replace({name!r}) replaces it")
        else:
            OWN.views[name] = part
            VIEWS[name] = View(name, title, needs_account=needs_account, stays=stays, for_hosts=for_hosts)
        return draw

    return register


def replace(name: str) -> Callable[[Draw], Draw]:
    """Draws a view of walletmodal's by the decorated function. Its title, its state and what leads to it stay as they are.

    What raises in it at a visitor's brings back the view that it replaces.

    Args:
        name: as `modal.open({view})` spells it.
    """

    def register(draw: Draw) -> Draw:
        part = part_of(draw, f"view {name}")
        known = OWN.replaced.get(name)
        if name not in VIEWS or name in OWN.views:
            ours = VIEWS.keys() - OWN.views.keys()
            OWN.mistakes.append(f"{part.source}: walletmodal has no view {name!r}; {nearest(name, ours)}")
        elif known is not None and not is_same(known, part):
            OWN.mistakes.append(f"{part.source}: {name} is replaced already, at {known.source}")
        else:
            OWN.replaced[name] = part
        return draw

    return register


def tab(name: str, *, namespaces: tuple[Namespace, ...] = ()) -> Callable[[Draw], Draw]:
    """Adds a tab of the account, behind the others; the decorated function draws what it shows.

    Args:
        name: what stands on it: a capital first, letters and digits.
        namespaces: of the accounts that have it; default those whose balances are read.
    """

    def register(draw: Draw) -> Draw:
        part = part_of(draw, f"tab {name}")
        known = OWN.tabs.get(name)
        if not _NAME.fullmatch(name):
            OWN.mistakes.append(f"{part.source}: {name!r} is no name for a tab: a capital first, letters and digits")
        elif name in ACCOUNT_TABS:
            OWN.mistakes.append(f"{part.source}: {name} is a tab of walletmodal")
        elif known is not None and not is_same(known.part, part):
            OWN.mistakes.append(f"{part.source}: there is another tab {name!r} already, at {known.part.source}")
        else:
            _check_namespaces(namespaces, part.source)
            OWN.tabs[name] = OwnTab(part, namespaces or with_feature("balance"))
        return draw

    return register


def connect_row(label: str, *, icon: str, on_click: Any) -> None:
    """Adds a row to Connect, below the ways in that are ours.

    Args:
        label: what it offers.
        icon: name of a Lucide glyph.
        on_click: what it does: an event of a state of yours, or `opens(view)`.
    """

    def row() -> rx.Component:
        return list_button(label, rx.icon(icon, size=20, aria_hidden="true"), on_click=on_click)

    row.__qualname__ = f"connect_row {label}"
    part = OwnPart(row, f"row {label} of Connect", caller())
    OWN.parts.append(part)
    put("Connect", "methods", "after", part)


def action(name: str, label: str, *, icon: str, on_click: Any, namespaces: tuple[Namespace, ...] = ()) -> None:
    """Adds an action on the account, behind the others.

    Args:
        name: of the action, in small letters; its test id is `wallet-features-{name}-button`.
        label: what stands on it.
        icon: name of a Lucide glyph.
        on_click: what it does: an event of a state of yours, or `opens(view)`.
        namespaces: of the accounts that have it; default all.
    """
    source, known = caller(), OWN.actions.get(name)
    if name in ACTION_VIEWS:
        OWN.mistakes.append(f"{source}: {name} is an action of walletmodal")
    elif not re.fullmatch(r"[a-z][a-z0-9-]{0,39}", name):
        OWN.mistakes.append(f"{source}: {name!r} is no name for an action: small letters, digits and hyphens")
    elif known is not None and known.source.partition(":")[0] != source.partition(":")[0]:
        OWN.mistakes.append(f"{source}: there is another action {name!r} already, at {known.source}")
    else:
        _check_namespaces(namespaces, source)
        OWN.actions[name] = OwnAction(label, icon, on_click, namespaces or NAMESPACES, source)


def _check_namespaces(namespaces: tuple[str, ...], source: str) -> None:
    for namespace in namespaces:
        if namespace not in NAMESPACES:
            OWN.mistakes.append(f"{source}: there is no namespace {namespace!r}; {nearest(namespace, NAMESPACES)}")
