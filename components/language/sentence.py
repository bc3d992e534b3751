"""Sentences in which something stands that is no text: a link, an age, a word in bold."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import Text

_SENTENCE = rx.asset("sentence.tsx", shared=True)


class Sentence(rx.Component):
    """A text with its children in the places of its `{name}`s. `names`: of the children, in their order."""

    library = _SENTENCE.importable_path
    tag = "Sentence"

    text: rx.Var[str]
    names: rx.Var[list[str]]


def sentence(text: Text, **parts: rx.Component) -> rx.Component:
    """A sentence around components: each language puts them where it says them.

    Args:
        text: with `{name}` for each of the parts; other placeholders have values, which are the product's own texts.
        parts: by name.
    """
    made: rx.Component = Sentence.create(*parts.values(), text=text, names=list(parts))
    return made
