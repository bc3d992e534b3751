"""Choosing a name for an account. A module of its own, because it is done once or never."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.core.language import _, pgettext
from walletmodal.core.text.texts import NAME_REGISTERED
from walletmodal.features.account.active import active_var
from walletmodal.features.names.state import MAX_TYPED, NamesState
from walletmodal.ui.buttons import button, link, text_link
from walletmodal.ui.feedback import spinner, tag
from walletmodal.ui.images import icon_box
from walletmodal.ui.inputs import INPUTS
from walletmodal.ui.notes import try_again
from walletmodal.ui.styled import styled

_part: Final = styled(rx.asset("names.css", shared=True).importable_path, INPUTS)
_ABOUT_NAMES: Final = "https://docs.ens.domains/learn/protocol"
_NOTE: Final = "wm-name-note"
_SUBMIT: Final = "wm-register-name"

# A form would do the same, at the price of its code in the page's first scripts.
_ENTER: Final[rx.Var[str]] = rx.Var(
    "(event) => { if (event.key === 'Enter' && !event.nativeEvent.isComposing) {"
    f" event.preventDefault(); document.getElementById('{_SUBMIT}').click(); }} }}"
)


def _text_link(label: str) -> rx.Component:
    return rx.el.p(text_link(label, rx.Var.create(_ABOUT_NAMES)), class_name="wm-text")


@rx.memo
def choose_account_name_view() -> rx.Component:
    """ChooseAccountName: what a name is good for."""
    return _part(
        icon_box(rx.icon("id-card", size=28), size="xl", tone="accent"),
        rx.el.div(
            rx.el.h2(_("Choose your account name"), class_name="wm-heading"),
            rx.el.p(
                _(
                    "Nobody remembers 0x and forty characters. With a name, people know who you are, and can send to you by it."
                ),
                class_name="wm-text",
            ),
            class_name="wm-words",
        ),
        button(_("Choose name"), on_click=NamesState.open_form, data_testid="choose-name-button"),
        _text_link(_("Learn more about names")),
        class_name="wm-centered",
    )


def _field() -> rx.Component:
    # A label, so that pressing the zone leads into the field too.
    return rx.el.label(
        rx.el.input(
            key="name-" + NamesState.filled.to_string(),
            placeholder=_("Type a name"),
            aria_label=_("Account name, without .{zone}", zone=NamesState.zone),
            aria_invalid=rx.cond(NamesState.note != "", "true", "false"),
            aria_describedby=_NOTE,
            default_value=NamesState.typed,
            type="text",
            auto_complete="off",
            auto_capitalize="none",
            auto_correct="off",
            spell_check=False,
            enter_key_hint="go",
            max_length=MAX_TYPED,
            class_name="wm-input",
            disabled=NamesState.phase != "idle",
            on_change=NamesState.type_name,
            custom_attrs={"onKeyDown": _ENTER},
        ),
        rx.el.span("." + NamesState.zone, class_name="wm-name-zone", aria_hidden="true"),
        class_name="wm-name-field",
        data_testid="wui-ens-input",
    )


def _row(label: rx.Var[str], *end: rx.Component, **props: Any) -> rx.Component:
    return rx.el.button(
        rx.el.span(
            rx.el.span(label),
            rx.el.span("." + NamesState.zone, class_name="wm-name-zone"),
            class_name="wm-name",
            title=label.to(str) + "." + NamesState.zone,
        ),
        *end,
        type="button",
        class_name="wm-row",
        data_testid="account-name-suggestion",
        **props,
    )


def _own_row() -> rx.Component:
    """The name that was typed, and whether it can be had; pressing it registers it."""
    found = rx.match(
        NamesState.check,
        ("available", tag(_("Available"), "success")),
        ("registered", tag(_("Registered"), "shade")),
        rx.fragment(spinner(), rx.el.span(_("Looking it up"), class_name="wm-hidden")),
    )
    return rx.cond(
        (NamesState.label != "") & (NamesState.check != "failed") & (NamesState.check != ""),
        _row(
            NamesState.label,
            rx.cond(NamesState.phase == "idle", found, spinner()),
            disabled=(NamesState.check != "available") | (NamesState.phase != "idle"),
            on_click=NamesState.register(NamesState.label),
        ),
        rx.fragment(),
    )


def _suggestion(label: rx.Var[str]) -> rx.Component:
    return _row(label, tag(_("Available"), "success"), on_click=NamesState.choose(label), key=label)


def _suggestions() -> rx.Component:
    return rx.cond(
        NamesState.suggestions.length() > 0,
        rx.fragment(
            rx.el.h2(_("These are free"), class_name="wm-name-heading"),
            rx.el.div(rx.foreach(NamesState.suggestions, _suggestion), class_name="wm-stack"),
        ),
        rx.fragment(),
    )


def _progress() -> rx.Component:
    """What is being waited for, there all along so that a screen reader hears what comes into it."""
    said = rx.match(
        NamesState.phase,
        ("signing", _("Your wallet shows you the name. Sign it there: it costs nothing.")),
        ("registering", _("The name is being registered.")),
        "",
    )
    name = NamesState.label + "." + NamesState.zone
    heard = rx.match(
        NamesState.check,
        ("available", _("{name} is available", name=name)),
        ("registered", _("{name} is registered already", name=name)),
        "",
    )
    return rx.fragment(
        rx.el.p(
            said, class_name="wm-name-note", data_tone="plain", role="status", data_testid="register-name-progress"
        ),
        rx.el.span(rx.cond(NamesState.phase == "idle", heard, ""), class_name="wm-hidden", role="status"),
    )


@rx.memo
def register_account_name_view() -> rx.Component:
    """RegisterAccountName: the name, whether it can be had, and others that can."""
    return _part(
        _field(),
        rx.el.p(NamesState.note, id=_NOTE, role="status", class_name="wm-name-note", data_testid="register-name-note"),
        rx.cond(
            NamesState.check == "failed",
            rx.el.div(try_again(NamesState.retry, test_id="register-name-retry"), class_name="wm-beside"),
            rx.fragment(),
        ),
        _own_row(),
        _suggestions(),
        _progress(),
        button(
            rx.match(
                NamesState.phase,
                ("signing", _("Waiting for your wallet")),
                ("registering", _("Registering...")),
                _("Register name"),
            ),
            size="lg",
            wide=True,
            disabled=(NamesState.check != "available") | (NamesState.phase != "idle"),
            on_click=NamesState.register(NamesState.label),
            id=_SUBMIT,
            data_testid="register-name-submit",
        ),
        rx.cond(
            NamesState.phase == "signing",
            rx.el.div(
                link(pgettext("button", "Cancel"), on_click=NamesState.cancel, data_testid="register-name-cancel"),
                class_name="wm-beside",
            ),
            rx.fragment(),
        ),
        class_name="wm-names",
        on_mount=NamesState.on_shown,
    )


@rx.memo
def register_account_name_success_view() -> rx.Component:
    """RegisterAccountNameSuccess: the name that the account has now."""
    name = rx.cond(NamesState.done != "", NamesState.done, active_var("profile_name"))
    return _part(
        icon_box(rx.icon("check", size=28), size="xl"),
        rx.el.div(
            rx.el.h2(NAME_REGISTERED, class_name="wm-heading"),
            rx.el.p(name, class_name="wm-address", title=name, data_testid="registered-name"),
            rx.el.p(_("Your account goes by it from now on, and people can send to it."), class_name="wm-text"),
            class_name="wm-words",
        ),
        button(_("Let's Go!"), on_click=NamesState.finish, data_testid="register-name-finish"),
        _text_link(_("Learn more")),
        class_name="wm-centered wm-name-success",
    )
