"""The connected account."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.account.tokens import TokensState
from walletmodal.features.account_views.parts import (
    Action,
    account_part,
    actions,
    copy_address,
    disconnect_button,
    explorer_button,
    name_or_address,
    native_balance,
    other_addresses,
)
from walletmodal.features.networks.state import NetworksState
from walletmodal.ui.feedback import shimmer
from walletmodal.ui.images import avatar, network_image
from walletmodal.ui.numbers import number_length
from walletmodal.ui.own_parts import around
from walletmodal.ui.tabs import tab, tab_list

_PANEL = "wm-account-panel"


def _profile() -> rx.Component:
    """Who it is: leads to the account's settings, or first to the wallet's other accounts."""
    return rx.el.div(
        rx.el.button(
            rx.el.span(
                avatar(
                    active_var("avatar"), "sm", source=active_var("profile_image"), data_testid="single-account-avatar"
                ),
                network_image(NetworksState.active_image, "xs"),
                class_name="wm-profile-picture",
            ),
            rx.el.span(
                name_or_address(),
                class_name="wm-address",
                style=number_length(name_or_address().to(str)),
                data_testid="wui-profile-button",
            ),
            rx.icon("chevron-right", size=16, class_name="wm-row-chevron", aria_hidden="true"),
            rx.el.span(_("Account settings"), class_name="wm-hidden"),
            type="button",
            class_name="wm-profile",
            title=active_var("address"),
            on_click=AddressesState.open_profile,
            data_testid="w3m-profile-button",
        ),
        copy_address(class_name="wm-icon-button", data_testid="account-copy-address"),
        other_addresses(),
        class_name="wm-beside",
    )


def _worth() -> rx.Component:
    """What it owns: all of it in dollars where prices are known, and the native coin."""
    known = TokensState.of == active_var("caip_address")
    priced = known & (TokensState.dollars != "")
    reads = ~known | (TokensState.phase == "loading")
    return rx.el.div(
        rx.cond(
            priced,
            rx.el.p(
                rx.el.span(TokensState.dollars),
                rx.el.small(TokensState.cents),
                class_name="wm-total",
                # The cents and their mark are smaller.
                style={"--wm-length": (TokensState.dollars + TokensState.cents).length() - 1},
                data_testid="account-total",
            ),
            rx.cond(reads, rx.el.div(shimmer("148px", "40px"), class_name="wm-total"), rx.fragment()),
        ),
        native_balance(large=~priced & ~reads),
        class_name="wm-worth",
    )


def _action(feature: str, action: Action) -> rx.Component:
    return rx.el.button(
        rx.icon(action.glyph, size=20, aria_hidden="true"),
        rx.el.span(action.brief),
        type="button",
        class_name="wm-action",
        on_click=action.on_click,
        data_testid=f"wallet-features-{feature}-button",
    )


def _if_offered(feature: rx.Var[str]) -> rx.Component:
    buttons = ((name, _action(name, action)) for name, action in actions().items())
    return rx.el.li(rx.match(feature, *buttons, rx.fragment()), key=feature)


def _actions() -> rx.Component:
    return rx.cond(
        ActiveState.actions.length() > 0,
        rx.el.ul(
            rx.foreach(ActiveState.actions, _if_offered), class_name="wm-actions", aria_label=_("What you can do")
        ),
        rx.fragment(),
    )


def _tab_name(tab: rx.Var[str]) -> rx.Var[str]:
    """What a tab is called; one of the team's by its name."""
    return rx.match(tab, ("Tokens", _("Tokens")), ("NFTs", _("NFTs")), ("Activity", pgettext("tab", "Activity")), tab)


def _tab(name: rx.Var[str]) -> rx.Component:
    return tab(
        _tab_name(name),
        identity="wm-account-tab-" + name,
        selected=ActiveState.tab == name,
        panel=_PANEL,
        on_click=ActiveState.choose_tab(name),
        data_testid="tab-" + name,
        key=name,
    )


def account_body(panel: rx.Component) -> rx.Component:
    """Account, in full: who it is, what it is worth, what can be done, and its tabs.

    Args:
        panel: what the open tab shows.
    """
    tabs = rx.cond(
        ActiveState.tabs.length() > 1,
        tab_list(_("What the account has"), rx.foreach(ActiveState.tabs, _tab)),
        rx.fragment(),
    )
    return account_part(
        *around("Account", "profile", _profile()),
        *around("Account", "worth", _worth()),
        *around("Account", "actions", _actions()),
        *around("Account", "tabs", tabs),
        rx.el.div(
            panel, id=_PANEL, role="tabpanel", aria_label=_tab_name(ActiveState.tab), class_name="wm-account-panel"
        ),
        *around("Account", "end", rx.el.div(explorer_button(), disconnect_button(), class_name="wm-account-end")),
        class_name="wm-account",
        data_testid="w3m-account-wallet-features-widget",
    )
