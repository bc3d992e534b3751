"""The preview of a swap. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any

import reflex as rx

from components.ticker import ticker
from walletmodal.core.constants import SWAP_REFRESH
from walletmodal.features.swap.preview import SwapPreviewState
from walletmodal.features.swap.state import SwapState
from walletmodal.features.swap.styles import preview_part
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import shimmer
from walletmodal.ui.images import icon_box, token_image
from walletmodal.ui.inputs import checkbox
from walletmodal.ui.notes import filled_in_by

_PLAN = SwapPreviewState.plan


def _side(name: str, amount: str, about: str) -> rx.Component:
    """One side: its amount, and what `about` stands before in the plan's other keys."""
    worth = _PLAN[f"{about}worth"]
    return rx.el.div(
        rx.el.div(
            rx.el.span(name, class_name="wm-text"),
            rx.cond(worth != "", rx.el.span(worth, class_name="wm-review-worth"), rx.fragment()),
            class_name="wm-review-words",
        ),
        rx.el.span(
            rx.el.span(_PLAN[amount], " ", _PLAN[f"{about}symbol"], data_testid=f"swap-preview-{amount}"),
            token_image(_PLAN[f"{about}icon"], "sm"),
            class_name="wm-review-pill",
        ),
        class_name="wm-review-row",
    )


def _skeleton() -> rx.Component:
    def line(width: str) -> rx.Component:
        return rx.el.div(shimmer("48px", "18px"), shimmer(width, "32px", "16px"), class_name="wm-review-row")

    return rx.el.div(
        line("128px"),
        line("112px"),
        rx.el.div(shimmer("100%", "190px", "var(--wm-radius-xs)"), class_name="wm-review-details"),
        rx.el.div(
            rx.el.span("Preparing the preview", class_name="wm-hidden"),
            rx.el.div(
                rx.el.p("This takes longer than usual.", class_name="wm-text"),
                button(
                    "Try again",
                    variant="accent",
                    icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
                    on_click=SwapPreviewState.retry,
                ),
                class_name="wm-review-retry wm-late",
            ),
            role="status",
        ),
    )


def _failed() -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon("x", size=20), size="lg", tone="error"),
        rx.el.div(
            rx.el.p("This cannot be swapped", class_name="wm-heading"),
            rx.el.p(SwapPreviewState.error, class_name="wm-text", data_testid="swap-preview-error"),
            class_name="wm-words",
            role="alert",
        ),
        class_name="wm-centered",
        data_pad="empty",
    )


def _warning(shown: Any, *text: Any, test_id: str) -> rx.Component:
    return rx.cond(
        shown,
        rx.el.li(rx.icon("triangle-alert", size=16, aria_hidden="true"), *text, data_testid=test_id),
        rx.fragment(),
    )


def _warnings() -> rx.Component:
    """What the visitor must know, and accept where it can be swapped all the same."""
    any_warning = (_PLAN["failure"] != "") | _PLAN["impact_marked"].to(bool) | _PLAN["slippage_high"].to(bool)
    return rx.cond(
        any_warning,
        rx.el.div(
            rx.el.ul(
                _warning(
                    _PLAN["failure"] != "", "It is not offered. ", _PLAN["failure"], test_id="swap-simulation-failure"
                ),
                _warning(
                    _PLAN["impact_marked"].to(bool),
                    "The price is ",
                    _PLAN["impact"],
                    " worse than it could be. A smaller amount may get a better one.",
                    test_id="swap-warning-impact",
                ),
                _warning(
                    _PLAN["slippage_high"].to(bool),
                    "With a slippage of ",
                    _PLAN["slippage"],
                    " others can take much of what you should get.",
                    test_id="swap-warning-slippage",
                ),
            ),
            rx.cond(
                _PLAN["accepts"].to(bool) & (SwapPreviewState.phase != "blocked"),
                checkbox(
                    "I know, and want to swap at this price",
                    checked=SwapPreviewState.accepted,
                    on_change=lambda accepted: SwapPreviewState.accept(accepted, SwapPreviewState.seen),
                    data_testid="swap-warning-accept",
                ),
                rx.fragment(),
            ),
            class_name="wm-review-warnings",
            role="group",
            aria_label="Warnings",
        ),
        rx.fragment(),
    )


def _fact(name: str, *value: Any, **props: Any) -> rx.Component:
    return rx.el.div(rx.el.dt(name), rx.el.dd(*value, **props), class_name="wm-fact")


def _details() -> rx.Component:
    return rx.el.div(
        rx.el.h2("Details", class_name="wm-send-heading"),
        rx.el.dl(
            _fact("Price", _PLAN["rate"]),
            rx.cond(
                _PLAN["impact"] != "",
                _fact("Price impact", _PLAN["impact"], data_tone=rx.cond(_PLAN["impact_marked"], "warning", "")),
                rx.fragment(),
            ),
            _fact("Max. slippage", _PLAN["slippage"]),
            _fact("Least received", _PLAN["least"], data_testid="swap-minimum-received"),
            rx.cond(
                _PLAN["simulated"] != "",
                _fact("Arrived in a trial run", _PLAN["simulated"], data_testid="swap-simulated"),
                rx.fragment(),
            ),
            rx.cond(
                _PLAN["fee"] != "",
                _fact(
                    "Network cost",
                    rx.el.span("up to ", _PLAN["fee"]),
                    rx.cond(
                        _PLAN["fee_worth"] != "", rx.el.span(_PLAN["fee_worth"], class_name="wm-text"), rx.fragment()
                    ),
                    data_testid="swap-fee",
                ),
                rx.fragment(),
            ),
            _fact("Contract", _PLAN["contract"]),
        ),
        rx.el.ul(
            rx.cond(
                (_PLAN["simulated"] == "") & (_PLAN["failure"] == ""),
                rx.el.li("Not simulated: the network offers no trial run.", data_testid="swap-not-simulated"),
                rx.fragment(),
            ),
            class_name="wm-review-remarks",
        ),
        class_name="wm-review-details",
    )


def _step() -> rx.Component:
    """What the next click does, where it is not the swap alone."""
    asks = (SwapPreviewState.phase == "ready") | (SwapPreviewState.phase == "checking")
    amount = (_PLAN["amount"], " ", _PLAN["symbol"])
    return rx.cond(
        asks & (_PLAN["steps"].to(int) > 1),
        rx.el.p(
            rx.cond(
                _PLAN["batch"].to(bool),
                rx.fragment(
                    "The contract is allowed to take exactly ",
                    *amount,
                    ", and swaps it in the same transaction: one confirmation and one fee instead of ",
                    _PLAN["steps"].to_string(),
                    ".",
                ),
                rx.fragment(
                    rx.cond(
                        _PLAN["resets"].to(bool),
                        "First the contract's older approval is taken back, then it is allowed to take exactly ",
                        "First you allow the contract to take exactly ",
                    ),
                    *amount,
                    ". The swap is a second request.",
                ),
            ),
            class_name="wm-swap-step",
            data_testid="swap-approval-note",
        ),
        rx.fragment(),
    )


def _notices() -> rx.Component:
    """What the visitor must hear: why it is shown again, and why nothing was sent."""

    def told(shown: Any, text: Any, tone: str, test_id: str) -> rx.Component:
        return rx.cond(
            shown, rx.el.p(text, class_name="wm-send-note", data_tone=tone, data_testid=test_id), rx.fragment()
        )

    state = SwapPreviewState
    return rx.el.div(
        filled_in_by(SwapState.host, test_id="swap-filled-in"),
        told(state.notice != "", state.notice, "warning", "swap-notice"),
        told((state.error != "") & (state.phase != "failed"), state.error, "error", "swap-error"),
        told(state.phase == "asking", "Approve it in your wallet. Compare the amount there.", "plain", "swap-waiting"),
        told(
            state.phase == "approving",
            "The network is taking the approval. The swap is offered as soon as it has.",
            "plain",
            "swap-approving",
        ),
        role="status",
        class_name="wm-review-says",
    )


def _buttons() -> rx.Component:
    state = SwapPreviewState
    phase, waits = state.phase, (state.phase == "asking") | (state.phase == "approving")
    approves = _PLAN["approves"].to(bool)
    return rx.el.div(
        rx.cond(
            waits,
            button(
                "Stop waiting",
                variant="neutral",
                size="lg",
                on_click=state.stop_waiting,
                data_testid="swap-stop-button",
            ),
            button("Cancel", variant="neutral", size="lg", on_click=state.cancel, data_testid="swap-preview-cancel"),
        ),
        rx.cond(
            (phase == "failed") | (phase == "blocked"),
            button("Try again", size="lg", on_click=state.retry, data_testid="swap-preview-retry"),
            button(
                rx.cond(phase == "approving", "Approving...", rx.cond(approves, "Approve", "Swap")),
                size="lg",
                loading=(phase == "checking") | waits,
                disabled=(phase != "ready") | (_PLAN["accepts"].to(bool) & ~state.accepted),
                on_click=state.confirm(state.seen),
                data_testid="swap-action-button",
            ),
        ),
        class_name="wm-review-buttons",
    )


@rx.memo
def swap_preview_view() -> rx.Component:
    """SwapPreview: what will be signed, what it costs, and what a trial run has shown."""
    return preview_part(
        rx.el.div(
            rx.match(
                SwapPreviewState.phase,
                ("loading", _skeleton()),
                ("failed", _failed()),
                rx.el.div(
                    _side("Send", "amount", ""),
                    rx.el.span(rx.icon("arrow-down", size=16), class_name="wm-review-arrow", aria_hidden="true"),
                    _side("Receive", "received", "received_"),
                    _warnings(),
                    _details(),
                ),
            ),
            class_name="wm-scroll wm-review",
            tab_index=0,
            role="group",
            aria_label="What will be swapped",
        ),
        _step(),
        _notices(),
        _buttons(),
        ticker(
            every=SWAP_REFRESH * 1000,
            active=SwapPreviewState.phase == "ready",
            about="",
            on_tick=SwapPreviewState.refresh,
        ),
        class_name="wm-send",
        on_mount=SwapPreviewState.on_shown,
    )
