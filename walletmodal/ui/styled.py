"""Stylesheets that come with the views that need them, instead of with the modal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import reflex as rx

CHIP: Final = rx.asset("chip.css", shared=True).importable_path
"""The stylesheet of `wm-chip`."""


def styled(*stylesheets: str) -> Callable[..., rx.Component]:
    """Makes a `div` whose module brings stylesheets along; in a lazy view nobody downloads them who never sees the view.

    Args:
        stylesheets: importable paths, as `rx.asset(…, shared=True).importable_path` gives them.
    """

    class Styled(rx.Component):
        """Brings its stylesheets."""

        tag = "div"
        _is_tag_in_global_scope = True

        def add_imports(self) -> dict[str, Any]:
            """The stylesheets, beside what every element imports."""
            return {"": list(stylesheets)}

    return Styled.create
