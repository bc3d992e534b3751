"""What is a wallet, what is a network. Read once or never, so these views load when they are asked for."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.wallets.state import WalletsState
from walletmodal.ui.buttons import button, button_link
from walletmodal.ui.images import Visual, visual

_ABOUT_NETWORKS = "https://ethereum.org/en/developers/docs/networks/"


def _lesson(pictures: tuple[Visual, Visual, Visual], title: str, text: str) -> rx.Component:
    return rx.el.div(
        rx.el.div(*(visual(name) for name in pictures), class_name="wm-pictures"),
        rx.el.div(
            rx.el.h2(title, class_name="wm-heading"),
            rx.el.p(text, class_name="wm-text"),
            class_name="wm-words",
        ),
        class_name="wm-lesson",
    )


@rx.memo
def what_is_a_wallet_view() -> rx.Component:
    """WhatIsAWallet: three lessons."""
    return rx.el.div(
        _lesson(
            ("key", "profile", "lock"),
            _("One login for every app"),
            _("Your wallet signs you in wherever you go. No account to open, no password to remember."),
        ),
        _lesson(
            ("chart", "artwork", "gem"),
            _("A home for what you own"),
            _("Coins, tokens and collectibles lie on a public ledger, and only your wallet can move them."),
        ),
        _lesson(
            ("compass", "planet", "vote"),
            _("A door to a new web"),
            _("Trade, play, lend or vote in apps that belong to the people who use them."),
        ),
        button(
            _("Get a wallet"),
            icon=rx.icon("wallet", size=16, aria_hidden="true"),
            on_click=WalletsState.get_wallet,
            data_testid="get-a-wallet",
        ),
        class_name="wm-centered wm-lessons",
    )


@rx.memo
def what_is_a_network_view() -> rx.Component:
    """WhatIsANetwork: two lessons and further reading."""
    return rx.el.div(
        _lesson(
            ("nodes", "layers", "system"),
            _("The machinery behind every app"),
            _("A network is many computers that keep one ledger together, so nobody alone can change what it says."),
        ),
        _lesson(
            ("planet", "chart", "vote"),
            _("Each one has its strengths"),
            _("Networks differ in speed, fees and safety, and in the apps and coins that live on them."),
        ),
        button_link(_("Learn more"), _ABOUT_NETWORKS, variant="main"),
        class_name="wm-centered wm-lessons",
    )
