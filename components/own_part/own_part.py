"""Reflex wrappers of what stands round a component of a team's own."""

from __future__ import annotations

import reflex as rx

from walletmodal.reflex_internals.components import MemoizationLeaf

rx.asset("own_part.css", shared=True)
_OWN_PART = rx.asset("own_part.tsx", shared=True)


class OwnPart(MemoizationLeaf):
    """The first child; where that raises in the browser, the second, or without one a card that says so and offers another try.

    Attributes:
        what: what it is, such as `view Loyalty`; "" where visitors are not to know.
        source: file and line of the function that draws it, such as `my_modal.py:12`; "" where visitors are not to know.
        content: it stands beside the content of a view, whose margins it takes.
    """

    library = _OWN_PART.importable_path
    tag = "OwnPart"

    what: rx.Var[str]
    source: rx.Var[str]
    content: rx.Var[bool]


class RaisedPart(rx.Component):
    """The card in the place of a component that raised while it was built; as `OwnPart`, `error` says what."""

    library = _OWN_PART.importable_path
    tag = "RaisedPart"

    what: rx.Var[str]
    source: rx.Var[str]
    error: rx.Var[str]


own_part = OwnPart.create
raised_part = RaisedPart.create
