"""Choosing a wallet, and waiting for it."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.texts import WALLET_DECLINED
from walletmodal.features.connect.state import ConnectState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.wallets.state import WalletRow, WalletsState
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import tag
from walletmodal.ui.images import icon_box, wallet_image
from walletmodal.ui.rows import row_skeleton, wallet_row
from walletmodal.ui.waiting import wallet_is_asked


def _row(row: rx.Var[WalletRow]) -> rx.Component:
    return wallet_row(
        row["name"],
        row["icon"],
        end=tag("installed", "success"),
        on_click=ConnectState.select(row["id"]),
        data_testid="wallet-selector-" + row["id"],
        key=row["id"],
    )


def _searching() -> rx.Component:
    return rx.el.div(
        *(row_skeleton(width) for width in ("112px", "88px", "136px")),
        rx.el.span("Looking for wallets", class_name="wm-hidden", role="status"),
        class_name="wm-stack",
        aria_busy="true",
    )


def _none_found() -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon("wallet", size=20), size="lg"),
        rx.el.div(
            rx.el.p("No wallet found", class_name="wm-heading", data_testid="no-wallet-found-text"),
            rx.el.p(
                "This browser has no wallet that works here. Install one as a browser extension, then reload the page.",
                class_name="wm-text",
            ),
            class_name="wm-words",
        ),
        button("What is a wallet?", variant="accent", on_click=ShellState.push("WhatIsAWallet")),
        class_name="wm-centered",
        data_pad="empty",
        data_testid="no-wallet-found",
    )


@rx.memo
def connect_view() -> rx.Component:
    """Connect: the wallets that the browser brings."""
    return rx.el.div(
        rx.cond(
            WalletsState.searched,
            rx.cond(
                WalletsState.rows.length() > 0,
                rx.el.div(rx.foreach(WalletsState.rows, _row), class_name="wm-stack"),
                _none_found(),
            ),
            _searching(),
        ),
        class_name="wm-scroll",
        data_testid="w3m-connect-scroll-view",
    )


@rx.memo
def connecting_external_view() -> rx.Component:
    """ConnectingExternal: a browser's wallet is being asked, or has not connected."""
    return wallet_is_asked(
        wallet_image(ConnectState.wallet_icon, "lg"),
        title="Continue in " + ConnectState.wallet_name,
        request="Accept the request that your wallet shows you.",
        running=ConnectState.phase == "connecting",
        failed=ConnectState.phase == "error",
        failure=rx.cond(ConnectState.error == WALLET_DECLINED, "Connection declined", "Connection failed"),
        error=ConnectState.error,
        on_retry=ConnectState.retry,
        retry_waits=True,
    )
