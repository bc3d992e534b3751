"""Parts that several views of buying share."""

from __future__ import annotations

from typing import Literal

import reflex as rx

from walletmodal.core.language import _
from walletmodal.ui.feedback import tag


def provider_logo(provider: rx.Var[str], size: Literal["sm", "lg"] = "sm") -> rx.Component:
    """Our own mark of a provider, 40 or 80 px."""
    glyph = {"sm": 20, "lg": 40}[size]
    return rx.el.span(
        rx.match(
            provider,
            ("coinbase", rx.icon("circle-dollar-sign", size=glyph)),
            ("meld", rx.icon("blend", size=glyph)),
            rx.icon("credit-card", size=glyph),
        ),
        class_name="wm-onramp-logo",
        data_size=size,
        data_provider=provider,
        aria_hidden="true",
    )


def example_tag() -> rx.Component:
    """Says that something is none of a service's."""
    return rx.el.span(tag(_("Example")), data_testid="onramp-example")
