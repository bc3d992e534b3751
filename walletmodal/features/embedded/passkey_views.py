"""Passkeys: the list of the account's settings, the offer after a login, and a login by one. A module of its own, because it is rarely seen."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.embedded import secure_ask, secure_place
from walletmodal.core.language import _, pgettext
from walletmodal.core.wallets.passkeys import MOST_LISTED
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.frame_questions import login_question
from walletmodal.features.embedded.passkeys import PasskeyRow, PasskeysState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.embedded.views import looking, not_connected
from walletmodal.ui.buttons import button
from walletmodal.ui.images import icon_box
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.notes import list_unavailable, note
from walletmodal.ui.rows import list_item, owned_lines, row_skeleton
from walletmodal.ui.styled import ACCOUNT, styled

_part: Final = styled(ACCOUNT, INPUTS)


def _ask() -> rx.Component:
    return secure_ask(question=PasskeysState.question, sync=BridgeState.sync, on_answer=PasskeysState.on_answer)


def _error() -> rx.Component:
    return rx.cond(
        PasskeysState.error != "",
        rx.el.p(PasskeysState.error, class_name="wm-otp-error", role="alert", data_testid="passkeys-error"),
        rx.fragment(),
    )


def _place() -> rx.Component:
    return secure_place(label=_("Your new passkey"))


def _end(row: rx.Var[PasskeyRow]) -> rx.Component:
    """The end of one passkey: asked for, then confirmed in the same place."""
    return rx.cond(
        PasskeysState.chosen == row["id"],
        button(
            pgettext("button", "Confirm"),
            variant="accent-error",
            aria_label=_("Confirm: remove the passkey of {name}", name=row["name"]),
            on_click=PasskeysState.remove,
            data_testid="passkey-remove-confirm",
        ),
        button(
            pgettext("button", "Remove"),
            variant="accent",
            aria_label=_("Remove the passkey of {name}", name=row["name"]),
            disabled=PasskeysState.phase == "removing",
            on_click=PasskeysState.choose(row["id"]),
            data_testid="passkey-remove",
        ),
    )


def _passkey(row: rx.Var[PasskeyRow]) -> rx.Component:
    return rx.el.li(
        icon_box(rx.icon("key-round", size=16, aria_hidden="true"), tone="accent"),
        owned_lines(row["name"], row["site"], row["seen"]),
        _end(row),
        class_name="wm-row",
        data_kind="address",
        data_testid="passkey-item",
        key=row["id"],
    )


def _add_row() -> rx.Component:
    return rx.cond(
        PasskeysState.rows.length() < MOST_LISTED,
        list_item(
            _("Add a passkey"),
            rx.icon("plus", size=16),
            on_click=PasskeysState.add,
            data_testid="passkey-add",
        ),
        rx.fragment(),
    )


def _list() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.ul(rx.foreach(PasskeysState.rows, _passkey), class_name="wm-stack wm-owned"),
            class_name="wm-scroll",
            data_height="list",
        ),
        rx.el.div(_error(), class_name="wm-owned-error"),
        rx.el.div(_add_row(), class_name="wm-stack"),
    )


def _none() -> rx.Component:
    return rx.el.div(
        icon_box(rx.icon("key-round", size=28), size="xl", tone="accent"),
        rx.el.div(
            rx.el.h2(_("No passkey yet"), class_name="wm-heading"),
            rx.el.p(
                _(
                    "A passkey opens your wallet on another device by your fingerprint, face or PIN, without a code by mail."
                ),
                class_name="wm-text",
            ),
            class_name="wm-words",
        ),
        _error(),
        button(_("Add a passkey"), size="lg", wide=True, on_click=PasskeysState.add, data_testid="passkey-add"),
        class_name="wm-centered",
    )


@rx.memo
def passkeys_view() -> rx.Component:
    """Passkeys: those of the embedded wallet."""
    failed = list_unavailable(PasskeysState.load, test_id="passkeys-retry")
    loading = rx.el.div(row_skeleton("120px", image="round"), class_name="wm-stack")
    return _part(
        rx.match(
            PasskeysState.phase,
            ("loading", loading),
            ("failed", failed),
            ("adding", _place()),
            rx.cond(PasskeysState.rows.length() > 0, _list(), _none()),
        ),
        _ask(),
        class_name=rx.cond(PasskeysState.phase == "adding", "wm-secure-body", ""),
        on_mount=PasskeysState.load,
    )


def _offer() -> rx.Component:
    return rx.fragment(
        icon_box(rx.icon("fingerprint-pattern", size=28), size="xl", tone="accent"),
        rx.el.div(
            rx.el.h2(_("Open your wallet everywhere"), class_name="wm-heading"),
            rx.el.p(
                _(
                    "With a passkey your fingerprint, face or PIN opens this wallet on a new device. "
                    "Without one you need a code by mail each time."
                ),
                class_name="wm-text",
            ),
            class_name="wm-words",
        ),
        _error(),
        button(_("Add a passkey"), size="lg", wide=True, on_click=PasskeysState.add, data_testid="passkey-add"),
        button(
            _("Not now"),
            variant="neutral",
            size="lg",
            wide=True,
            on_click=PasskeysState.skip,
            data_testid="passkey-skip",
        ),
    )


@rx.memo
def add_passkey_view() -> rx.Component:
    """AddPasskey: the offer right after a login."""
    return _part(
        rx.match(PasskeysState.phase, ("adding", _place()), ("asking", looking()), _offer()),
        _ask(),
        class_name=rx.cond(PasskeysState.phase == "adding", "wm-secure-body", "wm-centered"),
    )


def _log_in(label: str) -> rx.Component:
    return button(label, variant="accent", on_click=EmbeddedState.begin_passkey, data_testid="passkey-login-retry")


@rx.memo
def connecting_passkey_view() -> rx.Component:
    """ConnectingPasskey: the frame asks for a passkey to log in with."""
    asks = EmbeddedState.question["type"] == "CONNECT_PASSKEY"
    return _part(
        rx.cond(
            EmbeddedState.phase == "failed",
            not_connected(),
            rx.cond(
                EmbeddedState.error != "",
                rx.el.div(
                    note("key-round", _("You are not logged in"), EmbeddedState.error, _log_in(_("Try again"))),
                    role="alert",
                    data_testid="passkey-login-error",
                ),
                rx.cond(
                    EmbeddedState.phase == "connecting",
                    looking(),
                    rx.cond(
                        asks,
                        secure_place(label=_("Your passkey")),
                        note(
                            "key-round",
                            _("No login is on its way"),
                            _("Begin with your passkey."),
                            _log_in(_("Use a passkey")),
                        ),
                    ),
                ),
            ),
        ),
        login_question(),
        class_name=rx.cond(asks, "wm-secure-body", "wm-centered"),
    )
