"""The field for an email address. A module of its own: it stands in Connect, where nobody waits for it."""

from __future__ import annotations

import reflex as rx

from components.embedded import email_input, secure_ask
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.frame_questions import offer_question
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.styled import styled

_part = styled(INPUTS)


@rx.memo
def email_block() -> rx.Component:
    """The way in by email."""
    return _part(
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
            on_answer=EmbeddedState.on_answer,
        ),
        offer_question(),
        class_name="wm-email-block",
    )
