"""Choosing a way in, and waiting for a wallet."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.connect.legal_views import behind_the_checkbox, legal_checkbox, legal_footer
from walletmodal.features.connect.methods import SEPARATOR, MethodsState
from walletmodal.features.connect.wallet_list_view import wallet_list
from walletmodal.features.connecting.state import ConnectState
from walletmodal.features.embedded.social_views import SOCIAL_HEIGHT, login_block
from walletmodal.features.shell.lazy import lazy_view
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import link
from walletmodal.ui.feedback import separator
from walletmodal.ui.images import wallet_image
from walletmodal.ui.own_parts import around
from walletmodal.ui.rows import list_button
from walletmodal.ui.waiting import wallet_is_asked

LOGIN_HEIGHT = [44]
"""Of what stands in the place of a login until its script has come; with the room below it, as high as the field for an address."""


def _wallets() -> rx.Component:
    return rx.cond(
        MethodsState.collapsed,
        list_button(
            _("Continue with a wallet"),
            rx.icon("wallet", size=20, aria_hidden="true"),
            on_click=ShellState.push("ConnectWallets"),
            data_testid="w3m-collapse-wallets-button",
        ),
        wallet_list(),
    )


def _block(name: rx.Var[str]) -> rx.Component:
    """One method, or the separator between two."""
    return rx.fragment(
        rx.match(
            name,
            ("wallet", _wallets()),
            (SEPARATOR, separator(_("or"))),
            lazy_view(login_block, skeleton=rx.cond(name == "social", SOCIAL_HEIGHT, LOGIN_HEIGHT), name=name),
        ),
        key=name,
    )


def _guide() -> rx.Component:
    return rx.cond(
        MethodsState.guide,
        rx.el.p(
            _("Haven't got a wallet?"),
            link(_("Get started"), on_click=ShellState.push("Create"), data_testid="w3m-wallet-guide-get-started"),
            class_name="wm-guide",
        ),
        rx.fragment(),
    )


@rx.memo
def connect_view() -> rx.Component:
    """Connect: the methods from top to bottom, and what goes with them."""
    return rx.el.div(
        rx.el.div(
            legal_checkbox(),
            behind_the_checkbox(
                *around("Connect", "methods", rx.foreach(MethodsState.blocks, _block)),
                *around("Connect", "guide", _guide()),
            ),
            class_name="wm-scroll",
            data_testid="w3m-connect-scroll-view",
        ),
        legal_footer(),
    )


@rx.memo
def connecting_external_view() -> rx.Component:
    """ConnectingExternal: a browser's wallet is being asked, or has not connected."""
    return wallet_is_asked(
        wallet_image(ConnectState.wallet_icon, "lg"),
        title=_("Continue in {wallet}", wallet=ConnectState.wallet_name),
        request=_("Accept the request that your wallet shows you."),
        running=ConnectState.phase == "connecting",
        failed=ConnectState.phase == "error",
        failure=rx.cond(ConnectState.declined, _("Connection declined"), _("Connection failed")),
        error=ConnectState.error,
        on_retry=ConnectState.retry,
        retry_waits=True,
    )
