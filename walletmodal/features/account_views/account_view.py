"""The account with the panels of all features that have one. Each panel comes in a chunk of its own."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.header_action import header_action
from walletmodal.core.language import _
from walletmodal.features.account.active import ActiveState
from walletmodal.features.account_views.body import account_body
from walletmodal.features.account_views.compact_view import compact_account_view
from walletmodal.features.account_views.parts import refreshing
from walletmodal.features.account_views.tokens_view import tokens_tab
from walletmodal.features.activity.views import activity_tab
from walletmodal.features.nfts.views import nfts_tab
from walletmodal.features.permissions.state import LIST as PERMISSIONS
from walletmodal.features.permissions.state import PermissionsState
from walletmodal.features.shell.lazy import lazy_view
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import icon_button
from walletmodal.ui.own_parts import OWN, Draw, OwnTab, memo

_ROWS = (48, 48, 48, 48)
"""Heights (px) of what stands in a panel until its script has come."""


def _permissions() -> rx.Component:
    """The way to what the account lets pages spend; a view that is leaving takes it along at once."""
    shown = PermissionsState.offered & (ShellState.view == "Account")
    clock = icon_button(
        rx.icon("clock", size=20),
        _("Smart Sessions"),
        on_click=ShellState.push(PERMISSIONS),
        data_testid="w3m-header-smart-sessions",
    )
    return rx.cond(shown, header_action(clock), rx.fragment())


def _own_tab(name: str, tab: OwnTab) -> Draw:
    return memo(f"{name}_tab", lambda: tab.part.component(f"{name}_tab_own"))


@rx.memo
def account_view() -> rx.Component:
    """Account: with its tabs, or as a short list of actions."""
    panel = rx.match(
        ActiveState.tab,
        ("Tokens", lazy_view(tokens_tab, occasion="account", skeleton=_ROWS)),
        ("NFTs", lazy_view(nfts_tab, occasion="account", skeleton=_ROWS)),
        ("Activity", lazy_view(activity_tab, occasion="account", skeleton=_ROWS)),
        *((name, lazy_view(_own_tab(name, tab))) for name, tab in OWN.tabs.items()),
        rx.fragment(),
    )
    compact = lazy_view(compact_account_view, occasion="account")
    return rx.fragment(refreshing(), _permissions(), rx.cond(ActiveState.compact, compact, account_body(panel)))
