"""The checkbox and the footer with the host's terms and privacy policy."""

from __future__ import annotations

import reflex as rx

from walletmodal.components.language.sentence import sentence
from walletmodal.core.language import _, pgettext
from walletmodal.features.connect.legal import LegalState
from walletmodal.ui.buttons import text_link
from walletmodal.ui.inputs import checkbox


def _terms(name: str) -> rx.Component:
    return text_link(name, LegalState.terms)


def _privacy(name: str) -> rx.Component:
    return text_link(name, LegalState.privacy)


def _around_links(both: rx.Component, terms: rx.Component, privacy: rx.Component) -> rx.Component:
    """The sentence about those documents that there are."""
    return rx.cond(LegalState.terms != "", rx.cond(LegalState.privacy != "", both, terms), privacy)


def legal_checkbox() -> rx.Component:
    """What is to be agreed to before anything can be chosen."""
    # Translators: in the place of {terms} and {privacy} of `I agree to our {terms} and {privacy}`
    terms, privacy = pgettext("I agree to our", "terms of service"), pgettext("I agree to our", "privacy policy")
    return rx.cond(
        LegalState.asks,
        checkbox(
            _around_links(
                sentence(_("I agree to our {terms} and {privacy}"), terms=_terms(terms), privacy=_privacy(privacy)),
                sentence(_("I agree to our {terms}"), terms=_terms(terms)),
                sentence(_("I agree to our {privacy}"), privacy=_privacy(privacy)),
            ),
            checked=LegalState.agreed,
            on_change=LegalState.agree,
            at_once=True,
            data_testid="w3m-legal-checkbox",
        ),
        rx.fragment(),
    )


def legal_footer() -> rx.Component:
    """What goes without saying, said where the checkbox does not."""
    # Translators: in the place of {terms} and {privacy} of `Connecting a wallet means that you accept our {terms} and {privacy}.`
    terms, privacy = pgettext("you accept our", "Terms of Service"), pgettext("you accept our", "Privacy Policy")
    return rx.cond(
        ~LegalState.asks & ((LegalState.terms != "") | (LegalState.privacy != "")),
        rx.el.p(
            _around_links(
                sentence(
                    _("Connecting a wallet means that you accept our {terms} and {privacy}."),
                    terms=_terms(terms),
                    privacy=_privacy(privacy),
                ),
                sentence(_("Connecting a wallet means that you accept our {terms}."), terms=_terms(terms)),
                sentence(_("Connecting a wallet means that you accept our {privacy}."), privacy=_privacy(privacy)),
            ),
            class_name="wm-legal",
            data_testid="w3m-legal-footer",
        ),
        rx.fragment(),
    )


def behind_the_checkbox(*children: rx.Component) -> rx.Component:
    """Pale, and out of reach for pointer, keyboard and screen reader, until the box is ticked."""
    waits = LegalState.asks & ~LegalState.agreed
    return rx.el.div(*children, class_name="wm-agreed", data_waits=waits.to_string(), custom_attrs={"inert": waits})
