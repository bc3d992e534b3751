"""Notes in the place of a list: that there is nothing yet, or that it could not be read, and what can be done about it."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from walletmodal.components.language.sentence import sentence
from walletmodal.core.language import _
from walletmodal.ui.buttons import button
from walletmodal.ui.images import icon_box


def note(
    icon: str,
    title: str | rx.Var[str],
    text: str | rx.Var[str],
    *end: rx.Component,
    pad: Literal["empty", "tab"] = "empty",
    **props: Any,
) -> rx.Component:
    """Note: a glyph, what is the matter, a sentence about it, and perhaps a way on.

    Args:
        icon: name of the glyph.
        title: what is the matter.
        text: the sentence.
        end: the way on.
        pad: where it stands: in a view of its own, or in a tab.
        props: of the element.
    """
    return rx.el.div(
        icon_box(rx.icon(icon, size=20), size="lg"),
        rx.el.div(
            rx.el.p(title, class_name="wm-heading"),
            rx.el.p(text, class_name="wm-text"),
            class_name="wm-words",
        ),
        *end,
        class_name="wm-centered",
        data_pad=pad,
        **props,
    )


def try_again(on_click: Any, *, test_id: str) -> rx.Component:
    """Retry button for what could not be read."""
    return button(
        _("Try again"),
        variant="accent",
        icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
        on_click=on_click,
        data_testid=test_id,
    )


def list_unavailable(on_retry: Any, *, test_id: str) -> rx.Component:
    """Note that a list could not be read."""
    return note(
        "cloud-off",
        _("The list could not be loaded"),
        _("Nothing has changed. Try again in a moment."),
        try_again(on_retry, test_id=test_id),
        role="alert",
    )


def filled_in_by(host: rx.Var[str], *, test_id: str) -> rx.Component:
    """Line that names the page that has filled a form in; nothing where it was the visitor.

    Args:
        host: how the visitor knows the page, or "".
        test_id: of the line.
    """
    return rx.cond(
        host != "",
        rx.el.p(
            sentence(_("Filled in by {page}"), page=rx.el.strong(host)),
            class_name="wm-send-note",
            data_tone="plain",
            data_testid=test_id,
        ),
        rx.fragment(),
    )
