"""The list of tokens that can be swapped. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.swap.picker import SwapPickState
from walletmodal.features.swap.styles import swap_part
from walletmodal.ui.feedback import separator
from walletmodal.ui.images import token_image
from walletmodal.ui.inputs import search_bar
from walletmodal.ui.notes import note, try_again
from walletmodal.ui.rows import row_skeleton, token_row


def _row(row: rx.Var[Any]) -> rx.Component:
    return token_row(
        row[1],
        row[2],
        row[3],
        amount=row[4],
        value=row[5],
        disabled=row[0] == SwapPickState.other,
        on_click=SwapPickState.choose(row[0]),
        data_testid="swap-select-token-item-" + row[2].to(str),
        key=row[0],
    )


def _chip(one: rx.Var[Any]) -> rx.Component:
    return rx.el.button(
        token_image(one["icon"], "sm"),
        one["symbol"],
        type="button",
        disabled=one["id"] == SwapPickState.other,
        on_click=SwapPickState.choose(one["id"]),
        data_testid="swap-suggestion-" + one["symbol"].to(str),
        key=one["id"],
    )


def _section(title: str, rows: rx.Var[Any]) -> rx.Component:
    return rx.cond(
        rows.to(list).length() > 0,
        rx.fragment(
            rx.el.h2(title, class_name="wm-send-heading"), rx.el.div(rx.foreach(rows, _row), class_name="wm-stack")
        ),
        rx.fragment(),
    )


def _tokens() -> rx.Component:
    return rx.el.div(
        _section(_("Your tokens"), SwapPickState.mine),
        _section(_("Tokens"), SwapPickState.others),
        rx.cond(
            SwapPickState.more > 0,
            rx.el.p(_("{count} more: search for them by name.", count=SwapPickState.more), class_name="wm-note"),
            rx.fragment(),
        ),
        class_name="wm-scroll",
        data_height="tokens",
        tab_index=-1,
    )


def _known() -> rx.Component:
    found = (SwapPickState.mine.length() > 0) | (SwapPickState.others.length() > 0)
    return rx.cond(
        found,
        _tokens(),
        note("coins", _("No tokens found"), _("No token that can be swapped here is called that."), role="status"),
    )


@rx.memo
def swap_select_token_view() -> rx.Component:
    """SwapSelectToken: what can be swapped on the active network, the account's own tokens first."""
    return swap_part(
        rx.el.div(
            search_bar(
                _("Search token"),
                value=SwapPickState.search,
                on_change=SwapPickState.set_search.debounce(300),
                data_testid="swap-select-token-search-input",
            ),
            class_name="wm-stack",
            data_part="search",
        ),
        rx.cond(
            SwapPickState.suggestions.length() > 0,
            rx.el.div(
                rx.foreach(SwapPickState.suggestions, _chip),
                class_name="wm-swap-chips",
                role="group",
                aria_label=_("Suggested tokens"),
            ),
            rx.fragment(),
        ),
        separator(),
        rx.match(
            SwapPickState.phase,
            (
                "loading",
                rx.el.div(*(row_skeleton(w, image="round") for w in ("96px", "72px", "112px")), class_name="wm-stack"),
            ),
            (
                "unavailable",
                note(
                    "cloud-off",
                    _("The tokens could not be listed"),
                    _("The service that lists them does not answer."),
                    try_again(SwapPickState.load, test_id="swap-tokens-retry"),
                    role="status",
                ),
            ),
            _known(),
        ),
        on_mount=SwapPickState.on_shown,
    )
