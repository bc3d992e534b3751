"""Parts of a preview: what a wallet is about to be asked, what it costs, and what speaks against it."""

from __future__ import annotations

from typing import Any, Literal

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.ui.buttons import button
from walletmodal.ui.feedback import shimmer
from walletmodal.ui.images import icon_box, token_image
from walletmodal.ui.inputs import checkbox

Tone = Literal["plain", "warning", "error"]


def amount_row(
    name: str,
    *,
    amount: rx.Var[Any],
    symbol: rx.Var[Any],
    worth: rx.Var[Any],
    icon: rx.Var[Any],
    test_id: str,
) -> rx.Component:
    """Row of an amount: its name and worth, and the amount beside its token.

    Args:
        name: what becomes of it, such as `Send`.
        amount: as it is shown.
        symbol: of the token.
        worth: in dollars, or "".
        icon: path of the token's picture, or "".
        test_id: of the amount.
    """
    return rx.el.div(
        rx.el.div(
            rx.el.span(name, class_name="wm-text"),
            rx.cond(worth != "", rx.el.span(worth, class_name="wm-review-worth"), rx.fragment()),
            class_name="wm-review-words",
        ),
        rx.el.span(
            rx.el.span(amount, " ", symbol, data_testid=test_id),
            token_image(icon, "sm"),
            class_name="wm-review-pill",
        ),
        class_name="wm-review-row",
    )


def down_arrow() -> rx.Component:
    """Arrow between two rows."""
    return rx.el.span(rx.icon("arrow-down", size=16), class_name="wm-review-arrow", aria_hidden="true")


def placeholder_row(width: str) -> rx.Component:
    """Row of an amount that is still to come; `width` is that of the amount."""
    return rx.el.div(shimmer("48px", "18px"), shimmer(width, "32px", "16px"), class_name="wm-review-row")


def being_prepared(*rows: rx.Component, details_height: str, on_retry: Any, test_id: str) -> rx.Component:
    """Preview that is being prepared; after a while it says so, and offers another try.

    Args:
        rows: in place of what comes above the details.
        details_height: CSS length.
        on_retry: the other try.
        test_id: of its button.
    """
    return rx.el.div(
        *rows,
        rx.el.div(shimmer("100%", details_height, "var(--wm-radius-xs)"), class_name="wm-review-details"),
        rx.el.div(
            rx.el.span(_("Preparing the preview"), class_name="wm-hidden"),
            rx.el.div(
                rx.el.p(_("This takes longer than usual."), class_name="wm-text"),
                button(
                    _("Try again"),
                    variant="accent",
                    icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
                    on_click=on_retry,
                    data_testid=test_id,
                ),
                class_name="wm-review-retry wm-late",
            ),
            role="status",
        ),
    )


def not_prepared(title: str, error: rx.Var[str], *, test_id: str) -> rx.Component:
    """Says why there is no preview."""
    return rx.el.div(
        icon_box(rx.icon("x", size=20), size="lg", tone="error"),
        rx.el.div(
            rx.el.p(title, class_name="wm-heading"),
            rx.el.p(error, class_name="wm-text", data_testid=test_id),
            class_name="wm-words",
            role="alert",
        ),
        class_name="wm-centered",
        data_pad="empty",
    )


def warning_item(*text: Any, test_id: str) -> rx.Component:
    """One warning of a list in `wm-warnings`."""
    return rx.el.li(rx.icon("triangle-alert", size=16, aria_hidden="true"), *text, data_testid=test_id)


def warning(shown: Any, *text: Any, test_id: str) -> rx.Component:
    """One warning, where it is `shown`."""
    return rx.cond(shown, warning_item(*text, test_id=test_id), rx.fragment())


def warnings_box(*warnings: rx.Component, state: Any, acceptable: Any, consent: str, test_id: str) -> rx.Component:
    """Warnings, and the box by which they are accepted.

    Args:
        warnings: of `warning`.
        state: the preview's; it has `accepted`, `seen` and `accept`.
        acceptable: whether they can be.
        consent: the visitor's own sentence.
        test_id: of the box.
    """
    return rx.el.div(
        rx.el.ul(*warnings),
        rx.cond(
            acceptable,
            checkbox(
                consent,
                checked=state.accepted,
                on_change=lambda accepted: state.accept(accepted, state.seen),
                data_testid=test_id,
            ),
            rx.fragment(),
        ),
        class_name="wm-warnings",
        role="group",
        aria_label=_("Warnings"),
    )


def fact(name: str, *value: Any, **props: Any) -> rx.Component:
    """Line of the details."""
    return rx.el.div(rx.el.dt(name), rx.el.dd(*value, **props), class_name="wm-fact")


def cost_fact(state: Any, *, test_id: str) -> rx.Component:
    """Line with the most that the network takes, or with who pays it; nothing where the fee is not known.

    Args:
        state: the preview's; it has `phase` and `pay_fee`, and its plan `fee`, `fee_worth`, `payer` and `payer_icon`.
        test_id: of the fee.
    """
    plan = state.plan
    return rx.cond(
        plan["payer"] != "",
        fact(
            _("Network cost"),
            rx.el.span(
                rx.cond(plan["payer_icon"] != "", token_image(plan["payer_icon"], "sm"), rx.fragment()),
                rx.el.span(plan["payer"], data_testid="gas-payer"),
                class_name="wm-fact-payer",
            ),
            rx.el.button(
                _("Pay it yourself"),
                type="button",
                class_name="wm-link",
                data_tone="accent",
                disabled=state.phase != "ready",
                on_click=state.pay_fee,
                data_testid="gas-pay-own",
            ),
        ),
        rx.cond(
            plan["fee"] != "",
            fact(
                _("Network cost"),
                rx.el.span(_("up to {amount}", amount=plan["fee"])),
                rx.cond(plan["fee_worth"] != "", rx.el.span(plan["fee_worth"], class_name="wm-text"), rx.fragment()),
                data_testid=test_id,
            ),
            rx.fragment(),
        ),
    )


def unpaid_remark(plan: Any) -> rx.Component:
    """Remark why nobody pays the fee who might; the plan has it as `unpaid`."""
    return rx.cond(plan["unpaid"] != "", rx.el.li(plan["unpaid"], data_testid="gas-unpaid"), rx.fragment())


def not_simulated(shown: Any, *, test_id: str) -> rx.Component:
    """Remark that no node has tried it, where it is `shown`."""
    return rx.cond(
        shown, rx.el.li(_("Not simulated: the network offers no trial run."), data_testid=test_id), rx.fragment()
    )


def spoken(shown: Any, text: Any, *, tone: Tone, test_id: str) -> rx.Component:
    """Sentence that a screen reader tells when it comes; it belongs into `spoken_notes`."""
    return rx.cond(shown, rx.el.p(text, class_name="wm-send-note", data_tone=tone, data_testid=test_id), rx.fragment())


def spoken_notes(*notes: rx.Component) -> rx.Component:
    """Place of the sentences that the visitor must hear."""
    return rx.el.div(*notes, role="status", class_name="wm-review-says")


def preview_buttons(
    state: Any, *, waits: Any, label: Any, acceptance: Any, prefix: str, cancel_id: str, confirm_id: str
) -> rx.Component:
    """Buttons below a preview: Cancel or Stop waiting, and the one that confirms or tries again.

    Args:
        state: the preview's; it has `phase`, `accepted`, `seen`, `retry`, `confirm`, `cancel` and `stop_waiting`.
        waits: whether the wallet or the network has it.
        label: of the confirming button.
        acceptance: whether warnings must be accepted first.
        prefix: of the ids of the other buttons.
        cancel_id: id of the Cancel button.
        confirm_id: id of the confirming button.
    """
    phase = state.phase
    return rx.el.div(
        rx.cond(
            waits,
            button(
                _("Stop waiting"),
                variant="neutral",
                size="lg",
                on_click=state.stop_waiting,
                data_testid=f"{prefix}-stop-button",
            ),
            button(
                pgettext("button", "Cancel"), variant="neutral", size="lg", on_click=state.cancel, data_testid=cancel_id
            ),
        ),
        rx.cond(
            (phase == "failed") | (phase == "blocked"),
            button(_("Try again"), size="lg", on_click=state.retry, data_testid=f"{prefix}-preview-retry"),
            button(
                label,
                size="lg",
                loading=(phase == "checking") | waits,
                disabled=(phase != "ready") | (acceptance & ~state.accepted),
                on_click=state.confirm(state.seen),
                data_testid=confirm_id,
            ),
        ),
        class_name="wm-review-buttons",
    )
