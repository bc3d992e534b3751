"""Sentences with parts in them that are more than text, such as a name in bold or a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import reflex as rx

from walletmodal.core.language import Text

_MARK: Final = "\N{OBJECT REPLACEMENT CHARACTER}"


def sentence(
    text: Text, *, between: Callable[[rx.Var[str]], rx.Component] = rx.fragment, **parts: rx.Component
) -> rx.Component:
    """A text with these parts in the places of its placeholders, in the order that its language has them.

    Args:
        text: with a placeholder for each part; it may have others, which have values.
        between: draws the text between the parts.
        parts: by their placeholders.
    """
    marks = {name: f"{_MARK}{{{name}}}{_MARK}" for name in parts}
    marked = Text(text.message, {**text.values, **marks}, context=text.context)
    cases = [(f"{{{name}}}", part) for name, part in parts.items()]
    return rx.foreach(rx.Var.create(marked).to(str).split(_MARK), lambda piece: rx.match(piece, *cases, between(piece)))
