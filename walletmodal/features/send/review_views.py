"""The preview of a transfer. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.review_details_view import details, warnings
from walletmodal.features.send.state import SendState
from walletmodal.features.send.styles import review_part
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import shimmer, tag
from walletmodal.ui.images import icon_box, picture, token_image
from walletmodal.ui.notes import filled_in_by


def _groups(parts: rx.Var[list[str]], other: rx.Var[list[str]], **props: Any) -> rx.Component:
    """An address in groups; those in which it differs from the other are marked."""

    def group(text: rx.Var[str], at: rx.Var[int]) -> rx.Component:
        differs = (other.length() > 0) & (other[at] != text)
        return rx.el.span(text, data_differs=differs.to_string(), key=at)

    return rx.el.span(rx.foreach(parts, group), class_name="wm-groups", dir="ltr", **props)


def _token_row() -> rx.Component:
    plan = ReviewState.plan
    return rx.el.div(
        rx.el.div(
            rx.el.span("Send", class_name="wm-text"),
            rx.cond(plan["worth"] != "", rx.el.span(plan["worth"], class_name="wm-review-worth"), rx.fragment()),
            class_name="wm-review-words",
        ),
        rx.el.span(
            rx.el.span(plan["amount"], " ", plan["symbol"], data_testid="send-preview-amount"),
            token_image(plan["icon"], "sm"),
            class_name="wm-review-pill",
        ),
        class_name="wm-review-row",
    )


def _receiver_row() -> rx.Component:
    plan = ReviewState.plan
    return rx.el.div(
        rx.el.span("To", class_name="wm-text"),
        rx.el.span(
            rx.cond(plan["own"], tag("your own"), rx.fragment()),
            rx.cond(
                plan["first"] == "first",
                rx.el.span(tag("first time", "main"), data_testid="send-first-time"),
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
                rx.el.span("The one you know", class_name="wm-text"),
                _groups(plan["resembles"].to(list[str]), plan["to"].to(list[str]), data_testid="send-known-address"),
                class_name="wm-review-known",
            ),
            rx.fragment(),
        ),
        class_name="wm-review-address",
    )


def _skeleton() -> rx.Component:
    def line(width: str) -> rx.Component:
        return rx.el.div(shimmer("48px", "18px"), shimmer(width, "32px", "16px"), class_name="wm-review-row")

    return rx.el.div(
        line("128px"),
        line("64px"),
        rx.el.div(shimmer("100%", "44px"), class_name="wm-review-address"),
        rx.el.div(shimmer("100%", "150px", "var(--wm-radius-xs)"), class_name="wm-review-details"),
        rx.el.div(
            rx.el.span("Preparing the preview", class_name="wm-hidden"),
            _retry("This takes longer than usual.", "wm-late"),
            role="status",
        ),
    )


def _retry(text: str, class_name: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.p(text, class_name="wm-text"),
        button(
            "Try again",
            variant="accent",
            icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
            on_click=ReviewState.retry,
            data_testid="send-preview-retry",
        ),
        class_name=f"wm-review-retry {class_name}".strip(),
    )


def _failed() -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon("x", size=20), size="lg", tone="error"),
        rx.el.div(
            rx.el.p("This cannot be sent", class_name="wm-heading"),
            rx.el.p(ReviewState.error, class_name="wm-text", data_testid="send-preview-error"),
            class_name="wm-words",
            role="alert",
        ),
        class_name="wm-centered",
        data_pad="empty",
    )


def _notices() -> rx.Component:
    """What the visitor must hear: why it is shown again, and why nothing was sent."""
    return rx.el.div(
        filled_in_by(SendState.host, test_id="send-filled-in"),
        rx.cond(
            ReviewState.notice != "",
            rx.el.p(ReviewState.notice, class_name="wm-send-note", data_tone="warning", data_testid="send-notice"),
            rx.fragment(),
        ),
        rx.cond(
            (ReviewState.error != "") & (ReviewState.phase != "failed"),
            rx.el.p(ReviewState.error, class_name="wm-send-note", data_tone="error", data_testid="send-error"),
            rx.fragment(),
        ),
        rx.cond(
            ReviewState.phase == "asking",
            rx.el.p(
                "Approve it in your wallet. Compare the address there with the one above.",
                class_name="wm-send-note",
                data_tone="plain",
                data_testid="send-waiting",
            ),
            rx.fragment(),
        ),
        role="status",
        class_name="wm-review-says",
    )


def _buttons() -> rx.Component:
    phase, waits = ReviewState.phase, ReviewState.phase == "asking"
    return rx.el.div(
        rx.cond(
            waits,
            button(
                "Stop waiting",
                variant="neutral",
                size="lg",
                on_click=ReviewState.stop_waiting,
                data_testid="send-stop-button",
            ),
            button(
                "Cancel", variant="neutral", size="lg", on_click=ReviewState.cancel, data_testid="send-cancel-button"
            ),
        ),
        rx.cond(
            (phase == "failed") | (phase == "blocked"),
            button("Try again", size="lg", on_click=ReviewState.retry, data_testid="send-preview-retry"),
            button(
                "Send",
                size="lg",
                loading=(phase == "checking") | waits,
                disabled=(phase != "ready") | (ReviewState.plan["accepts"].to(bool) & ~ReviewState.accepted),
                on_click=ReviewState.confirm(ReviewState.seen),
                data_testid="send-confirm-button",
            ),
        ),
        class_name="wm-review-buttons",
    )


@rx.memo
def wallet_send_preview_view() -> rx.Component:
    """WalletSendPreview: what will be signed, what it costs, and what speaks against it."""
    return review_part(
        rx.el.div(
            rx.match(
                ReviewState.phase,
                ("loading", _skeleton()),
                ("failed", _failed()),
                rx.el.div(
                    _token_row(),
                    rx.el.span(rx.icon("arrow-down", size=16), class_name="wm-review-arrow", aria_hidden="true"),
                    _receiver_row(),
                    _address(),
                    rx.cond(ReviewState.plan["accepts"], warnings(), rx.fragment()),
                    details(),
                ),
            ),
            class_name="wm-scroll wm-review",
            tab_index=0,
            role="group",
            aria_label="What will be sent",
        ),
        _notices(),
        _buttons(),
        class_name="wm-send",
        on_mount=ReviewState.on_shown,
    )
