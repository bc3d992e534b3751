"""The account with the panels of all features that have one. Each panel comes in a chunk of its own."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.account.active import ActiveState
from walletmodal.features.account_views.body import account_body
from walletmodal.features.account_views.compact_view import compact_account_view
from walletmodal.features.account_views.parts import refreshing
from walletmodal.features.account_views.tokens_view import tokens_tab
from walletmodal.features.activity.views import activity_tab
from walletmodal.features.nfts.views import nfts_tab
from walletmodal.features.shell.lazy import lazy_view

_ROWS = (48, 48, 48, 48)
"""Heights (px) of what stands in a panel until its script has come."""


@rx.memo
def account_view() -> rx.Component:
    """Account: with its tabs, or as a short list of actions."""
    panel = rx.match(
        ActiveState.tab,
        ("Tokens", lazy_view(tokens_tab, occasion="account", skeleton=_ROWS)),
        ("NFTs", lazy_view(nfts_tab, occasion="account", skeleton=_ROWS)),
        ("Activity", lazy_view(activity_tab, occasion="account", skeleton=_ROWS)),
        rx.fragment(),
    )
    compact = lazy_view(compact_account_view, occasion="account")
    return rx.fragment(refreshing(), rx.cond(ActiveState.compact, compact, account_body(panel)))
