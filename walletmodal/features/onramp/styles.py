"""The look of buying, which comes with its views."""

from __future__ import annotations

import reflex as rx

from walletmodal.ui.styled import CHIP, styled

onramp_part = styled(rx.asset("onramp.css", shared=True).importable_path, CHIP)
"""A `div` of the views of buying."""
