"""The kit: rows, buttons, inputs, pictures, tags and skeletons as Python functions over `rx.el`, and their CSS.

What knows a state class does not live here but with its feature.
"""

from __future__ import annotations

from typing import Final

import reflex as rx

import walletmodal.components  # noqa: F401 - it lets `rx.asset` know its callers quickly

STYLESHEETS: Final[list[str]] = [
    rx.asset(name, shared=True).importable_path.removeprefix("$/public")
    for name in ("tokens.css", "kit.css", "images.css", "views.css", "choosing.css")
]
"""For `rx.App(stylesheets=…)`, the tokens first: paths below `assets/`, without the version that `rx.asset` appends."""
