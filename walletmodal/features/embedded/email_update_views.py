"""A change of the embedded wallet's email address. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.components.embedded import email_input, otp_input, resend, secure_ask, secure_place
from walletmodal.components.language.sentence import sentence
from walletmodal.core.language import _, pgettext
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.email_update import EDIT_VIEW, EmailUpdateState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.notes import note
from walletmodal.ui.styled import styled

_part: Final = styled(INPUTS)
_BUSY: Final = EmailUpdateState.question["id"]


def _ask() -> rx.Component:
    return secure_ask(question=EmailUpdateState.question, sync=BridgeState.sync, on_answer=EmailUpdateState.on_answer)


def _cancel() -> rx.Component:
    """The way back; a view that was opened by name has none."""
    return rx.cond(
        ShellState.depth > 1,
        button(
            pgettext("button", "Cancel"),
            variant="neutral",
            size="lg",
            on_click=ShellState.back,
            data_testid="email-cancel",
        ),
        rx.fragment(),
    )


@rx.memo
def update_email_wallet_view() -> rx.Component:
    """UpdateEmailWallet: another address."""
    field = rx.el.div(
        email_input(
            _cancel(),
            value=EmbeddedState.person["email"],
            label=_("Email address"),
            error=EmailUpdateState.error,
            edits=True,
            on_submit=EmailUpdateState.save,
        ),
        class_name="wm-email-block wm-email-alone",
    )
    return _part(
        rx.cond(
            EmbeddedState.person["email"],
            rx.cond(_BUSY, secure_place(label=_("The change of your email address")), field),
            note("mail", _("No email address"), _("Your account has none that could be changed.")),
        ),
        _ask(),
        class_name=rx.cond(_BUSY, "wm-secure-body", ""),
    )


def _code(kind: str, on_outcome: Any) -> rx.Component:
    mail = EmailUpdateState.mail
    code = rx.fragment(
        rx.el.div(
            rx.el.p(_("Enter the code we sent to"), class_name="wm-text"),
            rx.el.p(mail["to"], class_name="wm-email-address", title=mail["to"]),
            rx.el.p(_("The code expires in 20 minutes"), class_name="wm-text"),
            rx.cond(
                mail["words"],
                rx.el.p(
                    sentence(
                        _("The mail shows the words {words}"),
                        words=rx.el.strong(mail["words"], class_name="wm-email-words", data_testid="email-mail-words"),
                    ),
                    class_name="wm-text",
                ),
                rx.fragment(),
            ),
            class_name="wm-words",
        ),
        otp_input(type=kind, error=EmailUpdateState.error, on_outcome=on_outcome),
        rx.el.p(
            _("Something wrong?"),
            " ",
            resend(
                sent=mail["sent"],
                seconds=mail["wait"],
                label=_("Try again"),
                waiting=_("Try again in {seconds}s"),
                on_resend=EmailUpdateState.begin_again,
            ),
            class_name="wm-text",
        ),
    )
    nothing = note(
        "mail",
        _("No mail is on its way"),
        _("Type the new address first."),
        button(_("Edit the address"), on_click=ShellState.push(EDIT_VIEW), data_testid="email-edit"),
    )
    return _part(rx.cond(mail["to"], code, nothing), class_name="wm-centered")


@rx.memo
def update_email_primary_otp_view() -> rx.Component:
    """UpdateEmailPrimaryOtp: the code of the present address."""
    return _code("UPDATE_EMAIL_PRIMARY_OTP", EmailUpdateState.on_primary)


@rx.memo
def update_email_secondary_otp_view() -> rx.Component:
    """UpdateEmailSecondaryOtp: the code of the new address."""
    return _code("UPDATE_EMAIL_SECONDARY_OTP", EmailUpdateState.on_secondary)
