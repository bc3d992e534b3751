"""The wallet's accounts. A module of its own, because most wallets give one."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.account.addresses import AddressesState, AddressRow
from walletmodal.features.account_views.parts import account_part, account_row, large_address, worth
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button


def _row(row: rx.Var[AddressRow], number: rx.Var[int]) -> rx.Component:
    return account_row(
        row,
        number,
        detail=rx.el.span(row["kind"], " · ", worth(row["address"]), class_name="wm-row-detail"),
        switch="Switch",
        switch_id="profile-switch-button",
        test_id="profile-account-item",
    )


@rx.memo
def profile_view() -> rx.Component:
    """Profile: the account in use, its settings, and the wallet's other accounts."""
    return account_part(
        large_address(test_id="profile-address"),
        rx.el.div(
            button(
                "Account settings",
                variant="neutral",
                icon=rx.icon("settings", size=16, aria_hidden="true"),
                on_click=ShellState.push("AccountSettings"),
                data_testid="account-settings-button",
            ),
            class_name="wm-beside",
        ),
        rx.el.h2("Your accounts", class_name="wm-list-heading", id="wm-your-accounts"),
        rx.el.ul(
            rx.foreach(AddressesState.rows, _row),
            class_name="wm-stack wm-scroll",
            data_height="accounts",
            custom_attrs={"aria-labelledby": "wm-your-accounts"},
        ),
        on_mount=AddressesState.refresh,
    )
