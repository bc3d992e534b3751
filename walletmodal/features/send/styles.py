"""The look of receiving and sending, which comes with their views."""

from __future__ import annotations

import reflex as rx

from walletmodal.ui.styled import CHIP, OPTIONS, WARNINGS, styled

SEND_STYLES = rx.asset("send.css", shared=True).importable_path
REVIEW_STYLES = rx.asset("review.css", shared=True).importable_path

send_part = styled(SEND_STYLES, CHIP)
"""A `div` of the views of sending."""

review_part = styled(SEND_STYLES, REVIEW_STYLES, WARNINGS, OPTIONS, CHIP)
"""A `div` of the preview."""
