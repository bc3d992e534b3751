"""The accounts of one wallet. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.account.addresses import AddressesState, AddressRow
from walletmodal.features.account.parts import worth
from walletmodal.features.account.state import shown
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import tag
from walletmodal.ui.images import avatar, wallet_image


def _row(row: rx.Var[AddressRow], number: rx.Var[int]) -> rx.Component:
    return rx.el.li(
        avatar(row["avatar"], "md"),
        rx.el.span(
            rx.el.span(row["short"], title=row["address"]),
            worth(row["address"]),
            class_name="wm-row-label wm-row-lines",
        ),
        rx.cond(
            row["address"] == shown("address"),
            tag("In use", "success"),
            button(
                "Switch to",
                variant="accent",
                aria_label="Switch to " + row["address"],
                on_click=AddressesState.choose(row["address"]),
                data_testid="w3m-switch-address-button-" + number.to_string(),
            ),
        ),
        class_name="wm-row",
        data_kind="address",
        data_testid="switch-address-item",
        key=row["address"],
    )


@rx.memo
def switch_address_view() -> rx.Component:
    """SwitchAddress: which of the wallet's accounts the page works with."""
    return rx.el.div(
        rx.el.div(
            rx.cond(AddressesState.site_icon != "", wallet_image(AddressesState.site_icon), rx.fragment()),
            rx.el.span(AddressesState.site, class_name="wm-row-label"),
            class_name="wm-banner",
        ),
        rx.el.ul(
            rx.foreach(AddressesState.rows, _row),
            class_name="wm-stack wm-scroll",
            data_height="list",
            aria_label="Accounts of " + shown("wallet_name").to(str),
        ),
        on_mount=AddressesState.refresh,
    )
