"""The preview of a swap. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.components.ticker import ticker
from walletmodal.core.constants import SWAP_REFRESH
from walletmodal.core.language import _, pgettext
from walletmodal.features.swap.preview import SwapPreviewState
from walletmodal.features.swap.state import SwapState
from walletmodal.features.swap.styles import preview_part
from walletmodal.ui.notes import filled_in_by
from walletmodal.ui.own_parts import around
from walletmodal.ui.previews import (
    amount_row,
    being_prepared,
    cost_fact,
    down_arrow,
    fact,
    not_prepared,
    not_simulated,
    placeholder_row,
    preview_buttons,
    spoken,
    spoken_notes,
    unpaid_remark,
    warning,
    warnings_box,
)

_PLAN = SwapPreviewState.plan


def _side(name: str, amount: str, about: str) -> rx.Component:
    """One side: its amount, and what `about` stands before in the plan's other keys."""
    return amount_row(
        name,
        amount=_PLAN[amount],
        symbol=_PLAN[f"{about}symbol"],
        worth=_PLAN[f"{about}worth"],
        icon=_PLAN[f"{about}icon"],
        test_id=f"swap-preview-{amount}",
    )


def _address(address: rx.Var[Any]) -> rx.Component:
    return rx.el.span(address, class_name="wm-swap-address", dir="ltr")


def _warnings() -> rx.Component:
    """What the visitor must know, and accept where it can be swapped all the same."""
    failure, impact, slippage = _PLAN["failure"], _PLAN["impact_marked"].to(bool), _PLAN["slippage_high"].to(bool)
    unknown = _PLAN["impact_unknown"].to(bool)
    return rx.cond(
        (failure != "") | impact | unknown | slippage,
        warnings_box(
            warning(failure != "", _("It is not offered. {reason}", reason=failure), test_id="swap-simulation-failure"),
            warning(
                impact,
                _(
                    "The price is {percent} worse than it could be. A smaller amount may get a better one.",
                    percent=_PLAN["impact"],
                ),
                test_id="swap-warning-impact",
            ),
            warning(
                unknown,
                _("Nobody knows a price to compare this one with. You may get much less than you give."),
                test_id="swap-warning-unknown",
            ),
            warning(
                slippage,
                _(
                    "With a slippage of {percent} others can take much of what you should get.",
                    percent=_PLAN["slippage"],
                ),
                test_id="swap-warning-slippage",
            ),
            state=SwapPreviewState,
            acceptable=_PLAN["accepts"].to(bool) & (SwapPreviewState.phase != "blocked"),
            consent=_("I know, and want to swap at this price"),
            test_id="swap-warning-accept",
        ),
        rx.fragment(),
    )


def _details() -> rx.Component:
    return rx.el.div(
        rx.el.h2(_("Details"), class_name="wm-send-heading"),
        rx.el.dl(
            fact(_("Price"), _PLAN["rate"]),
            rx.cond(
                _PLAN["impact"] != "",
                fact(_("Price impact"), _PLAN["impact"], data_tone=rx.cond(_PLAN["impact_marked"], "warning", "")),
                rx.fragment(),
            ),
            fact(_("Max. slippage"), _PLAN["slippage"]),
            fact(_("Least received"), _PLAN["least"], data_testid="swap-minimum-received"),
            rx.cond(
                _PLAN["simulated"] != "",
                fact(_("Arrived in a trial run"), _PLAN["simulated"], data_testid="swap-simulated"),
                rx.fragment(),
            ),
            cost_fact(SwapPreviewState, test_id="swap-fee"),
            fact(_("Contract that swaps"), _address(_PLAN["contract"]), data_testid="swap-contract"),
            rx.cond(
                _PLAN["token"] != "",
                fact(_("Token received"), _address(_PLAN["token"]), data_testid="swap-token-address"),
                rx.fragment(),
            ),
        ),
        rx.el.ul(
            unpaid_remark(_PLAN),
            not_simulated((_PLAN["simulated"] == "") & (_PLAN["failure"] == ""), test_id="swap-not-simulated"),
            class_name="wm-review-remarks",
        ),
        class_name="wm-review-details",
    )


def _step() -> rx.Component:
    """What the next click does, where it is not the swap alone."""
    asks = (SwapPreviewState.phase == "ready") | (SwapPreviewState.phase == "checking")
    values = {"amount": _PLAN["amount"], "symbol": _PLAN["symbol"]}
    return rx.cond(
        asks & (_PLAN["steps"].to(int) > 1),
        rx.el.p(
            rx.cond(
                _PLAN["batch"].to(bool),
                rx.cond(
                    _PLAN["payer"] == "",
                    _(
                        "The contract is allowed to take exactly {amount} {symbol}, and swaps it in the same transaction: "
                        "one confirmation and one fee instead of {count}.",
                        **values,
                        count=_PLAN["steps"],
                    ),
                    _(
                        "The contract is allowed to take exactly {amount} {symbol}, and swaps it in the same transaction: "
                        "one confirmation instead of {count}.",
                        **values,
                        count=_PLAN["steps"],
                    ),
                ),
                rx.cond(
                    _PLAN["resets"].to(bool),
                    _(
                        "First the contract's older approval is taken back, then it is allowed to take exactly {amount} {symbol}. "
                        "The swap is a second request.",
                        **values,
                    ),
                    _(
                        "First you allow the contract to take exactly {amount} {symbol}. The swap is a second request.",
                        **values,
                    ),
                ),
            ),
            class_name="wm-swap-step",
            data_testid="swap-approval-note",
        ),
        rx.fragment(),
    )


def _notices() -> rx.Component:
    """What the visitor must hear: why it is shown again, and why nothing was sent."""
    state = SwapPreviewState
    return spoken_notes(
        filled_in_by(SwapState.host, test_id="swap-filled-in"),
        spoken(state.notice != "", state.notice, tone="warning", test_id="swap-notice"),
        spoken((state.error != "") & (state.phase != "failed"), state.error, tone="error", test_id="swap-error"),
        spoken(
            state.phase == "asking",
            _("Approve it in your wallet. Compare the amount there."),
            tone="plain",
            test_id="swap-waiting",
        ),
        spoken(
            state.phase == "approving",
            _("The network is taking the approval. The swap is offered as soon as it has."),
            tone="plain",
            test_id="swap-approving",
        ),
    )


def _buttons() -> rx.Component:
    phase = SwapPreviewState.phase
    return preview_buttons(
        SwapPreviewState,
        waits=(phase == "asking") | (phase == "approving"),
        label=rx.cond(
            phase == "approving",
            _("Approving..."),
            rx.cond(_PLAN["approves"].to(bool), pgettext("button", "Approve"), pgettext("button", "Swap")),
        ),
        acceptance=_PLAN["accepts"].to(bool),
        prefix="swap",
        cancel_id="swap-preview-cancel",
        confirm_id="swap-action-button",
    )


@rx.memo
def swap_preview_view() -> rx.Component:
    """SwapPreview: what will be signed, what it costs, and what a trial run has shown."""
    return preview_part(
        rx.el.div(
            rx.match(
                SwapPreviewState.phase,
                (
                    "loading",
                    being_prepared(
                        placeholder_row("128px"),
                        placeholder_row("112px"),
                        details_height="190px",
                        on_retry=SwapPreviewState.retry,
                        test_id="swap-preview-retry",
                    ),
                ),
                (
                    "failed",
                    not_prepared(_("This cannot be swapped"), SwapPreviewState.error, test_id="swap-preview-error"),
                ),
                rx.el.div(
                    _side(pgettext("swap", "Send"), "amount", ""),
                    down_arrow(),
                    _side(pgettext("swap", "Receive"), "received", "received_"),
                    _warnings(),
                    *around("SwapPreview", "fee", _details()),
                ),
            ),
            class_name="wm-scroll wm-review",
            tab_index=0,
            role="group",
            aria_label=_("What will be swapped"),
        ),
        _step(),
        _notices(),
        *around("SwapPreview", "buttons", _buttons()),
        ticker(
            every=SWAP_REFRESH * 1000,
            active=SwapPreviewState.phase == "ready",
            about="",
            on_tick=SwapPreviewState.refresh,
        ),
        class_name="wm-send",
        on_mount=SwapPreviewState.on_shown,
    )
