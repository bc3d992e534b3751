"""Login with Farcaster: a code for a phone's app, or on the phone a link to it."""

from __future__ import annotations

from typing import Final

import reflex as rx

from walletmodal.components.copy_button import copy_button
from walletmodal.components.embedded import secure_ask, social_watch
from walletmodal.components.qr_code import qr_code
from walletmodal.core.language import _
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.embedded.frame_questions import offer_question
from walletmodal.features.embedded.passkeys import PasskeysState
from walletmodal.features.embedded.social import SocialState
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.ui.buttons import button, button_link
from walletmodal.ui.feedback import outlined, shimmer
from walletmodal.ui.images import picture
from walletmodal.ui.notes import note
from walletmodal.ui.styled import PANES, styled

_STYLES: Final = rx.asset("social.css", shared=True).importable_path
_LOGO: Final = "/socials/farcaster.svg"
_part: Final = styled(_STYLES, PANES)


def _mark(*, running: bool | rx.Var[bool] = False, failed: bool | rx.Var[bool] = False) -> rx.Component:
    return outlined(
        rx.el.span(rx.el.span(picture(_LOGO), class_name="wm-social-logo"), class_name="wm-social-large"),
        running=rx.Var.create(running),
        failed=rx.Var.create(failed),
    )


def _told(title: str | rx.Var[str], text: str | rx.Var[str], role: str = "status") -> rx.Component:
    return rx.el.div(
        rx.el.p(title, class_name="wm-heading"), rx.el.p(text, class_name="wm-text"), class_name="wm-words", role=role
    )


def _copy() -> rx.Component:
    return copy_button(
        rx.icon("copy", size=16, aria_hidden="true"),
        _("Copy link"),
        text=SocialState.link,
        class_name="wm-link",
        disabled=SocialState.link == "",
        on_copied=SocialState.on_copied,
        data_testid="copy-farcaster-uri",
    )


def _begin(label: str | rx.Var[str]) -> rx.Component:
    return button(label, variant="accent", on_click=SocialState.begin_farcaster, data_testid="farcaster-begin")


def _code() -> rx.Component:
    ready = SocialState.link != ""
    return rx.fragment(
        rx.el.div(
            rx.cond(
                ready,
                qr_code(uri=SocialState.link, alt=_("Code for Farcaster's app"), logo=_LOGO),
                shimmer("100%", "100%"),
            ),
            class_name="wm-farcaster-code",
        ),
        rx.el.div(
            rx.el.p(_("Scan this QR Code with your phone"), class_name="wm-heading"),
            rx.el.p(
                rx.cond(ready, _("Then accept the request in Farcaster."), _("The code is on its way.")),
                class_name="wm-text",
                role="status",
            ),
            class_name="wm-words",
        ),
        _copy(),
    )


def _app() -> rx.Component:
    return rx.fragment(
        _mark(running=True),
        _told(_("Continue in Farcaster"), _("Accept the request that the app shows you.")),
        rx.cond(
            SocialState.link == "",
            button(_("Open Farcaster"), loading=True),
            button_link(_("Open Farcaster"), SocialState.link, variant="accent", data_testid="farcaster-open-app"),
        ),
        _copy(),
    )


def _failed() -> rx.Component:
    expired = SocialState.expired
    return rx.fragment(
        _mark(failed=~expired),
        rx.el.div(
            _told(
                rx.cond(expired, _("The code has expired"), _("You are not logged in")),
                rx.cond(SocialState.error != "", SocialState.error, EmbeddedState.error),
                role="alert",
            ),
            data_testid="farcaster-error",
        ),
        _begin(rx.cond(expired, _("New code"), _("Try again"))),
    )


@rx.memo
def connecting_farcaster_view() -> rx.Component:
    """ConnectingFarcaster: somebody accepts in Farcaster's app, or has not."""
    failed = (SocialState.error != "") | (EmbeddedState.phase == "failed")
    loading = (EmbeddedState.phase == "connecting") | (PasskeysState.phase == "asking")
    begun = (SocialState.link != "") | (SocialState.question.length() > 0)
    return _part(
        rx.cond(
            failed,
            _failed(),
            rx.cond(
                loading,
                rx.fragment(_mark(running=True), _told(_("Loading user data"), _("This takes a moment."))),
                rx.cond(
                    begun,
                    rx.cond(SocialState.phone, _app(), _code()),
                    note("users", _("No login is on its way"), _("Begin with Farcaster."), _begin(_("Use Farcaster"))),
                ),
            ),
        ),
        social_watch(rx.fragment(), attempt=SocialState.attempt),
        secure_ask(question=SocialState.question, sync=BridgeState.sync, on_answer=SocialState.on_answer),
        offer_question(),
        class_name="wm-centered",
        data_pad=rx.cond(SocialState.phone, "", "pane"),
    )
