"""The accounts of one wallet. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.features.account.active import active_var
from walletmodal.features.account.addresses import AddressesState, AddressRow
from walletmodal.features.account_views.parts import account_part, account_row, worth
from walletmodal.ui.images import wallet_image


def _row(row: rx.Var[AddressRow], number: rx.Var[int]) -> rx.Component:
    return account_row(
        row,
        number,
        detail=worth(row["address"]),
        switch=pgettext("button", "Switch to"),
        switch_id="w3m-switch-address-button",
        test_id="switch-address-item",
    )


@rx.memo
def switch_address_view() -> rx.Component:
    """SwitchAddress: which of the wallet's accounts the page works with."""
    return account_part(
        rx.el.div(
            rx.cond(AddressesState.site_icon != "", wallet_image(AddressesState.site_icon), rx.fragment()),
            rx.el.span(AddressesState.site, class_name="wm-row-label"),
            class_name="wm-banner",
        ),
        rx.el.ul(
            rx.foreach(AddressesState.rows, _row),
            class_name="wm-stack wm-scroll",
            data_height="list",
            aria_label=_("Accounts of {wallet}", wallet=active_var("wallet_name")),
        ),
        on_mount=AddressesState.refresh,
    )
