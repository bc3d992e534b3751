"""All wallets: search, badge, QR code on phones, and the grid."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.pairing import pairing_ahead
from walletmodal.components.wallet_grid import wallet_grid
from walletmodal.core.language import _
from walletmodal.features.all_wallets.state import AllWalletsState
from walletmodal.features.connect.choice import ChoiceState
from walletmodal.features.pairing.state import PairingState
from walletmodal.ui.buttons import button, icon_button
from walletmodal.ui.images import icon_box
from walletmodal.ui.inputs import search_bar


def _certified_switch() -> rx.Component:
    return rx.el.button(
        rx.icon("badge-check", size=20, aria_hidden="true"),
        rx.el.span(class_name="wm-switch-track", aria_hidden="true"),
        type="button",
        role="switch",
        aria_checked=rx.cond(AllWalletsState.certified, "true", "false"),
        aria_label=_("Only certified wallets"),
        title=_("Only certified wallets"),
        class_name="wm-switch",
        on_click=AllWalletsState.toggle_certified,
        data_testid="wui-certified-switch",
    )


def _search_row() -> rx.Component:
    return rx.el.div(
        search_bar(
            _("Search wallet"),
            value=AllWalletsState.search,
            on_change=AllWalletsState.set_search.debounce(500),
        ),
        _certified_switch(),
        rx.cond(
            AllWalletsState.pairs,
            icon_button(
                rx.icon("qr-code", size=20),
                _("Show a QR code"),
                class_name="wm-qr-button",
                on_click=ChoiceState.select("walletconnect", ""),
                data_testid="all-wallets-qr",
            ),
            rx.fragment(),
        ),
        class_name="wm-bar",
    )


def _none_found() -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon("wallet", size=20), size="lg"),
        rx.el.p(_("No Wallet found"), class_name="wm-heading", data_testid="no-wallet-found-text"),
        class_name="wm-centered",
        data_pad="empty",
        data_testid="no-wallet-found",
    )


def _failure_note() -> rx.Component:
    """Below what is there: wallets of the browser, and the pages that came. A search may have left none of them."""
    came = AllWalletsState.page["number"].to(int) > 0
    some = ((AllWalletsState.installed.length() > 0) & (AllWalletsState.search == "")) | came
    return rx.el.div(
        rx.el.p(
            rx.cond(some, _("More wallets could not be loaded"), _("The wallets could not be loaded")),
            class_name="wm-heading",
        ),
        rx.el.p(
            rx.cond(
                some,
                _("The wallet directory does not answer. What is here works all the same."),
                _("The wallet directory does not answer."),
            ),
            class_name="wm-text",
        ),
        button(
            _("Try again"),
            variant="accent",
            icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
            on_click=AllWalletsState.retry,
            data_testid="all-wallets-retry",
        ),
        class_name="wm-centered",
        data_pad="empty",
        data_testid="all-wallets-failed",
    )


def _not_configured_note() -> rx.Component:
    return rx.cond(AllWalletsState.installed.length() > 0, rx.fragment(), _none_found())


@rx.memo
def all_wallets_view() -> rx.Component:
    """AllWallets: every wallet of the directory, those of the browser first."""
    return rx.el.div(
        _search_row(),
        pairing_ahead(
            wallet_grid(
                rx.el.div(
                    rx.match(
                        AllWalletsState.phase,
                        ("none", _none_found()),
                        ("failed", _failure_note()),
                        ("absent", _not_configured_note()),
                        rx.fragment(),
                    ),
                    role="status",
                ),
                page=AllWalletsState.page,
                installed=AllWalletsState.installed,
                search=AllWalletsState.search,
                certified=AllWalletsState.certified,
                loading=AllWalletsState.phase == "loading",
                ended=(AllWalletsState.phase == "failed") | (AllWalletsState.phase == "absent"),
                label=_("Wallets"),
                on_shown=AllWalletsState.on_shown,
                on_more=AllWalletsState.more,
                on_choose=ChoiceState.select,
            ),
            mode=PairingState.ahead,
        ),
        rx.el.span(AllWalletsState.told, class_name="wm-hidden", role="status"),
    )
