"""Reflex wrapper of content that waits for its pictures."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.reflex_internals.components import MemoizationLeaf

_PRELOADED = rx.asset("preloaded.tsx", shared=True)


class Preloaded(MemoizationLeaf):
    """The first child until `rows` have names and their pictures are there, at most two seconds; then the second."""

    library = _PRELOADED.importable_path
    tag = "Preloaded"

    rows: rx.Var[list[dict[str, str]]]


def preloaded(rows: rx.Var[Any], *, until: rx.Component, then: rx.Component) -> rx.Component:
    """Shows `until` while rows have no `name`, and while pictures (`icon`) have neither loaded nor failed, at most 2 s; after that `then`."""
    found: rx.Component = Preloaded.create(until, then, rows=rows)
    return found
