"""ConnectWallets, Create, GetWallet: for those who have chosen a wallet as their way in, and for those who have none."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.connect.legal_views import behind_the_checkbox, legal_checkbox, legal_footer
from walletmodal.features.connect.wallet_list_view import wallet_list
from walletmodal.features.wallets.state import WalletsState, WalletToGet
from walletmodal.ui.buttons import button, button_link, link
from walletmodal.ui.images import visual, wallet_image
from walletmodal.ui.rows import link_row, row_skeleton

_WALLET_GUIDE: Final = "https://walletguide.walletconnect.network/"


@rx.memo
def connect_wallets_view() -> rx.Component:
    """ConnectWallets: the list that one button stood for."""
    return rx.el.div(
        rx.el.div(
            legal_checkbox(),
            behind_the_checkbox(wallet_list()),
            class_name="wm-scroll",
            data_height="wallets",
            data_testid="w3m-connect-wallets-scroll-view",
        ),
        legal_footer(),
    )


@rx.memo
def create_view() -> rx.Component:
    """Create: how to come by a wallet."""
    return rx.el.div(
        rx.el.div(*(visual(name) for name in ("key", "gem", "planet")), class_name="wm-pictures"),
        rx.el.div(
            rx.el.h2(_("A wallet of your own"), class_name="wm-heading"),
            rx.el.p(
                _("It is an app or a browser extension. It keeps your keys, and nobody but you can use them."),
                class_name="wm-text",
            ),
            class_name="wm-words",
        ),
        button(
            _("Get a wallet"),
            icon=rx.icon("wallet", size=16, aria_hidden="true"),
            on_click=WalletsState.get_wallet,
            data_testid="get-a-wallet",
        ),
        button_link(
            _("Find one on WalletGuide"),
            _WALLET_GUIDE,
            icon=rx.icon("compass", size=16, aria_hidden="true"),
            data_testid="w3m-wallet-guide-explore",
        ),
        class_name="wm-centered",
        data_pad="empty",
    )


def _to_get(row: rx.Var[WalletToGet]) -> rx.Component:
    return rx.el.li(
        link_row(wallet_image(row["icon"]), row["name"], row["page"], data_testid="get-wallet-" + row["id"]),
        key=row["id"],
    )


@rx.memo
def get_wallet_view() -> rx.Component:
    """GetWallet: the first wallets that the directory and the host list, each leading to where it is to be had."""
    return rx.el.div(
        rx.match(
            WalletsState.directory,
            (
                "loading",
                rx.el.div(
                    *(row_skeleton(width) for width in ("112px", "88px", "136px", "96px")),
                    rx.el.span(_("Looking for wallets"), class_name="wm-hidden", role="status"),
                    class_name="wm-rows",
                ),
            ),
            (
                "failed",
                rx.el.div(
                    rx.el.p(_("The wallets could not be loaded."), class_name="wm-text"),
                    link(_("Try again"), on_click=WalletsState.retry),
                    class_name="wm-note",
                    role="status",
                ),
            ),
            rx.cond(
                WalletsState.to_get.length() > 0,
                rx.el.ul(
                    rx.foreach(WalletsState.to_get, _to_get), class_name="wm-rows", role="list", aria_label=_("Wallets")
                ),
                rx.el.p(_("A guide to wallets and what they can do:"), class_name="wm-note wm-text"),
            ),
        ),
        rx.el.div(
            button_link(_("Explore all"), _WALLET_GUIDE, icon=rx.icon("compass", size=16, aria_hidden="true")),
            class_name="wm-note",
        ),
    )
