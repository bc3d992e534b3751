"""Waiting for a wallet that was asked something: the picture, what to do, what went wrong, and another try."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from walletmodal.core.language import _
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import outlined

_WHERE_IT_HIDES = _("Nothing there? Open it from the browser's toolbar.")


def _asking(title: str | rx.Var[str], request: str) -> rx.Component:
    return rx.el.div(
        rx.el.p(title, class_name="wm-heading"),
        rx.el.div(
            rx.el.p(request, class_name="wm-text"),
            rx.el.p(_WHERE_IT_HIDES, class_name="wm-text"),
            class_name="wm-takes-turns",
        ),
        class_name="wm-words",
    )


def _failed(title: str | rx.Var[str], text: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.p(title, class_name="wm-heading", data_tone="error"),
        rx.el.p(text, class_name="wm-text"),
        class_name="wm-words",
    )


def wallet_is_asked(
    picture: rx.Component,
    *,
    title: str | rx.Var[str],
    request: str,
    running: rx.Var[bool],
    failed: rx.Var[bool],
    failure: str | rx.Var[str],
    error: rx.Var[str],
    on_retry: Any,
    retry_waits: bool = False,
    shape: Literal["square", "hexagon"] = "square",
) -> rx.Component:
    """The body of a view that waits for a wallet.

    Args:
        picture: of what the wallet is asked about, in its large size.
        title: while the wallet is asked.
        request: what its owner is to do; after ten seconds a hint where the wallet may hide takes its place.
        running: the wallet is being asked.
        failed: it declined, or did something else.
        failure: the title then.
        error: the text below it.
        on_retry: asks again.
        retry_waits: the button for that is there all along, and can be pressed once it failed; else it comes with the failure.
        shape: the outline round the picture.
    """
    retry = button(
        _("Try again"),
        variant="accent",
        icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
        disabled=~failed if retry_waits else False,
        on_click=on_retry,
        data_testid="w3m-connecting-widget-secondary-button",
    )
    return rx.el.div(
        outlined(picture, running=running, failed=failed, shape=shape),
        rx.el.div(rx.cond(failed, _failed(failure, error), _asking(title, request)), role="status"),
        retry if retry_waits else rx.cond(failed, retry, rx.fragment()),
        class_name="wm-centered",
    )
