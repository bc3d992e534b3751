"""Login with an account at a provider: its buttons in Connect, all of them, and the wait for its window."""

from __future__ import annotations

from typing import Any, Final

import reflex as rx

from walletmodal.components.embedded import passkey_button, secure_ask, social_button, social_watch
from walletmodal.core.language import _
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.email_view import email_block, login_lost
from walletmodal.features.embedded.frame_questions import offer_question
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.social import FARCASTER, SocialState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button_link
from walletmodal.ui.feedback import outlined
from walletmodal.ui.images import icon_box, picture
from walletmodal.ui.notes import note
from walletmodal.ui.styled import styled

_STYLES: Final = rx.asset("social.css", shared=True).importable_path
_part: Final = styled(_STYLES)
_NAMES: Final = (
    *(("google", "Google"), ("x", "X"), ("discord", "Discord"), ("github", "GitHub"), ("apple", "Apple")),
    *(("facebook", "Facebook"), ("farcaster", "Farcaster")),
)

_HAS_ROW: Final = SocialState.offered.length() > SocialState.logos.length()
SOCIAL_HEIGHT: Final = rx.cond(_HAS_ROW, rx.cond(SocialState.logos.length() > 0, [44, 48], [44]), [42])
"""Of what stands in the place of the providers until the script has come (px): the first in a row, the others below it, or those alone."""


def _name(provider: rx.Var[str]) -> rx.Var[str]:
    return rx.match(provider, *_NAMES, provider).to(str)


def _logo(provider: rx.Var[str]) -> rx.Component:
    return rx.el.span(picture("/socials/" + provider + ".svg"), class_name="wm-social-logo")


def _begins(provider: rx.Var[str], *children: rx.Component, **props: Any) -> rx.Component:
    test_id = "social-selector-" + provider
    return rx.cond(
        provider == FARCASTER,
        # No window: a phone's app is asked.
        rx.el.button(*children, type="button", on_click=SocialState.begin_farcaster, data_testid=test_id, **props),
        social_button(
            *children,
            site=SocialState.site,
            provider=provider,
            back=SocialState.back,
            on_begun=SocialState.begin,
            data_testid=test_id,
            **props,
        ),
    )


def _row(provider: rx.Var[str], label: str | rx.Var[str]) -> rx.Component:
    return _begins(provider, _logo(provider), rx.el.span(label, class_name="wm-row-label"), class_name="wm-row")


def _tile(provider: rx.Var[str]) -> rx.Component:
    return _begins(
        provider,
        _logo(provider),
        class_name="wm-social-tile",
        aria_label=_("Continue with {provider}", provider=_name(provider)),
        key=provider,
    )


@rx.memo
def social_block() -> rx.Component:
    """The ways in by a provider."""
    return _part(
        # Beside an address, which stands there otherwise.
        rx.cond(EmbeddedState.offered, rx.fragment(), login_lost()),
        rx.cond(
            _HAS_ROW,
            _row(SocialState.offered[0], _("Continue with {provider}", provider=_name(SocialState.offered[0]))),
            rx.fragment(),
        ),
        rx.cond(
            SocialState.logos.length() > 0,
            rx.el.div(
                rx.foreach(SocialState.logos, _tile),
                rx.cond(
                    _HAS_ROW & (SocialState.offered.length() > SocialState.logos.length() + 1),
                    rx.el.button(
                        rx.icon("ellipsis", size=20, aria_hidden="true"),
                        type="button",
                        class_name="wm-social-tile",
                        aria_label=_("All socials"),
                        on_click=ShellState.push("ConnectSocials"),
                        data_testid="social-selector-more",
                    ),
                    rx.fragment(),
                ),
                class_name="wm-social-tiles",
            ),
            rx.fragment(),
        ),
        class_name="wm-social-block",
        data_testid="w3m-social-login-widget",
    )


def _passkey_row() -> rx.Component:
    return passkey_button(
        icon_box(rx.icon("key-round", size=20, aria_hidden="true"), size="lg", tone="accent"),
        rx.el.span(_("Continue with a passkey"), class_name="wm-row-label"),
        class_name="wm-row",
        on_click=EmbeddedState.begin_passkey,
        data_testid="passkey-login-button",
    )


@rx.memo
def login_block(name: rx.Var[str]) -> rx.Component:
    """One of the ways in by the secure site: `email`, `social` or `passkey`."""
    return rx.match(name, ("email", email_block()), ("passkey", _passkey_row()), social_block())


@rx.memo
def connect_socials_view() -> rx.Component:
    """ConnectSocials: every provider."""
    return rx.cond(
        SocialState.offered.length() > 0,
        _part(
            rx.foreach(SocialState.offered, lambda one: rx.el.div(_row(one, _name(one)), key=one)),
            class_name="wm-rows wm-social-all",
        ),
        note("users", _("No social logins"), _("This site does not offer any.")),
    )


def _waiting() -> rx.Component:
    link = SocialState.site + "/oauth/go/" + SocialState.provider + "/" + SocialState.attempt
    return rx.fragment(
        rx.el.p(
            rx.cond(
                (EmbeddedState.phase == "connecting") | (PasskeysState.phase == "asking"),
                _("Retrieving user data"),
                rx.cond(
                    SocialState.blocked,
                    _("Your browser has blocked the window"),
                    rx.cond(
                        SocialState.left,
                        _("You are led to the provider's page"),
                        rx.cond(
                            SocialState.back != "",
                            _("Retrieving user data"),
                            rx.cond(
                                SocialState.resumed,
                                _("This page was loaded anew. If the provider's window is still open, go on there."),
                                _("Continue in the provider's window"),
                            ),
                        ),
                    ),
                ),
            ),
            class_name="wm-text",
        ),
        rx.cond(
            SocialState.blocked & (SocialState.question.length() > 0),
            rx.el.div(
                rx.cond(
                    SocialState.site != "",
                    button_link(_("Open it in a tab"), link, variant="accent", data_testid="social-open"),
                    _again(_("Open it again")),
                ),
                class_name="wm-social-open",
            ),
            rx.fragment(),
        ),
    )


def _again(label: str) -> rx.Component:
    return _begins(
        SocialState.provider,
        rx.el.span(label, class_name="wm-button-label"),
        class_name="wm-button",
        data_variant="accent",
    )


@rx.memo
def connecting_social_view() -> rx.Component:
    """ConnectingSocial: somebody logs in in another window, or has not."""
    failed = (SocialState.error != "") | (EmbeddedState.phase == "failed")
    return rx.cond(
        (SocialState.attempt == "") & (SocialState.question.length() == 0) & ~failed,
        note("users", _("No login is on its way"), _("Choose how to log in first.")),
        _part(
            outlined(
                rx.el.span(_logo(SocialState.provider), class_name="wm-social-large"), running=~failed, failed=failed
            ),
            rx.el.div(
                rx.el.p(_("Log in with {provider}", provider=_name(SocialState.provider)), class_name="wm-heading"),
                rx.cond(
                    failed,
                    rx.el.p(
                        rx.cond(SocialState.error != "", SocialState.error, EmbeddedState.error),
                        class_name="wm-text",
                        data_testid="social-error",
                    ),
                    _waiting(),
                ),
                class_name="wm-words",
                role="status",
            ),
            rx.cond(
                SocialState.resumed & ~failed & (SocialState.question.length() > 0),
                # Whether that window is there cannot be seen from here any more.
                _again(_("Begin again")),
                rx.fragment(),
            ),
            rx.cond(
                failed,
                _again(_("Try again")),
                rx.cond(
                    SocialState.left,
                    _again(_("Open it again")),
                    social_watch(
                        rx.el.p(
                            _("The window seems to be closed. If you have finished there, wait a moment."),
                            class_name="wm-text",
                            data_testid="social-closed",
                        ),
                        _again(_("Open it again")),
                        attempt=SocialState.attempt,
                    ),
                ),
            ),
            secure_ask(question=SocialState.question, sync=BridgeState.sync, on_answer=SocialState.on_answer),
            offer_question(),
            class_name="wm-centered",
        ),
    )
