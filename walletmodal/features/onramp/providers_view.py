"""The providers. A module of its own, because it is rarely seen."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.language.sentence import sentence
from walletmodal.components.popup_button import popup_button
from walletmodal.core.language import _
from walletmodal.features.onramp.buyer import Offer
from walletmodal.features.onramp.parts import example_tag, provider_logo
from walletmodal.features.onramp.progress import PurchaseState
from walletmodal.features.onramp.state import BuyState
from walletmodal.features.onramp.styles import onramp_part
from walletmodal.features.shell.state import ShellState
from walletmodal.ui.buttons import link
from walletmodal.ui.feedback import separator, spinner
from walletmodal.ui.images import network_image
from walletmodal.ui.notes import note, try_again
from walletmodal.ui.own_parts import around
from walletmodal.ui.rows import list_item

_WIDTH, _HEIGHT = 600, 800


def _choice(text: rx.Var[str], invitation: str, view: str, test_id: str) -> rx.Component:
    return rx.el.button(
        rx.el.span(text),
        rx.icon("chevron-down", size=14, aria_hidden="true"),
        rx.el.span(invitation, class_name="wm-hidden"),
        type="button",
        class_name="wm-chip",
        on_click=ShellState.push(view),
        data_testid=test_id,
    )


def _quote() -> rx.Component:
    """What the amount buys: a service's figure, or that there is none."""
    return rx.el.div(
        rx.match(
            BuyState.quote,
            (
                "known",
                rx.el.p(
                    sentence(_("You get about {amount}"), amount=rx.el.strong(BuyState.gets)),
                    class_name="wm-onramp-line",
                ),
            ),
            (
                "example",
                rx.el.p(
                    example_tag(),
                    rx.el.strong(BuyState.gets),
                    rx.el.span(_("No service tells a price here. The provider's page does.")),
                    class_name="wm-onramp-line",
                ),
            ),
            (
                "unavailable",
                rx.el.p(
                    rx.cond(
                        BuyState.problem != "", BuyState.problem, _("No price is known: the provider's page tells it.")
                    ),
                    class_name="wm-onramp-line",
                ),
            ),
            rx.fragment(),
        ),
        role="status",
        data_testid="onramp-quote",
        data_kind=BuyState.quote,
    )


def _order() -> rx.Component:
    # Translators: follows the name of the token, for those who cannot see that it is a button
    token = _choice(BuyState.token, _(", choose another token"), "OnRampTokenSelect", "onramp-token")
    # Translators: follows the name of the currency, for those who cannot see that it is a button
    currency = _choice(BuyState.currency, _(", choose another currency"), "OnRampFiatSelect", "onramp-currency")
    return rx.el.div(
        rx.el.div(
            rx.cond(
                BuyState.amount != "",
                sentence(
                    _("Buy {token} for {amount} {currency}"),
                    token=token,
                    amount=rx.el.strong(BuyState.amount, data_testid="onramp-amount"),
                    currency=currency,
                ),
                sentence(_("Buy {token} with {currency}"), token=token, currency=currency),
            ),
            class_name="wm-onramp-line",
        ),
        _quote(),
        rx.cond(
            BuyState.host != "",
            rx.el.p(
                rx.icon("info", size=14, aria_hidden="true"),
                rx.el.span(sentence(_("Filled in by {page}"), page=rx.el.strong(BuyState.host))),
                class_name="wm-onramp-line",
                data_testid="onramp-filled-in",
            ),
            rx.fragment(),
        ),
        class_name="wm-onramp-wish",
    )


def _facts(offer: rx.Var[Offer]) -> rx.Component:
    return rx.el.span(
        rx.el.span(_("Fees {fees}", fees=offer["fees"])),
        rx.icon("landmark", size=14, aria_hidden="true"),
        rx.icon("credit-card", size=14, aria_hidden="true"),
        rx.el.span(_(", bank account or card"), class_name="wm-hidden"),
        rx.cond(offer["note"] != "", rx.el.span(offer["note"]), rx.fragment()),
        rx.cond(
            offer["failed"],
            rx.el.span(_("Not available right now"), data_testid="onramp-provider-failed"),
            rx.fragment(),
        ),
        class_name="wm-onramp-facts",
    )


def _offer(offer: rx.Var[Offer]) -> rx.Component:
    return popup_button(
        provider_logo(offer["id"]),
        rx.el.span(
            rx.el.span(offer["label"], class_name="wm-onramp-name"), _facts(offer), class_name="wm-onramp-words"
        ),
        rx.el.span(
            rx.foreach(offer["networks"], lambda source: network_image(source, "xs")),
            class_name="wm-onramp-networks",
            aria_hidden="true",
        ),
        rx.cond(
            offer["url"] != "",
            rx.icon("external-link", size=16, class_name="wm-row-chevron", aria_hidden="true"),
            rx.cond(offer["failed"], rx.fragment(), spinner()),
        ),
        rx.el.span(" ", _("(opens a window)"), class_name="wm-hidden"),
        href=offer["url"],
        width=_WIDTH,
        height=_HEIGHT,
        on_opened=lambda ok: BuyState.on_opened(offer["id"], ok),
        class_name="wm-row",
        custom_attrs={"data-kind": "provider", "data-testid": "onramp-provider-" + offer["id"].to(str)},
        key=offer["id"],
    )


def _begun() -> rx.Component:
    """The way back to a purchase that was begun."""
    return rx.cond(
        PurchaseState.here & (PurchaseState.phase != "idle"),
        list_item(
            _("Your purchase at {provider}", provider=PurchaseState.label),
            rx.icon("clock", size=16),
            on_click=PurchaseState.open_progress,
            data_testid="onramp-begun",
        ),
        rx.fragment(),
    )


def _none() -> rx.Component:
    return note(
        "credit-card",
        _("Nothing can be bought on this network"),
        _("Choose another network, or receive funds from another wallet."),
        role="status",
        data_testid="onramp-none",
    )


@rx.memo
def on_ramp_providers_view() -> rx.Component:
    """OnRampProviders: where something can be bought."""
    return onramp_part(
        rx.cond(
            BuyState.phase == "none",
            _none(),
            rx.fragment(
                rx.el.div(
                    rx.cond(BuyState.choosable, _order(), rx.fragment()),
                    _begun(),
                    *around("OnRampProviders", "providers", rx.foreach(BuyState.offers, _offer)),
                    rx.cond(
                        BuyState.failed,
                        rx.el.div(
                            try_again(BuyState.load, test_id="onramp-retry"), class_name="wm-centered", data_pad="note"
                        ),
                        rx.fragment(),
                    ),
                    class_name="wm-stack",
                ),
                separator(),
                rx.el.div(
                    rx.el.p(
                        _("You pay on the provider's own page. What you enter there never comes here."),
                        class_name="wm-text",
                    ),
                    link(
                        _("How does it work?"),
                        icon=rx.icon("circle-help", size=14, aria_hidden="true"),
                        on_click=BuyState.open_explanation,
                        data_testid="onramp-how-it-works",
                    ),
                    class_name="wm-centered",
                    data_pad="note",
                ),
            ),
        ),
        on_mount=BuyState.on_shown,
    )
