"""Choice of what is bought and of what pays. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.connect.legal_views import behind_the_checkbox, legal_checkbox, legal_footer
from walletmodal.features.onramp.currencies import CurrencyChoice, CurrencyState, TokenChoice
from walletmodal.features.onramp.parts import example_tag
from walletmodal.features.onramp.state import BuyState
from walletmodal.features.onramp.styles import onramp_part
from walletmodal.ui.images import token_image
from walletmodal.ui.notes import note
from walletmodal.ui.rows import row_skeleton


def _chosen(yes: rx.Var[bool]) -> rx.Component:
    return rx.cond(yes, rx.icon("check", size=18, class_name="wm-row-check", aria_hidden="true"), rx.fragment())


def _token(row: rx.Var[TokenChoice]) -> rx.Component:
    chosen = row["symbol"] == BuyState.token
    return rx.el.button(
        token_image(row["icon"]),
        rx.el.span(
            rx.el.span(row["name"], class_name="wm-onramp-name"),
            rx.el.span(row["symbol"], class_name="wm-onramp-facts"),
            class_name="wm-onramp-words",
        ),
        _chosen(chosen),
        type="button",
        class_name="wm-row",
        aria_current=rx.cond(chosen, "true", "false"),
        on_click=CurrencyState.choose_token(row["symbol"]),
        data_testid="onramp-token-" + row["symbol"].to(str),
        key=row["symbol"],
    )


def _currency(row: rx.Var[CurrencyChoice]) -> rx.Component:
    chosen = row["code"] == BuyState.currency
    return rx.el.button(
        token_image(row["icon"]),
        rx.el.span(
            rx.el.span(row["code"], class_name="wm-onramp-name"),
            rx.cond(row["limits"] != "", rx.el.span(row["limits"], class_name="wm-onramp-facts"), rx.fragment()),
            class_name="wm-onramp-words",
        ),
        _chosen(chosen),
        type="button",
        class_name="wm-row",
        aria_current=rx.cond(chosen, "true", "false"),
        on_click=CurrencyState.choose_currency(row["code"]),
        data_testid="onramp-currency-" + row["code"].to(str),
        key=row["code"],
    )


def _example_note() -> rx.Component:
    return rx.cond(
        CurrencyState.example,
        rx.el.div(
            rx.el.p(
                example_tag(),
                " ",
                _("No service tells what is sold here. The provider's page has the whole list and its limits."),
                class_name="wm-onramp-line",
            ),
            class_name="wm-onramp-wish",
        ),
        rx.fragment(),
    )


def _choices(rows: rx.Component, more: rx.Component) -> rx.Component:
    return onramp_part(
        rx.match(
            CurrencyState.phase,
            (
                "loading",
                rx.el.div(
                    *(row_skeleton(width, image="round") for width in ("96px", "72px", "112px")),
                    rx.el.span(_("Reading what can be bought"), class_name="wm-hidden", role="status"),
                    class_name="wm-stack",
                ),
            ),
            (
                "none",
                note(
                    "credit-card",
                    _("Nothing can be bought on this network"),
                    _("Choose another network, or receive funds from another wallet."),
                    role="status",
                ),
            ),
            rx.el.div(
                legal_checkbox(),
                behind_the_checkbox(rx.el.div(_example_note(), rows, more, class_name="wm-stack")),
                class_name="wm-scroll",
                data_height="list",
            ),
        ),
        legal_footer(),
        on_mount=CurrencyState.on_shown,
    )


@rx.memo
def on_ramp_token_select_view() -> rx.Component:
    """OnRampTokenSelect: what can be bought."""
    return _choices(
        rx.fragment(rx.foreach(CurrencyState.tokens, _token)),
        rx.cond(
            CurrencyState.more > 0,
            rx.el.p(_("And {count} more on the provider's page", count=CurrencyState.more), class_name="wm-text"),
            rx.fragment(),
        ),
    )


@rx.memo
def on_ramp_fiat_select_view() -> rx.Component:
    """OnRampFiatSelect: what pays for it."""
    return _choices(rx.fragment(rx.foreach(CurrencyState.currencies, _currency)), rx.fragment())
