"""Sentences with a part in them that is more than text."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.language import Text

GAP: Final = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Value of the placeholder where the part goes."""


def with_gap(text: Text, part: rx.Component) -> tuple[Any, ...]:
    """The children that a sentence is, with a part where its language has the gap: `_("Sent by {page}", page=GAP)`."""
    pieces = rx.Var.create(text).to(str).split(GAP)
    return pieces[0], part, pieces[1]
