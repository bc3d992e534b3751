"""Settings of an account. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.language.sentence import sentence
from walletmodal.core.language import _
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.account.addresses import AddressesState
from walletmodal.features.account.state import Eip155State
from walletmodal.features.account_views.parts import (
    account_part,
    account_type_unknown,
    choose_name_row,
    disconnect_row,
    explorer_button,
    large_address,
    sign_ins_row,
)
from walletmodal.features.account_views.person_row import person_row
from walletmodal.features.embedded.account_type import AccountTypeState
from walletmodal.features.embedded.export import ExportState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.images import network_image
from walletmodal.ui.own_parts import around
from walletmodal.ui.rows import list_item


def _network() -> rx.Component:
    return rx.el.button(
        network_image(NetworksState.active_image, "sm"),
        rx.el.span(
            rx.el.span(
                rx.cond(NetworksState.active_name != "", NetworksState.active_name, _("Unsupported network")),
            ),
            rx.el.span(_("Network"), class_name="wm-row-detail"),
            class_name="wm-row-label wm-row-lines",
        ),
        rx.cond(
            NetworksState.choosable,
            rx.icon("chevron-right", size=16, class_name="wm-row-chevron", aria_hidden="true"),
            rx.fragment(),
        ),
        type="button",
        class_name="wm-row",
        disabled=~NetworksState.choosable,
        on_click=NetworksState.open_list,
        data_testid="account-switch-network-button",
    )


_EMBEDDED: Final = (
    (_("Passkeys"), "key-round", "Passkeys", "account-add-passkey"),
    (_("Recovery"), "life-buoy", "RecoverySettings", "account-recovery"),
    (_("Devices"), "monitor-smartphone", "Devices", "account-devices"),
    (_("Your data"), "database", "AccountData", "account-data"),
)


def _embedded() -> rx.Component:
    """What the embedded wallet adds: its passkeys, its recovery, its devices, and what is held of its owner."""
    rows = (
        list_item(label, rx.icon(icon, size=16), on_click=ShellState.push(view), data_testid=test_id)
        for label, icon, view, test_id in _EMBEDDED
    )
    upgrade = list_item(
        _("Upgrade your wallet"),
        rx.icon("key-square", size=16),
        on_click=ExportState.open_view,
        data_testid="account-upgrade",
    )
    has_them = (active_var("connector") == AUTH_ID) & EmbeddedState.complete
    return rx.cond(has_them, rx.fragment(*rows, upgrade, _account_type()), rx.fragment())


def _account_type() -> rx.Component:
    """Which kind of account is used on this network: the other one, the end of a smart account, and who else controls the account."""
    other = rx.cond(AccountTypeState.kind == "smartAccount", _("Switch to your EOA"), _("Switch to your smart account"))
    leaves = Eip155State.several & (AccountTypeState.kind == "smartAccount")
    offered = (AccountTypeState.status != "") & ((AccountTypeState.status != "unsupported") | leaves)
    switch = list_item(
        other,
        rx.icon("repeat", size=16),
        chevron=False,
        loading=AccountTypeState.busy,
        on_click=AccountTypeState.switch,
        data_testid="account-toggle-preferred-account-type",
    )
    end = list_item(
        _("End the smart account"),
        rx.icon("unlink", size=16),
        on_click=AccountTypeState.end,
        data_testid="account-end-smart-account",
    )
    foreign = rx.el.p(
        sentence(
            _("Another contract controls this account on this network: {contract}"),
            contract=rx.el.bdi(AccountTypeState.foreign),
        ),
        class_name="wm-note",
        data_testid="account-foreign-contract",
    )
    rows = rx.fragment(
        rx.cond(offered, switch, rx.cond(AccountTypeState.failed, account_type_unknown(), rx.fragment())),
        rx.cond((AccountTypeState.status == "supported") & ~Eip155State.several, end, rx.fragment()),
        rx.cond(AccountTypeState.foreign != "", foreign, rx.fragment()),
        rx.el.span(on_mount=AccountTypeState.load, hidden=True),
    )
    return rx.cond(ActiveState.namespace == "eip155", rows, rx.fragment())


@rx.memo
def account_settings_view() -> rx.Component:
    """AccountSettings: network, the wallet's other accounts, and the end of the connection."""
    return account_part(
        large_address(test_id="account-settings-address"),
        rx.el.div(explorer_button(), class_name="wm-beside"),
        rx.el.div(
            person_row(),
            _embedded(),
            _network(),
            rx.cond(
                active_var("several"),
                list_item(
                    _("Switch address"),
                    rx.icon("chevrons-up-down", size=16),
                    on_click=AddressesState.open_list,
                    data_testid="account-settings-switch-address",
                ),
                rx.fragment(),
            ),
            choose_name_row(),
            sign_ins_row(),
            *around("AccountSettings", "disconnect", disconnect_row()),
            class_name="wm-stack",
        ),
    )
