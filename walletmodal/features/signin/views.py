"""The question whether the visitor signs in. A module of its own, because most pages never ask it."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.features.account.active import active_var
from walletmodal.features.signin.state import SignInState
from walletmodal.ui.buttons import button
from walletmodal.ui.images import wallet_image
from walletmodal.ui.own_parts import around
from walletmodal.ui.styled import styled

SIGN_IN_CSS: Final = rx.asset("signin.css", shared=True).importable_path

_part = styled(SIGN_IN_CSS)


def _explanation() -> rx.Component:
    sentence = rx.cond(
        SignInState.required,
        _(
            "Sign a message to show that this account is yours. It costs nothing. If you cancel, your wallet is disconnected."
        ),
        _("Sign a message to show that this account is yours. It costs nothing."),
    )
    waits = _("Your wallet shows you the message. Read it there, then sign.")
    return rx.el.div(
        rx.el.p(_("{app} needs to connect to your wallet", app=SignInState.app_name), class_name="wm-heading"),
        rx.el.p(rx.cond(SignInState.phase == "signing", waits, sentence), class_name="wm-text", role="status"),
        class_name="wm-words",
    )


@rx.memo
def sign_in_view() -> rx.Component:
    """SIWXSignMessage, and ConnectingSiwe under its older name: sign, or cancel."""
    return _part(
        rx.el.div(
            wallet_image(SignInState.app_icon, "md", glyph="globe"),
            wallet_image(SignInState.wallet_icon, "md"),
            class_name="wm-meeting",
            aria_hidden="true",
        ),
        *around("SIWXSignMessage", "explanation", _explanation()),
        rx.el.div(
            button(
                rx.cond(active_var("disconnecting"), _("Cancelling..."), pgettext("button", "Cancel")),
                variant="neutral",
                size="lg",
                disabled=active_var("disconnecting"),
                on_click=SignInState.cancel,
                data_testid="w3m-connecting-siwe-cancel",
            ),
            button(
                rx.cond(SignInState.phase == "signing", _("Signing..."), pgettext("button", "Sign")),
                size="lg",
                disabled=(SignInState.phase == "signing") | active_var("disconnecting"),
                on_click=SignInState.sign,
                data_testid="w3m-connecting-siwe-sign",
            ),
            class_name="wm-answers",
        ),
        class_name="wm-centered",
    )
