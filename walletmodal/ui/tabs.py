"""Tabs."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.ui.styled import PANES, styled

_row: Final = styled(PANES)

# The arrows move focus and choice together; Home and End go to the first and the last (WAI-ARIA, tabs with automatic activation).
_ARROWS: Final[rx.Var[str]] = rx.Var(
    "(event) => { const tabs = [...event.currentTarget.querySelectorAll('[role=tab]')];"
    " const at = tabs.indexOf(event.target), last = tabs.length - 1;"
    " const forward = document.dir === 'rtl' ? -1 : 1;"
    " const to = { ArrowRight: at + forward, ArrowLeft: at - forward, Home: 0, End: last }[event.key];"
    " if (to === undefined || at < 0) return; event.preventDefault();"
    " const next = tabs[(to + tabs.length) % tabs.length]; next.focus(); next.click(); }"
)


def tab_list(label: str, *tabs: rx.Component) -> rx.Component:
    """A row of tabs of equal width; `label` names what they choose."""
    return _row(*tabs, role="tablist", aria_label=label, class_name="wm-tabs", custom_attrs={"onKeyDown": _ARROWS})


def tab(
    label: str | rx.Var[str], *, identity: str | rx.Var[str], selected: rx.Var[bool], panel: str, **props: Any
) -> rx.Component:
    """One tab.

    Args:
        label: what stands on it.
        identity: its id in the document; the panel is labelled by it.
        selected: whether its panel is shown; only that tab is in the order of the Tab key.
        panel: id of the panel.
        props: handed on to the element, such as `on_click`.
    """
    return rx.el.button(
        label,
        type="button",
        role="tab",
        id=identity,
        aria_selected=rx.cond(selected, "true", "false"),
        aria_controls=panel,
        tab_index=rx.cond(selected, 0, -1),
        class_name="wm-tab",
        **props,
    )
