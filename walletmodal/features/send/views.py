"""The form of a transfer, and the list of tokens. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.components.language.sentence import sentence
from walletmodal.components.paste_button import paste_button
from walletmodal.core.language import _, pgettext
from walletmodal.core.transfers.receiver_input import MAX_PASTED
from walletmodal.core.transfers.send_button import INCORRECT_VALUE, PREVIEW, SendLabel
from walletmodal.features.account.active import ActiveState
from walletmodal.features.onramp.state import BuyState
from walletmodal.features.send.picker import PickState
from walletmodal.features.send.review import ReviewState
from walletmodal.features.send.state import MAX_AMOUNT, SendState
from walletmodal.features.send.styles import send_part
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button, link
from walletmodal.ui.feedback import separator, shimmer
from walletmodal.ui.images import token_image
from walletmodal.ui.inputs import search_bar
from walletmodal.ui.notes import filled_in_by, note, try_again
from walletmodal.ui.numbers import number_length
from walletmodal.ui.own_parts import around
from walletmodal.ui.parties import party
from walletmodal.ui.rows import row_skeleton, token_row

_LABELS: Final[dict[SendLabel, str]] = {
    "Preview Send": _("Preview Send"),
    "Invalid Address": _("Invalid Address"),
    "Add Address": _("Add Address"),
    "Insufficient Gas Funds": _("Insufficient Gas Funds"),
    "Insufficient Funds": _("Insufficient Funds"),
    "Add Amount": _("Add Amount"),
    "Incorrect Value": _("Incorrect Value"),
    "Select Token": _("Select Token"),
}
_SHORT: Final = tuple(one for one in _LABELS.items() if one[0].startswith("Insufficient"))
_RECEIVER_FIELD: Final = "wm-send-receiver"
_AMOUNT_HINT: Final = "wm-send-amount-hint"
_AMOUNT_LINE: Final = "wm-send-amount-line"
_SHORT_OF: Final = "wm-send-short-of"
_RECEIVER_NOTE: Final = "wm-send-receiver-note"


def _token_button() -> rx.Component:
    picked = SendState.token != ""
    return rx.el.button(
        rx.cond(picked, token_image(SendState.icon, "sm"), rx.fragment()),
        rx.el.span(rx.cond(picked, SendState.symbol, _("Select token")), class_name="wm-button-label"),
        rx.cond(picked, rx.icon("chevron-down", size=14, aria_hidden="true"), rx.fragment()),
        type="button",
        class_name="wm-button",
        data_variant=rx.cond(picked, "neutral", "accent"),
        aria_label=rx.cond(picked, _("{token}, choose another token", token=SendState.symbol), _("Select token")),
        on_click=PickState.open_list,
        data_testid="send-select-token-button",
    )


def _amount() -> rx.Component:
    return rx.el.input(
        key="amount-" + SendState.filled.to_string(),
        placeholder="0",
        aria_label=rx.cond(SendState.token != "", _("Amount of {token}", token=SendState.symbol), _("Amount")),
        aria_invalid=rx.cond(SendState.exceeded | (SendState.worth == INCORRECT_VALUE), "true", "false"),
        aria_describedby=f"{_AMOUNT_HINT} {_SHORT_OF} {_AMOUNT_LINE}",
        default_value=SendState.amount,
        input_mode="decimal",
        auto_complete="off",
        spell_check=False,
        max_length=MAX_AMOUNT,
        class_name="wm-amount",
        style=number_length(SendState.amount),
        disabled=SendState.token == "",
        on_change=SendState.type_amount,
        data_testid="send-amount-input",
    )


def _balance() -> rx.Component:
    return rx.match(
        SendState.phase,
        ("loading", rx.fragment(shimmer("56px", "14px"), rx.el.span(_("Reading the balance"), class_name="wm-hidden"))),
        (
            "unavailable",
            rx.fragment(
                rx.el.span(_("Balance unavailable"), class_name="wm-text"),
                link(_("Try again"), on_click=SendState.load, data_testid="send-retry-balance"),
            ),
        ),
        rx.fragment(
            rx.el.span(
                SendState.balance,
                " ",
                # Translators: behind the balance of an account
                rx.el.span(_("available"), class_name="wm-hidden"),
                class_name="wm-text",
                data_tone=rx.cond(SendState.exceeded, "error", ""),
                data_testid="send-balance",
            ),
            rx.cond(
                SendState.exceeded & ActiveState.actions.contains("onramp"),
                link(
                    pgettext("button", "Buy"),
                    on_click=BuyState.buy_token(SendState.symbol),
                    data_testid="send-buy-button",
                ),
                link(_("Max"), on_click=SendState.use_max, data_testid="send-max-button"),
            ),
        ),
    )


def _amount_box() -> rx.Component:
    return rx.el.div(
        rx.el.div(_amount(), _token_button(), class_name="wm-send-line"),
        rx.cond(
            SendState.token != "",
            rx.el.div(
                rx.el.span(
                    rx.cond(
                        SendState.worth == INCORRECT_VALUE,
                        rx.el.span(_("Incorrect value"), role="alert"),
                        SendState.worth,
                    ),
                    class_name="wm-text",
                    data_tone=rx.cond(SendState.worth == INCORRECT_VALUE, "error", ""),
                    data_testid="send-amount-value",
                ),
                rx.el.span(_balance(), class_name="wm-send-balance"),
                class_name="wm-send-line",
                data_size="small",
                id=_AMOUNT_LINE,
            ),
            rx.fragment(),
        ),
        class_name="wm-send-box",
    )


def _paste() -> rx.Component:
    return paste_button(
        rx.icon("clipboard", size=14, aria_hidden="true"),
        rx.el.span(pgettext("button", "Paste")),
        " ",
        # Translators: follows Paste, for those who cannot see the field
        rx.el.span(_("the receiver's address"), class_name="wm-hidden"),
        field=_RECEIVER_FIELD,
        limit=MAX_PASTED,
        class_name="wm-chip wm-send-paste",
        on_pasted=SendState.paste,
        data_testid="send-paste-button",
    )


def _receiver() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            sentence(
                # Translators: {paste} is the button Paste
                _("Type or {paste} address"),
                paste=_paste(),
            ),
            class_name="wm-send-hint",
        ),
        rx.el.textarea(
            key="receiver-" + SendState.filled.to_string(),
            id=_RECEIVER_FIELD,
            # Something must be there for the style sheet to know an empty field.
            placeholder=" ",
            aria_label=_("Address or name of the receiver"),
            aria_invalid=rx.cond(SendState.note != "", "true", "false"),
            aria_describedby=_RECEIVER_NOTE,
            default_value=SendState.receiver,
            rows="2",
            auto_complete="off",
            auto_capitalize="none",
            spell_check=False,
            max_length=MAX_PASTED,
            class_name="wm-send-receiver",
            on_change=SendState.type_receiver,
            data_testid="send-address-input",
        ),
        class_name="wm-send-box",
        data_part="receiver",
    )


def _line(text: rx.Var[str], *, identity: str, tone: str = "error", **props: Any) -> rx.Component:
    """A place for a message, there all along so that a screen reader hears what comes into it."""
    return rx.el.p(text, id=identity, role="status", class_name="wm-send-note", data_tone=tone, **props)


def _notes() -> rx.Component:
    return rx.el.div(
        _line(SendState.notice, identity="wm-send-notice", tone="warning", data_testid="send-notice"),
        filled_in_by(SendState.host, test_id="send-filled-in"),
        _line(SendState.hint, identity=_AMOUNT_HINT, data_testid="send-amount-hint"),
        # Seen on the button, which has no focus while it says so.
        rx.el.span(rx.match(SendState.label, *_SHORT, ""), id=_SHORT_OF, role="status", class_name="wm-hidden"),
        rx.el.div(
            _line(
                SendState.note,
                identity=_RECEIVER_NOTE,
                data_testid=rx.match(
                    SendState.warning,
                    ("namespace", "send-warning-namespace"),
                    ("confusable", "send-warning-confusable"),
                    "send-receiver-note",
                ),
            ),
            rx.cond(
                SendState.retries,
                link(_("Try again"), on_click=SendState.resolve_name, data_testid="send-retry-name"),
                rx.fragment(),
            ),
            class_name="wm-beside",
        ),
        rx.el.div(
            rx.cond(
                SendState.receiver_name != "",
                sentence(
                    _("Sends to {receiver}"),
                    receiver=party(SendState.receiver_name, SendState.receiver_address, SendState.receiver_avatar),
                ),
                rx.fragment(),
            ),
            role="status",
            class_name="wm-send-note",
            data_tone="plain",
            data_testid="send-receiver-name",
        ),
        class_name="wm-send-notes",
    )


@rx.memo
def wallet_send_view() -> rx.Component:
    """WalletSend: what, and to whom."""
    boxes = rx.el.div(
        _amount_box(),
        rx.el.span(rx.icon("arrow-down", size=16), class_name="wm-send-seam", aria_hidden="true"),
        _receiver(),
        class_name="wm-send-boxes",
    )
    review = button(
        rx.match(SendState.label, *_LABELS.items(), ""),
        size="lg",
        wide=True,
        loading=SendState.resolving | ((SendState.token != "") & (SendState.phase == "loading")),
        disabled=SendState.label != PREVIEW,
        on_click=ReviewState.open,
        data_testid="send-preview-button",
    )
    return send_part(
        *around("WalletSend", "form", boxes),
        _notes(),
        *around("WalletSend", "button", review),
        class_name="wm-send",
        on_mount=SendState.on_shown,
    )


def _token(row: rx.Var[Any]) -> rx.Component:
    return token_row(
        row[1],
        row[2],
        row[3],
        amount=row[4],
        value=row[5],
        on_click=PickState.choose(row[0]),
        data_testid="send-token-" + row[2].to(str),
        key=row[0],
    )


def _no_tokens() -> rx.Component:
    receive = link(
        pgettext("button", "Receive"), on_click=ShellState.push("WalletReceive"), data_testid="link-receive-funds"
    )
    buy = link(pgettext("button", "Buy"), on_click=ShellState.push("OnRampProviders"), data_testid="link-buy")
    offered = ActiveState.actions.contains("receive") & (PickState.search == "")
    return note(
        "coins",
        _("No tokens found"),
        rx.cond(
            PickState.search != "",
            _("None of your tokens on this network is called that."),
            _("What you own on this network is listed here."),
        ),
        rx.cond(ActiveState.actions.contains("onramp") & (PickState.search == ""), buy, rx.fragment()),
        rx.cond(offered, receive, rx.fragment()),
        role="status",
    )


def _tokens_unavailable() -> rx.Component:
    return note(
        "cloud-off",
        _("Your tokens could not be read"),
        _("They are safe: only the service that lists them does not answer."),
        try_again(PickState.load, test_id="send-tokens-retry"),
        role="status",
    )


def _tokens() -> rx.Component:
    return rx.el.div(
        rx.el.h2(_("Your tokens"), class_name="wm-send-heading"),
        rx.el.div(rx.foreach(PickState.tokens, _token), class_name="wm-stack"),
        rx.cond(
            PickState.more > 0,
            rx.el.p(_("{count} more: search for them by name.", count=PickState.more), class_name="wm-note"),
            rx.fragment(),
        ),
        class_name="wm-scroll",
        data_height="tokens",
    )


@rx.memo
def wallet_send_select_token_view() -> rx.Component:
    """WalletSendSelectToken: what the account owns on the active network."""
    return send_part(
        rx.el.div(
            search_bar(_("Search token"), value=PickState.search, on_change=PickState.set_search.debounce(300)),
            class_name="wm-stack",
            data_part="search",
        ),
        separator(),
        rx.match(
            PickState.phase,
            (
                "loading",
                rx.el.div(*(row_skeleton(w, image="round") for w in ("96px", "72px", "112px")), class_name="wm-stack"),
            ),
            ("unavailable", _tokens_unavailable()),
            rx.cond(PickState.tokens.length() > 0, _tokens(), _no_tokens()),
        ),
        on_mount=PickState.on_shown,
    )
