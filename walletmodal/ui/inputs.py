"""Fields."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.language import _
from walletmodal.ui.buttons import icon_button
from walletmodal.ui.styled import styled

INPUTS: Final = rx.asset("inputs.css", shared=True).importable_path
"""The stylesheet of fields."""
_search: Final = styled(INPUTS)

# React keeps its own record of a field's value, so the clearing goes through the native setter to be noticed.
_CLEAR: Final[rx.Var[str]] = rx.Var(
    "(event) => { const field = event.currentTarget.parentElement.querySelector('input');"
    " Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '');"
    " field.dispatchEvent(new Event('input', { bubbles: true })); field.focus(); }"
)


def text_input(label: str, *, data_testid: str = "wui-input-text", **props: Any) -> rx.Component:
    """A field of one line. `label` is its placeholder and its name."""
    return rx.el.input(
        placeholder=label,
        aria_label=label,
        auto_complete="off",
        spell_check=False,
        class_name="wm-input",
        data_testid=data_testid,
        **props,
    )


def search_bar(label: str, *, on_change: Any, value: rx.Var[str], **props: Any) -> rx.Component:
    """A search field with a clear button. The browser holds the text; `value` is what it begins with."""
    return _search(
        rx.icon("search", size=16, aria_hidden="true"),
        text_input(
            label,
            type="search",
            enter_key_hint="search",
            max_length=64,
            default_value=value,
            on_change=on_change,
            **props,
        ),
        icon_button(
            rx.icon("x", size=16), _("Clear the search"), class_name="wm-search-clear", custom_attrs={"onClick": _CLEAR}
        ),
        class_name="wm-search",
        role="search",
    )


def checkbox(
    *text: str | rx.Component, checked: rx.Var[bool], on_change: Any, at_once: bool = False, **props: Any
) -> rx.Component:
    """A box to tick, with its text, which may have links in it.

    Args:
        text: what the box is about.
        checked: whether it is ticked; with `at_once`, when it appears.
        on_change: gets whether it is.
        at_once: the tick is the visitor's alone, and does not wait for the server to have heard of it.
        props: of the label.
    """
    ticked = {"default_checked" if at_once else "checked": checked}
    return rx.el.label(
        rx.el.input(type="checkbox", **ticked, on_change=on_change, class_name="wm-hidden", data_testid="wui-checkbox"),
        rx.el.span(rx.icon("check", size=12, stroke_width=3), class_name="wm-checkbox-box", aria_hidden="true"),
        rx.el.span(*text),
        class_name="wm-checkbox",
        **props,
    )
