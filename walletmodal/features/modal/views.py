"""Every view of the modal by its name in the router: what draws it, and when its script comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import reflex as rx

from walletmodal.features.account.active import ActiveState
from walletmodal.features.account_views.account_view import account_view
from walletmodal.features.all_wallets.views import all_wallets_view
from walletmodal.features.approve.views import approve_transaction_view
from walletmodal.features.connect.guide_views import connect_wallets_view, create_view, get_wallet_view
from walletmodal.features.connect.views import connect_view, connecting_external_view
from walletmodal.features.connecting.multi_chain_view import connecting_multi_chain_view
from walletmodal.features.help.views import what_is_a_wallet_view
from walletmodal.features.modal.drawn import Drawn, body_of, own_views
from walletmodal.features.modal.later_views import LATER_VIEWS, later_views
from walletmodal.features.pairing.downloads_view import downloads_view
from walletmodal.features.pairing.views import connecting_wallet_connect_basic_view, connecting_wallet_connect_view
from walletmodal.features.shell.lazy import lazy_view
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.views import sign_in_view
from walletmodal.ui.own_parts import OWN

_ACCOUNT = [48, 77, "calc(var(--wm-tab-height) + 2 * var(--wm-spacing-3xs))", 250, 48]
"""Heights (px, or as CSS has them) of the account's parts, in whose place they stand until its script has come."""
_ACCOUNT_WITH_ACTIONS = [*_ACCOUNT[:2], 60, *_ACCOUNT[2:]]


FIRST_VIEWS: Final[Mapping[str, Drawn]] = {
    "Connect": Drawn(connect_view, lazy=False),
    "ConnectingExternal": Drawn(connecting_external_view, lazy=False),
    "Account": Drawn(
        account_view,
        occasion="account",
        skeleton=rx.cond(
            ActiveState.compact, [], rx.cond(ActiveState.actions.length() > 0, _ACCOUNT_WITH_ACTIONS, _ACCOUNT)
        ),
    ),
    "ConnectWallets": Drawn(connect_wallets_view),
    "Create": Drawn(create_view),
    "GetWallet": Drawn(get_wallet_view),
    "ConnectingWalletConnect": Drawn(connecting_wallet_connect_view, occasion="pairing"),
    "ConnectingWalletConnectBasic": Drawn(connecting_wallet_connect_basic_view, occasion="pairing"),
    "Downloads": Drawn(downloads_view),
    "ConnectingMultiChain": Drawn(connecting_multi_chain_view),
    "AllWallets": Drawn(all_wallets_view),
    "ApproveTransaction": Drawn(approve_transaction_view),
    "SIWXSignMessage": Drawn(sign_in_view),
    "ConnectingSiwe": Drawn(sign_in_view),
    "WhatIsAWallet": Drawn(what_is_a_wallet_view),
}
VIEWS: Final[Mapping[str, Drawn]] = {**FIRST_VIEWS, **LATER_VIEWS}


def modal_body() -> rx.Component:
    """The view on top of the stack.

    Raises:
        OwnViewsError: a team's views rely on what is not there.
    """
    OWN.check()
    later = lazy_view(later_views, occasion="account", name=ShellState.view)
    return body_of(ShellState.view, {**FIRST_VIEWS, **own_views(needs_account=False)}, other=later)
