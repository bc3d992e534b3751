"""What the views of a login have the secure site's frame asked; invisible."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.embedded import secure_ask
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.state import EmbeddedState


def login_question() -> rx.Component:
    """Asks the frame about the login, and whether a passkey is to be offered after it."""
    return rx.fragment(
        secure_ask(question=EmbeddedState.question, sync=BridgeState.sync, on_answer=EmbeddedState.on_answer),
        offer_question(),
    )


def offer_question() -> rx.Component:
    """Asks the frame whether a passkey is to be offered after the login."""
    return secure_ask(question=PasskeysState.question, sync=BridgeState.sync, on_answer=PasskeysState.on_answer)
