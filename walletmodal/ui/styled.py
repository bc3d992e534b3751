"""Stylesheets that come with the views that need them, instead of with the modal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import reflex as rx

CHIP: Final = rx.asset("chip.css", shared=True).importable_path
"""The stylesheet of `wm-chip`."""
ACCOUNT: Final = rx.asset("account.css", shared=True).importable_path
"""The stylesheet of the account's views, and of rows with two lines."""
PANES: Final = rx.asset("panes.css", shared=True).importable_path
"""The stylesheet of tabs and of a pairing's panes."""
WARNINGS: Final = rx.asset("warnings.css", shared=True).importable_path
"""The stylesheet of `wm-warnings`."""
OPTIONS: Final = rx.asset("options.css", shared=True).importable_path
"""The stylesheet of `options`."""
HEXAGON: Final = rx.asset("hexagon.css", shared=True).importable_path
"""The stylesheet of networks in hexagons."""


def styled(*stylesheets: str) -> Callable[..., rx.Component]:
    """Makes a `div` whose module brings stylesheets along; in a lazy view nobody downloads them who never sees the view.

    Args:
        stylesheets: importable paths, as `rx.asset(…, shared=True).importable_path` gives them.
    """

    class Styled(rx.el.Div):  # type: ignore[misc]  # Reflex loads its elements late, and gives them no types
        """Brings its stylesheets."""

        def add_imports(self) -> dict[str, Any]:
            """The stylesheets, beside what every element imports."""
            return {"": list(stylesheets)}

    return Styled.create
