"""Reflex wrapper of what a view puts into the header."""

from __future__ import annotations

import reflex as rx

_HEADER_ACTION = rx.asset("header_action.tsx", shared=True)


class HeaderAction(rx.Component):
    """Shows its children in the header, before the close button, so that their code comes with the view and not with the page."""

    library = _HEADER_ACTION.importable_path
    tag = "HeaderAction"


header_action = HeaderAction.create
