"""The wallet's accounts. A module of its own, because most wallets give one."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.wallets.account_type import AccountType
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.account.addresses import KINDS, AddressesState, AddressRow
from walletmodal.features.account.state import Eip155State
from walletmodal.features.account_views.parts import account_part, account_row, large_address, worth
from walletmodal.features.embedded.account_type import AccountTypeState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import tag
from walletmodal.ui.images import avatar
from walletmodal.ui.own_parts import around

_TYPES: Final[tuple[AccountType, ...]] = ("smartAccount", "eoa")


def _row(row: rx.Var[AddressRow], number: rx.Var[int]) -> rx.Component:
    return account_row(
        row,
        number,
        detail=rx.el.span(row["kind"], " · ", worth(row["address"]), class_name="wm-row-detail"),
        switch="Switch",
        switch_id="profile-switch-button",
        test_id="profile-account-item",
    )


def _type_row(number: int, kind: AccountType) -> rx.Component:
    """One of the two kinds that the embedded wallet's account can be used as, at one address."""
    name = KINDS[kind]
    return rx.el.li(
        avatar(active_var("avatar"), "md"),
        rx.el.span(
            rx.el.span(name),
            worth(active_var("address").to(str)),
            class_name="wm-row-label wm-row-lines",
        ),
        rx.cond(
            AccountTypeState.kind == kind,
            tag("In use", "success"),
            button(
                "Switch",
                variant="accent",
                aria_label=f"Switch to your {name}",
                loading=AccountTypeState.busy,
                on_click=AccountTypeState.switch,
                data_testid=f"profile-switch-button-{number}",
            ),
        ),
        class_name="wm-row",
        data_kind="address",
        data_testid="profile-account-item",
    )


def _accounts() -> rx.Component:
    """The wallet's accounts; where the embedded wallet's one address is both kinds, these."""
    both = (
        (active_var("connector") == AUTH_ID)
        & (ActiveState.namespace == "eip155")
        & (AccountTypeState.status != "")
        & (AccountTypeState.status != "unsupported")
        & ~Eip155State.several
    )
    return rx.cond(
        both,
        rx.fragment(*(_type_row(number, kind) for number, kind in enumerate(_TYPES))),
        rx.foreach(AddressesState.rows, _row),
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
        *around(
            "Profile",
            "accounts",
            rx.el.ul(
                _accounts(),
                class_name="wm-stack wm-scroll",
                data_height="accounts",
                custom_attrs={"aria-labelledby": "wm-your-accounts"},
            ),
        ),
        on_mount=[AddressesState.refresh, AccountTypeState.load],
    )
