"""The kit: rows, buttons, inputs, pictures, tags and skeletons as Python functions over `rx.el`, and their CSS.

What is named here is public, for the views of teams; everything else in the modules may change. What knows a state class does not live
here but with its feature.
"""

import reflex as rx

import walletmodal.components.language  # noqa: F401 - texts become calls of its function, and `rx.asset` knows its callers quickly
from walletmodal.ui.buttons import button, button_link, icon_button, link, text_link
from walletmodal.ui.feedback import separator, shimmer, spinner, tag
from walletmodal.ui.images import icon_box, picture
from walletmodal.ui.inputs import checkbox, search_bar, text_input
from walletmodal.ui.notes import note, try_again
from walletmodal.ui.rows import link_row, list_button, list_item, row_skeleton
from walletmodal.ui.tabs import tab, tab_list

__all__ = [
    "STYLESHEETS",
    "button",
    "button_link",
    "checkbox",
    "icon_box",
    "icon_button",
    "link",
    "link_row",
    "list_button",
    "list_item",
    "note",
    "picture",
    "row_skeleton",
    "search_bar",
    "separator",
    "shimmer",
    "spinner",
    "tab",
    "tab_list",
    "tag",
    "text_input",
    "text_link",
    "try_again",
]

STYLESHEETS: list[str] = [
    rx.asset(name, shared=True).importable_path.removeprefix("$/public")
    for name in ("tokens.css", "kit.css", "images.css", "views.css", "choosing.css")
]
"""For `rx.App(stylesheets=…)`, the tokens first: paths below `assets/`, without the version that `rx.asset` appends."""
