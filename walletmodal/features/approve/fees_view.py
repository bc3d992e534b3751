"""Choice of what the network fee is paid in: a part of ApproveTransaction."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.core.language import _
from walletmodal.features.approve.state import ApproveState
from walletmodal.ui.buttons import link
from walletmodal.ui.feedback import spinner
from walletmodal.ui.options import option, options


def _option(row: rx.Var[Any]) -> rx.Component:
    return option(
        row["symbol"].to(str),
        row["held"].to(str),
        chosen=ApproveState.fee["token"] == row["token"],
        on_click=ApproveState.choose_fee(ApproveState.seen, row["token"].to(str)),
        data_testid="gas-payer-" + row["symbol"].to(str),
        key=row["token"].to(str),
    )


def _cost() -> rx.Component:
    """The most that it takes of a token; of the network's coin the wallet says it."""
    fee = ApproveState.fee
    return rx.match(
        fee["phase"],
        ("working", rx.fragment(spinner(), rx.el.span(_("Working out the fee"), class_name="wm-hidden"))),
        ("known", rx.el.span(fee["text"].to(str), data_testid="gas-payer-most")),
        rx.fragment(),
    )


def fee_choice() -> rx.Component:
    """What the network fee is paid in, where the account has a choice."""
    fee = ApproveState.fee
    return rx.cond(
        fee.length() > 0,
        rx.el.section(
            rx.el.div(
                rx.el.h3(_("Network fee"), id="wm-network-fee"),
                rx.el.span(_cost(), role="status", class_name="wm-approve-cost"),
                class_name="wm-approve-row",
            ),
            options(
                rx.foreach(fee["rows"].to(list[dict[str, str]]), _option),
                custom_attrs={"aria-labelledby": "wm-network-fee"},
            ),
            rx.cond(
                (fee["phase"] == "failed") | (fee["phase"] == "short"),
                rx.el.p(
                    fee["text"].to(str),
                    rx.cond(
                        fee["phase"] == "failed",
                        link(
                            _("Try again"),
                            on_click=ApproveState.choose_fee(ApproveState.seen, fee["token"].to(str)),
                            data_testid="gas-payer-retry",
                        ),
                        rx.fragment(),
                    ),
                    role="alert",
                    class_name="wm-approve-refused",
                ),
                rx.fragment(),
            ),
            class_name="wm-approve-part",
            data_testid="gas-payer",
        ),
        rx.fragment(),
    )
