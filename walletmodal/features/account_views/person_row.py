"""Who is logged in, of the embedded wallet."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.core.language import _
from walletmodal.core.wallets.connectors import AUTH_ID
from walletmodal.features.account.active import active_var
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.images import icon_box, picture

_NAMES: Final = (
    *(("google", "Google"), ("x", "X"), ("discord", "Discord"), ("farcaster", "Farcaster"), ("github", "GitHub")),
    *(("apple", "Apple"), ("facebook", "Facebook")),
)


def _image(login: rx.Var[str]) -> rx.Component:
    return rx.match(
        login,
        ("email", icon_box(rx.icon("mail", size=16, aria_hidden="true"), tone="accent")),
        ("passkey", icon_box(rx.icon("key-round", size=16, aria_hidden="true"), tone="accent")),
        rx.el.span(picture("/socials/" + login + ".svg"), class_name="wm-icon-box wm-person-logo", aria_hidden="true"),
    )


def _words(login: rx.Var[str], label: rx.Var[str]) -> rx.Component:
    provider = rx.match(login, *_NAMES, _("an account")).to(str)
    return rx.el.span(
        rx.el.span(
            rx.cond(label, label, rx.match(login, *_NAMES, ("passkey", _("Passkey")), _("Account"))),
            title=label,
            data_testid="account-person",
        ),
        rx.el.span(
            rx.match(
                login,
                ("email", _("Logged in by email")),
                ("passkey", _("Logged in with a passkey")),
                _("Logged in with {provider}", provider=provider),
            ),
            class_name="wm-row-detail",
        ),
        class_name="wm-row-label wm-row-lines",
    )


def person_row() -> rx.Component:
    """Who is logged in, by what; an address leads to its change, one of a provider is the provider's."""
    person = EmbeddedState.person
    login, label = person["login"], person["label"]
    row = (_image(login), _words(login, label))
    editable = rx.el.button(
        *row,
        rx.icon("chevron-right", size=16, class_name="wm-row-chevron", aria_hidden="true"),
        type="button",
        class_name="wm-row",
        data_kind="item",
        on_click=ShellState.push("UpdateEmailWallet"),
        data_testid="w3m-account-email-update",
    )
    named = rx.el.div(*row, class_name="wm-row", data_kind="item", data_testid="account-social")
    own = ((login == "email") | (login == "passkey")) & (person["email"] != "")
    shown = rx.cond(login, rx.cond(own, editable, named), rx.fragment())
    return rx.cond(active_var("connector") == AUTH_ID, shown, rx.fragment())
