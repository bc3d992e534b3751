"""A purchase under way. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.copy_button import copy_button
from walletmodal.components.ticker import ticker
from walletmodal.core.constants import PURCHASE_POLL
from walletmodal.core.language import _, pgettext
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.onramp.parts import provider_logo
from walletmodal.features.onramp.progress import ACTIVITY, PROVIDERS, PurchaseState
from walletmodal.features.onramp.styles import onramp_part
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import button, button_link, link
from walletmodal.ui.feedback import outlined
from walletmodal.ui.notes import note


def _words() -> rx.Component:
    failed = rx.fragment(
        rx.el.p(_("Buy failed"), class_name="wm-heading", data_tone="error", data_testid="onramp-buy-failed"),
        rx.el.p(
            rx.cond(
                PurchaseState.unknown,
                _(
                    "Whether it was paid could not be found out: the service that knows does not answer. Look at the provider before you pay again."
                ),
                _("Nothing was bought within three minutes: it was not finished, or the provider has declined it."),
            ),
            class_name="wm-text",
        ),
    )
    waiting = rx.fragment(
        rx.el.p(_("Buy in {provider}", provider=PurchaseState.label), class_name="wm-heading"),
        rx.el.p(
            rx.cond(
                PurchaseState.blocked,
                _("Your browser has blocked the provider's window. Open the page yourself:"),
                rx.cond(
                    PurchaseState.polls,
                    _("Pay in the window that has opened. This view tells you when it is done."),
                    _("Pay in the window that has opened. What you buy arrives in your account."),
                ),
            ),
            class_name="wm-text",
        ),
    )
    return rx.el.div(rx.cond(PurchaseState.phase == "failed", failed, waiting), class_name="wm-words", role="status")


def _page() -> rx.Component:
    """The provider's page, to be opened again, or elsewhere: the window may be blocked, closed, or lost behind others."""
    return rx.el.div(
        rx.cond(
            PurchaseState.url != "",
            button_link(
                _("Open the page"),
                PurchaseState.url,
                variant=rx.cond(PurchaseState.blocked, "main", "neutral"),
                data_testid="onramp-open-page",
            ),
            rx.fragment(),
        ),
        copy_button(
            rx.icon("copy", size=14, aria_hidden="true"),
            rx.el.span(_("Copy link")),
            text=PurchaseState.url,
            class_name="wm-chip",
            on_copied=PurchaseState.on_copied,
            data_testid="wui-link-copy",
        ),
        class_name="wm-onramp-actions",
    )


def _nothing() -> rx.Component:
    return note(
        "credit-card",
        _("Nothing is being bought"),
        _("Choose a provider first."),
        link(pgettext("button", "Buy"), on_click=ShellState.push(PROVIDERS)),
        data_testid="onramp-idle",
    )


@rx.memo
def buy_in_progress_view() -> rx.Component:
    """BuyInProgress: what to do until the purchase is in the account's history."""
    failed = PurchaseState.phase == "failed"
    visible = ShellState.open | EmbedState.embedded
    return onramp_part(
        rx.cond(
            PurchaseState.phase == "idle",
            _nothing(),
            rx.el.div(
                outlined(
                    provider_logo(PurchaseState.provider, "lg"),
                    running=(PurchaseState.phase == "waiting") & ~PurchaseState.blocked,
                    failed=failed,
                ),
                _words(),
                rx.cond(
                    failed,
                    rx.el.div(
                        button(
                            _("Try again"),
                            variant="accent",
                            icon=rx.icon("refresh-cw", size=14, aria_hidden="true"),
                            on_click=PurchaseState.try_again,
                            data_testid="w3m-connecting-widget-secondary-button",
                        ),
                        link(_("What you have bought"), on_click=ShellState.push(ACTIVITY)),
                        class_name="wm-onramp-actions",
                    ),
                    _page(),
                ),
                class_name="wm-centered",
            ),
        ),
        ticker(
            every=PURCHASE_POLL * 1000,
            active=(PurchaseState.phase == "waiting") & PurchaseState.polls & visible,
            on_tick=PurchaseState.poll,
        ),
    )
