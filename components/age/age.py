"""Reflex wrapper of an age."""

from __future__ import annotations

import reflex as rx

_AGE = rx.asset("age.tsx", shared=True)


class Age(rx.Component):
    """The time since an instant, in the shortest words: it moves by itself.

    Attributes:
        since: milliseconds since 1970.
    """

    library = _AGE.importable_path
    tag = "Age"

    since: rx.Var[int]


age = Age.create
