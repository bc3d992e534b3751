"""The field for an email address. A module of its own: it stands in Connect, where nobody waits for it."""

from __future__ import annotations

import reflex as rx

from components.embedded import email_input, secure_ask
from walletmodal.features.bridge.state import BridgeState
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
            busy=EmbeddedState.question.length() > 0,
            on_focused=EmbeddedState.on_focused,
            on_submit=EmbeddedState.submit,
        ),
        secure_ask(question=EmbeddedState.question, sync=BridgeState.sync, on_answer=EmbeddedState.on_answer),
        class_name="wm-email-block",
    )
