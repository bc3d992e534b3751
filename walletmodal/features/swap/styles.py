"""The look of swapping, which comes with its views: that of sending, and what only a swap has."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.send.styles import REVIEW_STYLES, SEND_STYLES
from walletmodal.ui.styled import CHIP, WARNINGS, styled

_SWAP = rx.asset("swap.css", shared=True).importable_path

swap_part = styled(SEND_STYLES, _SWAP, CHIP)
"""A `div` of the form and of the list of tokens."""

preview_part = styled(SEND_STYLES, REVIEW_STYLES, WARNINGS, _SWAP, CHIP)
"""A `div` of the preview."""
