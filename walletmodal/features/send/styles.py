"""The look of receiving and sending, which comes with their views."""

from __future__ import annotations

import reflex as rx

from walletmodal.ui.styled import CHIP, styled

_SEND = rx.asset("send.css", shared=True).importable_path

send_part = styled(_SEND, CHIP)
"""A `div` of the views of sending."""

review_part = styled(_SEND, rx.asset("review.css", shared=True).importable_path, CHIP)
"""A `div` of the preview."""
