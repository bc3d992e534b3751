"""The tab of tokens. A module of its own, because most visitors of a page have no account yet."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.age import age
from walletmodal.components.language.sentence import sentence
from walletmodal.components.token_list import token_list
from walletmodal.core.language import _
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.account.tokens import TokensState
from walletmodal.features.onramp.state import BuyState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import link
from walletmodal.ui.feedback import shimmer
from walletmodal.ui.notes import note, try_again
from walletmodal.ui.rows import list_item

_PLACES = ("96px", "72px", "112px", "80px")


def _placeholder_row(width: str) -> rx.Component:
    return rx.el.div(
        shimmer("40px", "40px", "50%"),
        rx.el.div(shimmer(width, "16px"), shimmer("64px", "14px"), class_name="wm-token-places"),
        shimmer("56px", "16px"),
        class_name="wm-token-place",
        aria_hidden="true",
    )


def _skeleton() -> rx.Component:
    return rx.el.div(
        *(_placeholder_row(width) for width in _PLACES),
        rx.el.span(_("Reading your tokens"), class_name="wm-hidden"),
        role="status",
    )


def _retry_button(label: str) -> rx.Component:
    return link(label, icon=rx.icon("refresh-cw", size=14, aria_hidden="true"), on_click=TokensState.refresh_all)


def _age_note() -> rx.Component:
    """Since when nobody could say."""
    return rx.el.div(
        rx.el.span(
            sentence(_("As of {age} ago"), age=age(since=TokensState.as_of)), role="status", data_testid="tokens-age"
        ),
        _retry_button(_("Try again")),
        class_name="wm-token-age",
    )


def _token_list() -> rx.Component:
    return rx.fragment(
        rx.cond(TokensState.as_of > 0, _age_note(), rx.fragment()),
        token_list(rows=TokensState.rows, label=_("Tokens")),
        rx.cond(
            TokensState.more > 0,
            rx.el.p(
                _("And {count} more of no higher value", count=TokensState.more), class_name="wm-text", data_part="more"
            ),
            rx.fragment(),
        ),
    )


def _empty_note() -> rx.Component:
    receive = list_item(
        _("Receive funds"),
        rx.icon("qr-code", size=16),
        on_click=ShellState.push("WalletReceive"),
        data_testid="receive-funds",
    )
    buy = list_item(
        _("Buy crypto"),
        rx.icon("credit-card", size=16),
        on_click=BuyState.open_providers,
        data_testid="buy-crypto",
    )
    return note(
        "coins",
        _("No tokens yet"),
        _("What this account receives will stand here."),
        rx.el.div(
            rx.cond(ActiveState.actions.contains("onramp"), buy, rx.fragment()),
            rx.cond(ActiveState.actions.contains("receive"), receive, rx.fragment()),
            class_name="wm-account-ways",
        ),
        pad="tab",
        data_testid="empty-account-state",
    )


def _unavailable_note() -> rx.Component:
    return note(
        "cloud-off",
        _("Your tokens cannot be read at the moment"),
        _("They are safe: only the service that lists them does not answer."),
        try_again(TokensState.refresh_all, test_id="tokens-retry"),
        pad="tab",
        role="status",
    )


@rx.memo
def tokens_tab() -> rx.Component:
    """Tokens: what the account owns on the active network."""
    return rx.el.div(
        rx.match(
            rx.cond(TokensState.of == active_var("caip_address"), TokensState.phase, "loading"),
            ("known", _token_list()),
            ("empty", _empty_note()),
            ("unavailable", _unavailable_note()),
            _skeleton(),
        ),
        class_name="wm-scroll",
        data_height="tab",
        tab_index=0,
        role="group",
        aria_label=_("Tokens"),
    )
