"""The look of receiving and sending, which comes with their views."""

from __future__ import annotations

import reflex as rx

from walletmodal.ui.styled import CHIP, styled

send_part = styled(rx.asset("send.css", shared=True).importable_path, CHIP)
"""A `div` of the views of sending."""
