"""Parts that several views of an account share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import reflex as rx

from walletmodal.components.copy_button import copy_button
from walletmodal.components.ticker import ticker
from walletmodal.core.constants import PORTFOLIO_TTL
from walletmodal.core.language import _, pgettext
from walletmodal.features.account.active import ActiveState, active_var
from walletmodal.features.account.addresses import AddressesState, AddressRow
from walletmodal.features.account.offers import ACTION_VIEWS
from walletmodal.features.account.tokens import TokensState
from walletmodal.features.embedded.account_type import AccountTypeState
from walletmodal.features.send.state import SendState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.listing import SignInsState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.swap.state import SwapState
from walletmodal.ui.buttons import button, button_link, icon_button
from walletmodal.ui.feedback import shimmer, spinner, tag
from walletmodal.ui.images import avatar
from walletmodal.ui.numbers import number
from walletmodal.ui.own_parts import OWN
from walletmodal.ui.rows import disconnect_item, list_item
from walletmodal.ui.styled import ACCOUNT, styled


@dataclass(frozen=True)
class Action:
    """Something to do with an account: `brief` on a small button, `label` on a row."""

    brief: str
    label: str
    glyph: str
    on_click: Any


ACTIONS: Final[dict[str, Action]] = {
    "onramp": Action(
        pgettext("button", "Buy"), _("Buy crypto"), "credit-card", ShellState.push(ACTION_VIEWS["onramp"])
    ),
    "swaps": Action(pgettext("button", "Swap"), pgettext("button", "Swap"), "arrow-left-right", SwapState.open_form),
    "receive": Action(
        pgettext("button", "Receive"),
        pgettext("button", "Receive"),
        "qr-code",
        ShellState.push(ACTION_VIEWS["receive"]),
    ),
    "send": Action(pgettext("button", "Send"), pgettext("button", "Send"), "send", SendState.open_form),
}
"""By the host's feature; what cannot be done is not offered (`offers.py`)."""


def actions() -> dict[str, Action]:
    """Ours and the team's, by their names."""
    own = {name: Action(one.label, one.label, one.icon, one.on_click) for name, one in OWN.actions.items()}
    return {**ACTIONS, **own}


account_part: Final = styled(ACCOUNT)
"""A `div` with the stylesheet of the account's views."""


def refreshing() -> rx.Component:
    """Keeps what is shown of the account current while it is looked at."""
    return ticker(
        # A second more than an answer is kept: at the very end of its life every other look would still find the old one.
        every=(PORTFOLIO_TTL + 1) * 1000,
        active=ShellState.initialized & (active_var("status") == "connected"),
        about=active_var("caip_address"),
        on_tick=TokensState.refresh_all,
    )


def name_or_address() -> Any:
    """What the account is called; without a name its short address."""
    return rx.cond(active_var("profile_name") != "", active_var("profile_name"), active_var("short_address"))


def copy_address(*content: rx.Component, class_name: str, **props: Any) -> rx.Component:
    """A button that copies the whole address."""
    return copy_button(
        *content,
        rx.icon("copy", size=16, aria_hidden="true"),
        rx.el.span(_("Copy the address"), class_name="wm-hidden"),
        text=active_var("address"),
        class_name=class_name,
        title=active_var("address"),
        on_copied=ActiveState.on_copied,
        **props,
    )


def other_addresses() -> rx.Component:
    """The way to the wallet's other accounts, where it gave more than one."""
    return rx.cond(
        active_var("several"),
        icon_button(
            rx.icon("chevrons-up-down", size=16, aria_hidden="true"),
            _("Switch address"),
            on_click=AddressesState.open_list,
            data_testid="account-switch-address-button",
        ),
        rx.fragment(),
    )


def named_address() -> rx.Component:
    """Name or address, which a click copies, and the way to the others."""
    return rx.el.div(
        copy_address(
            rx.el.span(name_or_address(), class_name="wm-address"),
            class_name="wm-copy",
            data_testid="account-copy-address",
        ),
        other_addresses(),
        class_name="wm-beside",
    )


def native_balance(*, large: bool | rx.Var[bool] = False) -> rx.Component:
    """The account's native balance. `large`: it stands in the place of the worth of all."""
    return rx.el.div(
        rx.match(
            active_var("balance_state"),
            (
                "known",
                number(
                    active_var("balance_text"),
                    " ",
                    rx.el.bdi(active_var("balance_symbol")),
                    text=active_var("balance_text").to(str) + " " + active_var("balance_symbol").to(str),
                ),
            ),
            ("unavailable", rx.el.span(_("Balance unavailable"))),
            rx.fragment(shimmer("96px", "18px"), rx.el.span(_("Reading the balance"), class_name="wm-hidden")),
        ),
        class_name="wm-balance",
        data_large=rx.Var.create(large).to_string(),
        data_testid="account-balance",
        data_state=active_var("balance_state"),
    )


def worth(address: rx.Var[str]) -> rx.Component:
    """What one of the wallet's accounts is worth; a shimmer until it is known."""
    text = AddressesState.worth[address].to(str)
    return rx.cond(
        AddressesState.worth.contains(address),
        rx.el.span(text, class_name="wm-row-detail"),
        shimmer("56px", "14px"),
    )


def account_type_unknown() -> rx.Component:
    """What is done where the embedded wallet's frame could not say which kind of account it has."""
    return list_item(
        _("Try again to read the account type"),
        rx.icon("refresh-cw", size=16),
        chevron=False,
        loading=AccountTypeState.busy,
        on_click=AccountTypeState.retry,
        data_testid="account-type-retry",
    )


def account_row(
    row: rx.Var[AddressRow],
    number: rx.Var[int],
    *,
    detail: rx.Component,
    switch: str,
    switch_id: str,
    test_id: str,
) -> rx.Component:
    """One of the wallet's accounts: its address over what there is to say of it, and the way to use it.

    Args:
        row: the account.
        number: its place in the list.
        detail: below the address.
        switch: label of the button.
        switch_id: test id of the button, which ends with the number.
        test_id: test id of the row.
    """
    return rx.el.li(
        avatar(row["avatar"], "md"),
        rx.el.span(
            rx.el.span(row["short"], title=row["address"]),
            detail,
            class_name="wm-row-label wm-row-lines",
        ),
        rx.cond(
            row["address"] == active_var("address"),
            tag(_("In use"), "success"),
            button(
                switch,
                variant="accent",
                aria_label=_("Switch to {account}", account=row["address"]),
                on_click=AddressesState.choose(row["address"]),
                data_testid=switch_id + "-" + number.to_string(),
            ),
        ),
        class_name="wm-row",
        data_kind="address",
        data_testid=test_id,
        key=row["address"],
    )


def large_address(*, test_id: str) -> rx.Component:
    """The account at the head of a view about it: picture, name if it has one, address, which a click copies."""
    return rx.el.div(
        avatar(active_var("avatar"), source=active_var("profile_image"), data_testid="account-avatar"),
        rx.el.div(
            rx.cond(
                active_var("profile_name") != "",
                rx.el.p(active_var("profile_name"), class_name="wm-address"),
                rx.fragment(),
            ),
            copy_address(
                rx.el.span(active_var("short_address"), class_name="wm-address", data_testid=test_id),
                class_name="wm-copy",
                data_testid="account-copy-address",
            ),
            class_name="wm-words",
            data_part="account",
        ),
        class_name="wm-centered",
        data_pad="account",
    )


def explorer_button() -> rx.Component:
    """The explorer's page of the account, where there is one."""
    return rx.cond(
        active_var("explorer_url") != "",
        button_link(
            _("Block Explorer"), active_var("explorer_url"), icon=rx.icon("compass", size=16, aria_hidden="true")
        ),
        rx.fragment(),
    )


def disconnect_button() -> rx.Component:
    """The action that ends the connection, beside the explorer's page; while it works, a spinner stands in the place of the icon."""
    waits = active_var("disconnecting")
    return rx.el.button(
        rx.cond(
            waits,
            rx.el.span(spinner(), class_name="wm-button-glyph", data_testid="wui-list-item-loading-spinner"),
            rx.icon("log-out", size=16, aria_hidden="true"),
        ),
        rx.el.span(pgettext("button", "Disconnect"), class_name="wm-button-label"),
        type="button",
        class_name="wm-button",
        data_variant="neutral",
        disabled=waits,
        aria_busy=rx.cond(waits, "true", "false"),
        on_click=ActiveState.disconnect,
        data_testid="disconnect-button",
    )


def sign_ins_row() -> rx.Component:
    """The way to the sign-ins of this browser, where the host wants sign-ins."""
    return rx.cond(
        SignInState.enabled,
        list_item(
            _("Sign-ins"),
            rx.icon("user-check", size=16),
            on_click=SignInsState.open_list,
            data_testid="account-settings-sign-ins",
        ),
        rx.fragment(),
    )


def choose_name_row() -> rx.Component:
    """The way to a name, where the account can have one and has none."""
    return rx.cond(
        active_var("nameless"),
        list_item(
            _("Choose account name"),
            rx.icon("id-card", size=16),
            on_click=ShellState.push("ChooseAccountName"),
            data_testid="account-choose-name-button",
        ),
        rx.fragment(),
    )


def disconnect_row() -> rx.Component:
    """The action that ends the connection."""
    return disconnect_item(loading=active_var("disconnecting"), on_click=ActiveState.disconnect)
