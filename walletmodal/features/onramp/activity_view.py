"""What was bought with a card. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.ticker import ticker
from walletmodal.core.language import _
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.onramp.purchases import PurchaseMonth, PurchaseRow, PurchasesState
from walletmodal.features.onramp.styles import onramp_part
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import spinner, tag
from walletmodal.ui.images import token_image
from walletmodal.ui.notes import note, try_again
from walletmodal.ui.rows import row_skeleton

_ZONE: Final[rx.Var[str]] = rx.Var("(Intl.DateTimeFormat().resolvedOptions().timeZone ?? '')", _var_type=str)


def _badge(row: rx.Var[PurchaseRow]) -> rx.Component:
    return rx.match(
        row["status"],
        (
            "success",
            rx.el.span(rx.icon("arrow-down", size=10), class_name="wm-onramp-badge", data_status="success"),
        ),
        ("failed", rx.el.span(rx.icon("x", size=10), class_name="wm-onramp-badge", data_status="failed")),
        rx.fragment(),
    )


def _row(row: rx.Var[PurchaseRow]) -> rx.Component:
    waits = row["status"] == "in_progress"
    return rx.el.li(
        rx.el.span(token_image(row["icon"]), _badge(row), class_name="wm-onramp-picture", aria_hidden="true"),
        rx.el.span(
            rx.el.span(
                rx.el.span(_("Bought"), class_name="wm-onramp-name"),
                rx.match(
                    row["status"],
                    ("failed", tag(_("Failed"), "error")),
                    ("in_progress", tag(_("In progress"))),
                    rx.fragment(),
                ),
                class_name="wm-onramp-facts",
            ),
            rx.el.span(
                rx.el.span(row["amount"]),
                rx.cond(row["network"] != "", rx.el.span("· ", row["network"]), rx.fragment()),
                class_name="wm-onramp-facts",
            ),
            class_name="wm-onramp-purchase",
        ),
        rx.el.span(rx.cond(waits, spinner(), row["day"]), class_name="wm-onramp-end"),
        class_name="wm-onramp-row",
        custom_attrs={"data-status": row["status"], "data-testid": "onramp-activity-item-" + row["number"].to_string()},
        key=row["number"],
    )


def _month(month: rx.Var[PurchaseMonth]) -> rx.Component:
    return rx.el.section(
        rx.el.h2(month["title"], class_name="wm-onramp-month", data_testid="group-title"),
        rx.el.ul(rx.foreach(month["rows"].to(list[PurchaseRow]), _row), class_name="wm-onramp-rows"),
        aria_label=month["title"],
        key=month["title"],
    )


def _note() -> rx.Component:
    return rx.match(
        PurchasesState.phase,
        (
            "loading",
            rx.el.div(
                *(row_skeleton(width, image="round") for width in ("96px", "72px", "112px", "80px")),
                rx.el.span(_("Reading your purchases"), class_name="wm-hidden"),
                class_name="wm-stack",
            ),
        ),
        (
            "none",
            note(
                "credit-card",
                _("Nothing bought yet"),
                _("What you buy with a card for this account is listed here"),
                data_testid="empty-activity-state",
            ),
        ),
        (
            "failed",
            note(
                "cloud-off",
                _("Your purchases could not be read"),
                _("The service that knows them does not answer. What you have paid for is not affected."),
                try_again(PurchasesState.retry, test_id="onramp-activity-retry"),
            ),
        ),
        (
            "absent",
            note(
                "credit-card", _("No history here"), _("This site cannot tell what you have bought. The provider can.")
            ),
        ),
        rx.fragment(),
    )


@rx.memo
def on_ramp_activity_view() -> rx.Component:
    """OnRampActivity: purchases by month; read again while one is in progress."""
    return onramp_part(
        rx.el.div(
            rx.foreach(PurchasesState.months, _month),
            rx.el.div(_note(), role="status"),
            rx.cond(
                PurchasesState.more,
                rx.el.div(
                    button(
                        _("Show more"),
                        variant="neutral",
                        loading=PurchasesState.loading_more,
                        on_click=PurchasesState.show_more,
                        data_testid="onramp-activity-more",
                    ),
                    class_name="wm-centered",
                    data_pad="note",
                ),
                rx.fragment(),
            ),
            class_name="wm-scroll wm-onramp-list",
            tab_index=0,
            role="region",
            aria_label=_("Purchases"),
        ),
        rx.el.span(PurchasesState.told, class_name="wm-hidden", role="status"),
        ticker(
            every=PurchasesState.every,
            active=(PurchasesState.every > 0) & (ShellState.open | EmbedState.embedded),
            on_tick=PurchasesState.load,
        ),
        on_mount=PurchasesState.on_shown(_ZONE),
    )
