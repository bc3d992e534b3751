"""Where a wallet is to be had."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button
from walletmodal.ui.images import icon_box
from walletmodal.ui.rows import link_row


def _store(label: str, icon: str, href: str | rx.Var[str], test_id: str) -> rx.Component:
    """One place."""
    picture = icon_box(rx.icon(icon, size=16), tone="accent")
    return rx.cond(href != "", link_row(picture, label, href, data_kind="item", data_testid=test_id), rx.fragment())


@rx.memo
def downloads_view() -> rx.Component:
    """Downloads: the stores and pages that the wallet has."""
    return rx.cond(
        PairingState.wallet["download"] != "",
        rx.el.div(
            _store(_("Chrome Extension"), "puzzle", PairingState.wallet["chrome_store"], "download-chrome-store"),
            _store(_("iOS App"), "apple", PairingState.wallet["app_store"], "download-app-store"),
            _store(_("Android App"), "smartphone", PairingState.wallet["play_store"], "download-play-store"),
            _store(_("Website"), "globe", PairingState.wallet["homepage"], "download-homepage"),
            class_name="wm-stack",
        ),
        rx.el.div(
            icon_box(rx.icon("wallet", size=20), size="lg"),
            rx.el.div(
                rx.el.p(_("No wallet chosen"), class_name="wm-heading"),
                rx.el.p(_("Choose a wallet first; then its stores are listed here."), class_name="wm-text"),
                class_name="wm-words",
            ),
            button(_("Choose a wallet"), variant="accent", on_click=ShellState.push("Connect")),
            class_name="wm-centered",
            data_pad="empty",
        ),
    )
