"""The field for an email address. A module of its own: it stands in Connect, where nobody waits for it."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.embedded import email_input, lost_login, secure_ask
from walletmodal.core.language import _
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.frame_questions import offer_question
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.styled import styled

_part = styled(INPUTS)


def login_lost() -> rx.Component:
    """Why somebody has to log in anew whose browser denies the secure site's frame its storage."""
    return lost_login(
        rx.el.p(
            _(
                "You were logged out because your browser lets this wallet store nothing here. "
                "Log in again for as long as this page is open, or allow site data first to stay logged in."
            ),
            class_name="wm-text wm-login-lost",
            role="status",
            data_testid="login-lost",
        )
    )


@rx.memo
def email_block() -> rx.Component:
    """The way in by email."""
    return _part(
        login_lost(),
        email_input(
            error=EmbeddedState.error,
            busy=(EmbeddedState.question.length() > 0) | (PasskeysState.phase == "asking"),
            on_focused=EmbeddedState.on_focused,
            on_submit=EmbeddedState.submit,
        ),
        # A passkey is asked for in its own view: the one that goes would take the question back.
        secure_ask(
            question=rx.cond(EmbeddedState.question["type"] == "CONNECT_PASSKEY", {}, EmbeddedState.question),
            sync=BridgeState.sync,
            slow=_("This takes longer than usual."),
            on_answer=EmbeddedState.on_answer,
        ),
        offer_question(),
        class_name="wm-email-block",
    )
