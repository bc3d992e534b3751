"""Status of a transaction in the views of other features, until it is final."""

from __future__ import annotations

from typing import Any

import reflex as rx

from walletmodal.components.copy_button import copy_button
from walletmodal.components.language.sentence import sentence
from walletmodal.core.language import _
from walletmodal.features.transactions.state import PendingState
from walletmodal.ui.buttons import button_link
from walletmodal.ui.feedback import spinner
from walletmodal.ui.parties import party
from walletmodal.ui.styled import styled

status_part = styled(rx.asset("transaction_status.css", shared=True).importable_path)


def status_mark(tone: rx.Var[str]) -> rx.Component:
    """The mark that turns into the outcome."""
    return rx.el.div(
        rx.match(
            tone,
            ("good", rx.icon("check", size=32)),
            ("bad", rx.icon("triangle-alert", size=30)),
            spinner(),
        ),
        class_name="wm-status-mark",
        data_tone=tone,
        aria_hidden="true",
    )


def _transfer_line() -> rx.Component:
    done, amount = PendingState.result["title"], rx.el.strong(PendingState.result["amount"])
    return rx.cond(
        PendingState.result["amount"] != "",
        rx.el.div(
            rx.cond(
                PendingState.result["received"] != "",
                sentence(
                    # Translators: such as Swapped 1 ETH for 2,000 USDC
                    _("{done} {amount} for {received}", done=done),
                    amount=amount,
                    received=rx.el.strong(PendingState.result["received"], data_testid="swap-result-received"),
                ),
                sentence(
                    # Translators: such as Sent 1 ETH to 0x1234…abcd
                    _("{done} {amount} to {receiver}", done=done),
                    amount=amount,
                    receiver=party(
                        PendingState.result["name"], PendingState.result["receiver"], PendingState.result["avatar"]
                    ),
                ),
            ),
            class_name="wm-text",
            data_testid="send-result-what",
        ),
        rx.fragment(),
    )


def _hint() -> rx.Component:
    """What the visitor may do, or need not do."""
    return rx.match(
        PendingState.result["status"],
        ("sent", _sentence(_("You may close this window: the transaction goes on without it."))),
        (
            "dropped",
            rx.cond(
                PendingState.result["reason"] != "",
                _sentence(PendingState.result["reason"]),
                _sentence(
                    _(
                        "No node knows it any more. Nothing has left your account, unless your wallet brings it up again."
                    )
                ),
            ),
        ),
        (
            "unknown",
            _sentence(
                _("Your wallet has not told what became of it. Look there before you try again, or you may pay twice.")
            ),
        ),
        (
            "reverted",
            rx.cond(
                PendingState.result["reason"] != "",
                _sentence(PendingState.result["reason"]),
                _sentence(_("The network has refused it. The amount is still yours; the fee is not.")),
            ),
        ),
        rx.fragment(),
    )


def _sentence(text: str | rx.Var[str]) -> rx.Component:
    return rx.el.p(text, class_name="wm-text")


def _altered_note() -> rx.Component:
    return rx.cond(
        PendingState.result["altered"].length() > 0,
        rx.el.div(
            rx.el.p(
                _("The network has another transaction than the one that you approved here."), class_name="wm-heading"
            ),
            rx.el.ul(rx.foreach(PendingState.result["altered"], lambda line: rx.el.li(line, key=line))),
            class_name="wm-status-altered",
            role="alert",
            data_testid="send-result-altered",
        ),
        rx.fragment(),
    )


def _hash() -> rx.Component:
    shown: Any = PendingState.result["hash"]
    return rx.cond(
        shown != "",
        rx.el.div(
            copy_button(
                rx.el.span(
                    shown,
                    data_testid=rx.cond(PendingState.result["received"] != "", "swap-result-hash", "send-result-hash"),
                ),
                rx.icon("copy", size=14, aria_hidden="true"),
                rx.el.span(_("Copy the transaction's hash"), class_name="wm-hidden"),
                text=shown,
                class_name="wm-copy wm-status-hash",
                on_copied=PendingState.on_copied,
            ),
            rx.cond(
                PendingState.result["link"] != "",
                button_link(
                    _("View on the explorer"),
                    PendingState.result["link"],
                    icon=rx.icon("compass", size=16, aria_hidden="true"),
                    data_testid="send-result-link",
                ),
                rx.fragment(),
            ),
            class_name="wm-status-links",
        ),
        rx.fragment(),
    )


def status_block() -> rx.Component:
    """How the transaction stands that `PendingState` follows: what it is, its hash, the explorer's page, and what is not as it was proposed."""
    return status_part(
        status_mark(PendingState.result["tone"]),
        rx.el.div(
            rx.el.p(
                PendingState.result["label"], class_name="wm-heading", role="status", data_testid="send-result-status"
            ),
            _transfer_line(),
            _hint(),
            class_name="wm-words",
        ),
        _altered_note(),
        _hash(),
        class_name="wm-status",
        data_status=PendingState.result["status"],
    )
