"""The account as a short list of actions. A module of its own, because most accounts have tabs."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.account.addresses import KINDS, AddressesState
from walletmodal.features.account.state import Bip122State
from walletmodal.features.account_views.parts import (
    Action,
    account_part,
    actions,
    choose_name_row,
    disconnect_row,
    explorer_button,
    named_address,
    native_balance,
    sign_ins_row,
)
from walletmodal.features.activity.state import ActivityState
from walletmodal.ui.images import avatar
from walletmodal.ui.rows import list_item
from walletmodal.ui.tabs import tab, tab_list


def _action(feature: str, action: Action) -> rx.Component:
    return list_item(
        action.label,
        rx.icon(action.glyph, size=16),
        on_click=action.on_click,
        data_testid=f"wallet-features-{feature}-button",
    )


def _offered(feature: rx.Var[str]) -> rx.Component:
    rows = ((name, _action(name, action)) for name, action in actions().items())
    return rx.el.div(rx.match(feature, *rows, rx.fragment()), key=feature)


def _kind(kind: rx.Var[str]) -> rx.Component:
    return tab(
        rx.match(kind, *KINDS.items(), ""),
        identity="wm-kind-" + kind,
        selected=active_var("kind") == kind,
        panel="wm-kind-panel",
        on_click=AddressesState.choose_kind(kind),
        data_testid="account-kind-" + kind,
        key=kind,
    )


def _kinds() -> rx.Component:
    """Where a Bitcoin wallet has an address for payments and one for collectibles: which of them is used."""
    return rx.cond(
        Bip122State.kinds.length() > 1,
        rx.cond(
            ActiveState.namespace == "bip122",
            tab_list(_("Kind of address"), rx.foreach(Bip122State.kinds, _kind)),
            rx.fragment(),
        ),
        rx.fragment(),
    )


@rx.memo
def compact_account_view() -> rx.Component:
    """Account, compact: who it is, how much of the native coin it has, and what can be done."""
    return account_part(
        _kinds(),
        rx.el.div(
            avatar(active_var("avatar"), source=active_var("profile_image"), data_testid="single-account-avatar"),
            rx.el.div(named_address(), native_balance(), class_name="wm-words", data_part="account"),
            explorer_button(),
            class_name="wm-centered",
            data_pad="account",
            id="wm-kind-panel",
        ),
        rx.el.div(
            rx.foreach(ActiveState.actions, _offered),
            rx.cond(
                ActiveState.history,
                list_item(
                    pgettext("tab", "Activity"),
                    rx.icon("clock", size=16),
                    on_click=ActivityState.open_list,
                    data_testid="w3m-account-activity-button",
                ),
                rx.fragment(),
            ),
            choose_name_row(),
            sign_ins_row(),
            disconnect_row(),
            class_name="wm-stack",
        ),
    )
