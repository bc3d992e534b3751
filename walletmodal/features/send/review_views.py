"""The preview of a transfer. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.review_details_view import details, warnings
from walletmodal.features.send.state import SendState
from walletmodal.features.send.styles import review_part
from walletmodal.ui.feedback import shimmer, tag
from walletmodal.ui.images import picture
from walletmodal.ui.notes import filled_in_by
from walletmodal.ui.own_parts import around
from walletmodal.ui.previews import (
    amount_row,
    being_prepared,
    down_arrow,
    not_prepared,
    placeholder_row,
    preview_buttons,
    spoken,
    spoken_notes,
)


def _groups(parts: rx.Var[list[str]], other: rx.Var[list[str]], **props: Any) -> rx.Component:
    """An address in groups; those in which it differs from the other are marked."""

    def group(text: rx.Var[str], at: rx.Var[int]) -> rx.Component:
        differs = (other.length() > 0) & (other[at] != text)
        return rx.el.span(text, data_differs=differs.to_string(), key=at)

    return rx.el.span(rx.foreach(parts, group), class_name="wm-groups", dir="ltr", **props)


def _token_row() -> rx.Component:
    plan = ReviewState.plan
    return amount_row(
        pgettext("button", "Send"),
        amount=plan["amount"],
        symbol=plan["symbol"],
        worth=plan["worth"],
        icon=plan["icon"],
        test_id="send-preview-amount",
    )


def _receiver_row() -> rx.Component:
    plan = ReviewState.plan
    return rx.el.div(
        rx.el.span(pgettext("address", "To"), class_name="wm-text"),
        rx.el.span(
            rx.cond(plan["own"], tag(_("your own")), rx.fragment()),
            rx.cond(
                plan["first"] == "first",
                rx.el.span(tag(_("first time"), "main"), data_testid="send-first-time"),
                rx.fragment(),
            ),
            class_name="wm-review-tags",
        ),
        rx.el.span(
            rx.cond(
                plan["name"] != "",
                rx.el.span(plan["name"], class_name="wm-review-name", data_testid="send-preview-name"),
                rx.fragment(),
            ),
            rx.el.span(
                rx.cond(plan["image"] != "", picture(plan["image"]), rx.fragment()),
                style={"background": plan["avatar"]},
                class_name="wm-avatar",
                data_size="xs",
                aria_hidden="true",
            ),
            class_name="wm-review-pill",
            data_bare=(plan["name"] == "").to_string(),
        ),
        class_name="wm-review-row",
    )


def _address() -> rx.Component:
    plan = ReviewState.plan
    return rx.el.div(
        _groups(
            plan["to"].to(list[str]),
            plan["resembles"].to(list[str]),
            data_testid="send-preview-address",
            title=plan["address"],
        ),
        rx.cond(
            plan["resembles"].to(list).length() > 0,
            rx.el.div(
                rx.el.span(_("The one you know"), class_name="wm-text"),
                _groups(plan["resembles"].to(list[str]), plan["to"].to(list[str]), data_testid="send-known-address"),
                class_name="wm-review-known",
            ),
            rx.fragment(),
        ),
        class_name="wm-review-address",
    )


def _notices() -> rx.Component:
    """What the visitor must hear: why it is shown again, and why nothing was sent."""
    state = ReviewState
    return spoken_notes(
        filled_in_by(SendState.host, test_id="send-filled-in"),
        spoken(state.notice != "", state.notice, tone="warning", test_id="send-notice"),
        spoken((state.error != "") & (state.phase != "failed"), state.error, tone="error", test_id="send-error"),
        spoken(
            state.phase == "asking",
            _("Approve it in your wallet. Compare the address there with the one above."),
            tone="plain",
            test_id="send-waiting",
        ),
    )


@rx.memo
def wallet_send_preview_view() -> rx.Component:
    """WalletSendPreview: what will be signed, what it costs, and what speaks against it."""
    buttons = preview_buttons(
        ReviewState,
        waits=ReviewState.phase == "asking",
        label=pgettext("button", "Send"),
        acceptance=ReviewState.plan["accepts"].to(bool),
        prefix="send",
        cancel_id="send-cancel-button",
        confirm_id="send-confirm-button",
    )
    return review_part(
        rx.el.div(
            rx.match(
                ReviewState.phase,
                (
                    "loading",
                    being_prepared(
                        placeholder_row("128px"),
                        placeholder_row("64px"),
                        rx.el.div(shimmer("100%", "44px"), class_name="wm-review-address"),
                        details_height="150px",
                        on_retry=ReviewState.retry,
                        test_id="send-preview-retry",
                    ),
                ),
                ("failed", not_prepared(_("This cannot be sent"), ReviewState.error, test_id="send-preview-error")),
                rx.el.div(
                    _token_row(),
                    down_arrow(),
                    _receiver_row(),
                    _address(),
                    rx.cond(ReviewState.plan["accepts"], warnings(), rx.fragment()),
                    *around("WalletSendPreview", "fee", details()),
                ),
            ),
            class_name="wm-scroll wm-review",
            tab_index=0,
            role="group",
            aria_label=_("What will be sent"),
        ),
        _notices(),
        *around("WalletSendPreview", "buttons", buttons),
        class_name="wm-send",
        on_mount=ReviewState.on_shown,
    )
