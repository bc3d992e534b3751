"""The form of a swap. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.components.ticker import ticker
from walletmodal.core.constants import SWAP_NETWORKS, SWAP_REFRESH
from walletmodal.core.language import _, pgettext
from walletmodal.core.swaps.form import REVIEW, SwapLabel
from walletmodal.core.swaps.terms import SLIPPAGES
from walletmodal.core.transfers.send_button import INCORRECT_VALUE
from walletmodal.features.account.active import ActiveState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.networks.views import network_choice
from walletmodal.features.onramp.state import BuyState
from walletmodal.features.swap.picker import SwapPickState
from walletmodal.features.swap.preview import SwapPreviewState
from walletmodal.features.swap.slippage import AUTOMATIC, MAX_SLIPPAGE_TEXT
from walletmodal.features.swap.state import MAX_AMOUNT, SwapState
from walletmodal.features.swap.styles import swap_part
from walletmodal.ui.buttons import button, link
from walletmodal.ui.feedback import shimmer
from walletmodal.ui.images import token_image
from walletmodal.ui.notes import filled_in_by, note, try_again
from walletmodal.ui.numbers import number_length
from walletmodal.ui.own_parts import around

_LABELS: Final[dict[SwapLabel, str]] = {
    "Select token": _("Select token"),
    "Enter amount": _("Enter amount"),
    "Insufficient balance": _("Insufficient balance"),
    "Review swap": _("Review swap"),
    "Swap": pgettext("button", "Swap"),
}
_SHORT: Final = "Insufficient balance"
_HINT: Final = "wm-swap-hint"
_AMOUNT_LINE: Final = "wm-swap-amount-line"
_SHORT_OF: Final = "wm-swap-short-of"
_SLIPPAGE_NOTE: Final = "wm-swap-slippage-note"


def _token_button(side: str, name: str) -> rx.Component:
    chosen, symbol = getattr(SwapState, side) != "", getattr(SwapState, f"{side}_symbol")
    return rx.el.button(
        rx.cond(chosen, token_image(getattr(SwapState, f"{side}_icon"), "sm"), rx.fragment()),
        rx.el.span(rx.cond(chosen, symbol, _("Select token")), class_name="wm-button-label"),
        rx.cond(chosen, rx.icon("chevron-down", size=14, aria_hidden="true"), rx.fragment()),
        type="button",
        class_name="wm-button",
        data_variant=rx.cond(chosen, "neutral", "accent"),
        aria_label=rx.cond(chosen, _("{token}, choose another token", token=symbol), _("Select token")),
        on_click=SwapPickState.open_list(side),
        data_testid=f"swap-select-token-button-{name}",
    )


def _amount() -> rx.Component:
    return rx.el.input(
        key="amount-" + SwapState.filled.to_string(),
        placeholder="0",
        aria_label=rx.cond(
            SwapState.source != "", _("Amount of {token} to give", token=SwapState.source_symbol), _("Amount")
        ),
        aria_invalid=rx.cond(SwapState.exceeded | (SwapState.worth == INCORRECT_VALUE), "true", "false"),
        aria_describedby=f"{_HINT} {_SHORT_OF} {_AMOUNT_LINE}",
        default_value=SwapState.amount,
        input_mode="decimal",
        auto_complete="off",
        spell_check=False,
        max_length=MAX_AMOUNT,
        class_name="wm-amount",
        style=number_length(SwapState.amount),
        disabled=SwapState.source == "",
        on_change=SwapState.type_amount,
        data_testid="swap-input-sourceToken",
    )


def _source_box() -> rx.Component:
    return rx.el.div(
        rx.el.div(_amount(), _token_button("source", "sourceToken"), class_name="wm-send-line"),
        rx.el.div(
            rx.el.span(
                rx.cond(
                    SwapState.worth == INCORRECT_VALUE,
                    rx.el.span(_("Incorrect value"), role="alert"),
                    SwapState.worth,
                ),
                class_name="wm-text",
                data_tone=rx.cond(SwapState.worth == INCORRECT_VALUE, "error", ""),
                data_testid="swap-worth-sourceToken",
            ),
            rx.cond(
                SwapState.source != "",
                rx.el.span(
                    rx.el.span(
                        SwapState.balance,
                        " ",
                        # Translators: behind the balance of an account
                        rx.el.span(_("available"), class_name="wm-hidden"),
                        class_name="wm-text",
                        data_tone=rx.cond(SwapState.exceeded, "error", ""),
                        data_testid="swap-balance",
                    ),
                    rx.cond(
                        SwapState.exceeded & ActiveState.actions.contains("onramp"),
                        link(
                            pgettext("button", "Buy"),
                            on_click=BuyState.buy_token(SwapState.source_symbol),
                            data_testid="swap-buy-button",
                        ),
                        link(_("Max"), on_click=SwapState.use_max, data_testid="swap-max-button"),
                    ),
                    class_name="wm-send-balance",
                ),
                rx.fragment(),
            ),
            class_name="wm-send-line",
            data_size="small",
            id=_AMOUNT_LINE,
        ),
        class_name="wm-send-box",
    )


def _target_box() -> rx.Component:
    empty = SwapState.received == ""
    return rx.el.div(
        rx.el.div(
            rx.cond(
                SwapState.quoting & empty,
                rx.el.span(
                    shimmer("96px", "32px"),
                    rx.el.span(_("Asking for a quote"), class_name="wm-hidden"),
                    class_name="wm-swap-received",
                ),
                rx.el.output(
                    rx.cond(empty, "0", SwapState.received),
                    class_name="wm-swap-received",
                    style=number_length(SwapState.received),
                    data_empty=empty.to_string(),
                    title=SwapState.received,
                    aria_label=rx.cond(
                        empty, _("Nothing to receive yet"), _("To receive: {amount}", amount=SwapState.received)
                    ),
                    data_testid="swap-input-toToken",
                ),
            ),
            _token_button("target", "toToken"),
            class_name="wm-send-line",
        ),
        rx.el.div(
            rx.el.span(SwapState.received_worth, class_name="wm-text", data_testid="swap-worth-toToken"),
            class_name="wm-send-line",
            data_size="small",
        ),
        class_name="wm-send-box",
    )


def _seam() -> rx.Component:
    return rx.el.button(
        rx.icon("arrow-up-down", size=16, aria_hidden="true"),
        type="button",
        class_name="wm-send-seam wm-swap-seam",
        aria_label=_("Switch what is given and received"),
        on_click=SwapState.switch_sides,
        data_testid="swap-switch-button",
    )


def _slippage(value: str, label: str) -> rx.Component:
    chosen = (SwapState.slippage == value) & (SwapState.own_slippage == "")
    return rx.el.button(
        label,
        type="button",
        role="radio",
        aria_checked=rx.cond(chosen, "true", "false"),
        on_click=SwapState.choose_slippage(value),
        data_testid=f"swap-slippage-{value}",
    )


def _slippages() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            _slippage(AUTOMATIC, _("Auto")),
            *(_slippage(f"{value}", f"{value}%") for value in SLIPPAGES),
            rx.el.input(
                key="slippage-" + SwapState.filled.to_string(),
                placeholder=_("Own %"),
                aria_label=_("Own slippage in percent"),
                aria_describedby=_SLIPPAGE_NOTE,
                default_value=SwapState.own_slippage,
                input_mode="decimal",
                auto_complete="off",
                max_length=MAX_SLIPPAGE_TEXT,
                class_name="wm-swap-own",
                data_chosen=(SwapState.own_slippage != "").to_string(),
                on_change=SwapState.type_slippage.debounce(200),
                data_testid="swap-slippage-own",
            ),
            role="radiogroup",
            aria_label=_("Max. slippage"),
            class_name="wm-swap-slippages",
        ),
        rx.el.p(
            SwapState.slippage_note,
            id=_SLIPPAGE_NOTE,
            role="status",
            class_name="wm-send-note",
            data_tone="warning",
            data_testid="swap-slippage-note",
        ),
    )


def _fact(name: str, value: Any, about: str = "", **props: Any) -> rx.Component:
    return rx.el.div(rx.el.dt(name, title=about), rx.el.dd(value, **props), class_name="wm-fact")


def _details() -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.span(rx.cond(SwapState.rate != "", SwapState.rate, _("Details")), data_testid="swap-rate"),
            rx.icon("chevron-down", size=14, aria_hidden="true"),
        ),
        rx.el.dl(
            rx.cond(
                SwapState.impact != "",
                _fact(
                    _("Price impact"),
                    SwapState.impact,
                    _("How much worse the price is than that of a small swap, or of the market"),
                    data_tone=rx.cond(SwapState.impact_marked, "warning", ""),
                    data_testid="swap-price-impact",
                ),
                rx.fragment(),
            ),
            _fact(
                _("Max. slippage"),
                rx.fragment(SwapState.allowed, " ", SwapState.used_slippage + "%"),
                _("How much less than quoted it may bring before it fails"),
                data_testid="swap-max-slippage",
            ),
            rx.cond(
                SwapState.least != "",
                _fact(_("Least received"), SwapState.least, data_testid="swap-minimum-received"),
                rx.fragment(),
            ),
            rx.cond(
                SwapState.fee != "",
                _fact(_("Network cost"), _("about {amount}", amount=SwapState.fee), data_testid="swap-network-cost"),
                rx.fragment(),
            ),
            _slippages(),
            class_name="wm-swap-facts",
        ),
        class_name="wm-swap-details",
        data_testid="swap-details",
    )


def _line(text: rx.Var[str], *, tone: str = "error", **props: Any) -> rx.Component:
    """A place for a message, there all along so that a screen reader hears what comes into it."""
    return rx.el.p(text, role="status", class_name="wm-send-note", data_tone=tone, **props)


def _notes() -> rx.Component:
    return rx.el.div(
        _line(SwapState.notice, tone="warning", data_testid="swap-notice"),
        filled_in_by(SwapState.host, test_id="swap-filled-in"),
        _line(SwapState.hint, id=_HINT, data_testid="swap-hint"),
        # Seen on the button, which has no focus while it says so.
        rx.el.span(
            rx.cond(SwapState.label == _SHORT, _LABELS[_SHORT], ""), id=_SHORT_OF, role="status", class_name="wm-hidden"
        ),
        rx.el.div(
            _line(SwapState.error, data_testid="swap-error"),
            rx.cond(
                SwapState.error != "",
                link(_("Try again"), on_click=SwapState.retry, data_testid="swap-retry"),
                rx.fragment(),
            ),
            class_name="wm-beside",
        ),
        class_name="wm-send-notes",
    )


def _skeleton() -> rx.Component:
    box = rx.el.div(
        rx.el.div(
            shimmer("80px", "40px", "var(--wm-radius-xxs)"),
            shimmer("80px", "40px", "var(--wm-radius-3xl)"),
            class_name="wm-send-line",
        ),
        class_name="wm-send-box",
    )
    return rx.el.div(
        box,
        box,
        rx.el.span(_("Loading the tokens"), class_name="wm-hidden", role="status"),
        class_name="wm-send-boxes",
    )


def _unavailable() -> rx.Component:
    return note(
        "cloud-off",
        _("Swaps are not available"),
        _("The service that lists what can be swapped does not answer. Your funds are not affected."),
        try_again(SwapState.load, test_id="swap-tokens-retry"),
        role="status",
    )


def _network(row: rx.Var[Any]) -> rx.Component:
    offered = rx.Var.create(list(SWAP_NETWORKS)).contains(row["id"])
    return rx.cond(offered, network_choice(row), rx.fragment())


def _unsupported() -> rx.Component:
    """The networks that have swaps, where the active one has none."""
    return rx.el.div(
        rx.el.p(
            _("Swaps are not available on this network. Switch to one of these:"),
            class_name="wm-swap-step",
            data_testid="swap-unsupported",
        ),
        rx.el.div(
            rx.el.div(rx.foreach(NetworksState.rows, _network), class_name="wm-stack"),
            class_name="wm-scroll",
            data_height="list",
        ),
    )


def _form() -> rx.Component:
    review = button(
        rx.match(SwapState.label, *_LABELS.items(), ""),
        size="lg",
        wide=True,
        loading=SwapState.quoting,
        disabled=SwapState.label != REVIEW,
        on_click=SwapPreviewState.open,
        data_testid="swap-action-button",
    )
    return rx.fragment(
        *around(
            "Swap",
            "form",
            rx.el.div(_source_box(), _seam(), _target_box(), class_name="wm-send-boxes"),
        ),
        rx.cond((SwapState.rate != "") | (SwapState.target != ""), _details(), rx.fragment()),
        _notes(),
        *around("Swap", "button", review),
    )


@rx.memo
def swap_view() -> rx.Component:
    """Swap: what is given, and what that brings."""
    return swap_part(
        rx.match(
            SwapState.phase,
            ("loading", _skeleton()),
            ("unavailable", _unavailable()),
            ("unsupported", _unsupported()),
            _form(),
        ),
        ticker(
            every=SWAP_REFRESH * 1000,
            active=SwapState.received != "",
            about=SwapState.source + SwapState.target,
            on_tick=SwapState.refresh,
        ),
        class_name="wm-send",
        on_mount=SwapState.on_shown,
    )
