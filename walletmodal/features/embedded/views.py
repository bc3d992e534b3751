"""Login by email: the code, another device, and the recovery of a wallet."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.embedded import otp_input, resend, secure_ask, secure_place
from walletmodal.components.language.sentence import sentence
from walletmodal.core.language import _
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.email_view import email_block
from walletmodal.features.embedded.frame_questions import login_question
from walletmodal.features.embedded.lost_wallet import LostWalletState
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import ButtonVariant, button, link
from walletmodal.ui.feedback import spinner
from walletmodal.ui.images import icon_box
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.notes import note, try_again
from walletmodal.ui.styled import styled

_part: Final = styled(INPUTS)


def _nobody() -> rx.Component:
    """The view was opened by name, and no mail is on its way."""
    return note(
        "mail",
        _("No mail is on its way"),
        _("Type your email address first."),
        rx.cond(
            EmbeddedState.offered,
            button(_("Log in by email"), on_click=ShellState.push("EmailLogin"), data_testid="email-begin"),
            rx.fragment(),
        ),
    )


def _words() -> rx.Component:
    """What the mail shows too: who reads other words there was asked for by somebody else."""
    return rx.cond(
        EmbeddedState.words != "",
        rx.el.p(
            sentence(
                _("The mail shows the words {words}"),
                words=rx.el.strong(EmbeddedState.words, class_name="wm-email-words", data_testid="email-mail-words"),
            ),
            class_name="wm-text",
        ),
        rx.fragment(),
    )


def _footer(label: str) -> rx.Component:
    return rx.el.p(
        _("Didn't receive it?"),
        " ",
        resend(
            sent=EmbeddedState.sent,
            seconds=EmbeddedState.wait,
            busy=EmbeddedState.question["type"] == "RESEND_CODE",
            label=label,
            on_resend=EmbeddedState.resend,
        ),
        class_name="wm-text",
    )


def _told(text: str | rx.Var[str]) -> rx.Component:
    return rx.el.p(text, class_name="wm-text")


@rx.memo
def email_login_view() -> rx.Component:
    """EmailLogin: the address alone."""
    return rx.cond(
        EmbeddedState.offered,
        rx.el.div(email_block(), class_name="wm-email-alone"),
        note("mail", _("No login by email"), _("This site does not offer it.")),
    )


def _code() -> rx.Component:
    return rx.fragment(
        rx.el.div(
            _told(_("Enter the code we sent to")),
            rx.el.p(EmbeddedState.email, class_name="wm-email-address", title=EmbeddedState.email),
            _told(_("The code expires in 20 minutes")),
            _words(),
            class_name="wm-words",
        ),
        otp_input(
            error=EmbeddedState.error,
            busy=(EmbeddedState.phase == "connecting") | (PasskeysState.phase == "asking"),
            on_outcome=EmbeddedState.on_code,
        ),
        _footer(_("Resend Code")),
    )


def not_connected() -> rx.Component:
    """The code was right, and the accounts did not come."""
    return note(
        "cloud-off",
        _("Your wallet could not be opened"),
        _("You are logged in, but the wallet's service did not answer."),
        try_again(EmbeddedState.retry, test_id="email-retry"),
        role="alert",
    )


@rx.memo
def email_verify_otp_view() -> rx.Component:
    """EmailVerifyOtp: the code of the mail."""
    return _part(
        rx.cond(
            EmbeddedState.email == "", _nobody(), rx.cond(EmbeddedState.phase == "failed", not_connected(), _code())
        ),
        login_question(),
        class_name="wm-centered",
    )


@rx.memo
def email_verify_device_view() -> rx.Component:
    """EmailVerifyDevice: the link of a mail is to be approved."""
    return _part(
        rx.cond(
            EmbeddedState.email == "",
            _nobody(),
            rx.fragment(
                icon_box(rx.icon("badge-check", size=28), size="xl", tone="accent"),
                rx.el.div(
                    _told(_("Approve the login link we sent to")),
                    rx.el.p(EmbeddedState.email, class_name="wm-email-address", title=EmbeddedState.email),
                    _told(_("The link expires in 20 minutes")),
                    _words(),
                    class_name="wm-words",
                ),
                _footer(_("Resend email")),
            ),
        ),
        login_question(),
        class_name="wm-centered",
    )


def _way_button(way: str, label: str, icon: str, variant: ButtonVariant) -> rx.Component:
    return button(
        label,
        variant=variant,
        size="lg",
        wide=True,
        icon=rx.icon(icon, size=16, aria_hidden="true"),
        on_click=EmbeddedState.recover(way),
        data_testid=f"recovery-{way}",
    )


def _way(way: rx.Var[str]) -> rx.Component:
    """One way to the wallet; the best stands first, and stands out."""
    best = EmbeddedState.ways[0] == way
    buttons = (
        ("passkey", _("Use a passkey"), "key-round"),
        ("window", _("Open it from this browser"), "app-window"),
        ("password", _("Use the recovery password"), "lock-keyhole"),
        ("code", _("Send a code"), "mail"),
    )
    return rx.match(
        way,
        *(
            (name, rx.cond(best, _way_button(name, label, icon, "main"), _way_button(name, label, icon, "neutral")))
            for name, label, icon in buttons
        ),
        rx.fragment(),
    )


def _recovery_error() -> rx.Component:
    return rx.cond(
        EmbeddedState.error != "",
        rx.el.p(EmbeddedState.error, class_name="wm-otp-error", role="alert", data_testid="recovery-error"),
        rx.fragment(),
    )


def _recovery() -> rx.Component:
    return rx.fragment(
        icon_box(rx.icon("key-round", size=28), size="xl", tone="accent"),
        rx.el.div(
            rx.el.h2(
                rx.cond(
                    EmbeddedState.ways[0] == "window",
                    _("Your wallet is on another site"),
                    _("Your wallet is on another device"),
                ),
                class_name="wm-heading",
            ),
            _told(
                rx.match(
                    EmbeddedState.ways[0],
                    ("passkey", _("This browser has no key to it yet. Your passkey brings it here.")),
                    ("window", _("You use it in this browser on another site. A window opens it here, too.")),
                    ("password", _("This browser has no key to it yet. Your recovery password brings it here.")),
                    _("This browser has no key to it yet. A second code, sent to your email address, brings it here."),
                )
            ),
            _recovery_error(),
            class_name="wm-words",
        ),
        rx.el.div(rx.foreach(EmbeddedState.ways, _way), class_name="wm-ways"),
        rx.cond(EmbeddedState.hold != "", _told(EmbeddedState.hold), rx.fragment()),
        _told(_("Do you still have the other device? You can go on using the wallet there.")),
        _delete(),
    )


def _delete() -> rx.Component:
    """For whoever has lost every device, and wants nothing left here."""
    return rx.fragment(
        rx.cond(
            LostWalletState.error != "",
            rx.el.p(LostWalletState.error, class_name="wm-otp-error", role="alert", data_testid="lost-wallet-error"),
            rx.fragment(),
        ),
        rx.cond(
            EmbeddedState.deletion != "",
            rx.el.p(EmbeddedState.deletion, class_name="wm-text", data_testid="lost-wallet-deletion"),
            link(_("Delete the wallet instead"), on_click=LostWalletState.delete, data_testid="lost-wallet-delete"),
        ),
    )


def _no_way() -> rx.Component:
    """Neither escrow, a passkey nor a password: the other device alone has what is missing."""
    return rx.fragment(
        icon_box(rx.icon("key-round", size=28), size="xl"),
        rx.el.div(
            rx.el.h2(_("Your wallet is on another device"), class_name="wm-heading"),
            _told(
                _(
                    "This browser has no key to it, and none can be sent here. "
                    "Open the wallet on the other device, set a recovery password or add a passkey in its settings, "
                    "and come back with that."
                )
            ),
            _told(
                _(
                    "Do you use it in this browser, on another site? Choose Devices in the settings there, then Use on other sites."
                )
            ),
            class_name="wm-words",
            data_testid="recovery-none",
        ),
        _delete(),
    )


def _unknown() -> rx.Component:
    """Nobody could tell how the wallet is opened here."""
    return note(
        "cloud-off",
        _("Your wallet could not be reached"),
        EmbeddedState.error,
        try_again(EmbeddedState.retry, test_id="recovery-retry"),
        role="alert",
    )


def looking() -> rx.Component:
    """Something of the frame's is waited for."""
    return rx.el.div(spinner(), class_name="wm-looking", role="status", aria_label=_("Loading"))


@rx.memo
def recover_wallet_view() -> rx.Component:
    """RecoverWallet: the wallet exists, and this browser has no key to it."""
    return _part(
        rx.match(
            rx.cond(
                LostWalletState.question["id"],
                "recovering",
                rx.cond(PasskeysState.phase == "asking", "looking", EmbeddedState.phase),
            ),
            ("failed", not_connected()),
            (
                "idle",
                rx.cond(
                    EmbeddedState.ways.length() > 0,
                    _recovery(),
                    rx.cond(EmbeddedState.error != "", _unknown(), looking()),
                ),
            ),
            ("looking", looking()),
            ("none", _no_way()),
            secure_place(label=_("Your wallet")),
        ),
        login_question(),
        secure_ask(question=LostWalletState.question, sync=BridgeState.sync, on_answer=LostWalletState.on_answer),
        class_name=rx.cond(
            (EmbeddedState.phase == "recovering") | LostWalletState.question["id"], "wm-secure-body", "wm-centered"
        ),
        on_mount=EmbeddedState.find_ways,
    )
