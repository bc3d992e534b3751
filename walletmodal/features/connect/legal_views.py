"""The checkbox and the footer with the host's terms and privacy policy."""

from __future__ import annotations

import reflex as rx

from walletmodal.features.connect.legal import LegalState
from walletmodal.ui.buttons import text_link
from walletmodal.ui.inputs import checkbox


def _documents(terms: str, privacy: str) -> rx.Component:
    """The links that there are, with 'and' between two."""
    return rx.fragment(
        rx.cond(LegalState.terms != "", text_link(terms, LegalState.terms), rx.fragment()),
        rx.cond((LegalState.terms != "") & (LegalState.privacy != ""), " and ", ""),
        rx.cond(LegalState.privacy != "", text_link(privacy, LegalState.privacy), rx.fragment()),
    )


def legal_checkbox() -> rx.Component:
    """What is to be agreed to before anything can be chosen."""
    return rx.cond(
        LegalState.asks,
        checkbox(
            "I agree to our ",
            _documents("terms of service", "privacy policy"),
            checked=LegalState.agreed,
            on_change=LegalState.agree,
            at_once=True,
            data_testid="w3m-legal-checkbox",
        ),
        rx.fragment(),
    )


def legal_footer() -> rx.Component:
    """What goes without saying, said where the checkbox does not."""
    return rx.cond(
        ~LegalState.asks & ((LegalState.terms != "") | (LegalState.privacy != "")),
        rx.el.p(
            "Connecting a wallet means that you accept our ",
            _documents("Terms of Service", "Privacy Policy"),
            ".",
            class_name="wm-legal",
            data_testid="w3m-legal-footer",
        ),
        rx.fragment(),
    )


def behind_the_checkbox(*children: rx.Component) -> rx.Component:
    """Pale, and out of reach for pointer, keyboard and screen reader, until the box is ticked."""
    waits = LegalState.asks & ~LegalState.agreed
    return rx.el.div(*children, class_name="wm-agreed", data_waits=waits.to_string(), custom_attrs={"inert": waits})
