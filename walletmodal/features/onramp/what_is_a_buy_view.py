"""What buying is. Read once or never, so this view loads when it is asked for."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button
from walletmodal.ui.images import visual


@rx.memo
def what_is_a_buy_view() -> rx.Component:
    """WhatIsABuy: a lesson, and the way back."""
    return rx.el.div(
        rx.el.div(
            rx.el.div(visual("gem"), visual("lock"), visual("profile"), class_name="wm-pictures"),
            rx.el.div(
                rx.el.h2(_("From your card to your wallet"), class_name="wm-heading"),
                rx.el.p(
                    _(
                        "A provider sells you crypto for money. You pay on its page, by card or from your bank, and it sends what "
                        "you have bought to your own address. The first time it may ask who you are."
                    ),
                    class_name="wm-text",
                ),
                class_name="wm-words",
            ),
            class_name="wm-lesson",
        ),
        button(
            pgettext("button", "Buy"),
            icon=rx.icon("credit-card", size=16, aria_hidden="true"),
            on_click=ShellState.back,
        ),
        class_name="wm-centered wm-lessons",
    )
