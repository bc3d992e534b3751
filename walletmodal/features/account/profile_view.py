"""The wallet's accounts. A module of its own, because most wallets give one."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.account.addresses import AddressesState, AddressRow
from walletmodal.features.account.parts import large_address, worth
from walletmodal.features.account.state import shown
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import tag
from walletmodal.ui.images import avatar


def _row(row: rx.Var[AddressRow], number: rx.Var[int]) -> rx.Component:
    return rx.el.li(
        avatar(row["avatar"], "md"),
        rx.el.span(
            rx.el.span(row["short"], title=row["address"]),
            rx.el.span(row["kind"], " · ", worth(row["address"]), class_name="wm-row-detail"),
            class_name="wm-row-label wm-row-lines",
        ),
        rx.cond(
            row["address"] == shown("address"),
            tag("In use", "success"),
            button(
                "Switch",
                variant="accent",
                aria_label="Switch to " + row["address"],
                on_click=AddressesState.choose(row["address"]),
                data_testid="profile-switch-button-" + number.to_string(),
            ),
        ),
        class_name="wm-row",
        data_kind="address",
        data_testid="profile-account-item",
        key=row["address"],
    )


@rx.memo
def profile_view() -> rx.Component:
    """Profile: the account in use, its settings, and the wallet's other accounts."""
    return rx.el.div(
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
