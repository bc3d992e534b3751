"""What Python hands to the wrapped components arrives under the names that their scripts know."""

from typing import Any

import pytest
import reflex as rx

from walletmodal.components.bridge import wallet_bridge
from walletmodal.components.pairing import pairing_copy, pairing_link, pairing_qr
from walletmodal.components.paste_button import paste_button
from walletmodal.components.qr_code import qr_code


def names(component: rx.Component) -> set[str]:
    """The properties of a component as it is rendered."""
    rendered: dict[str, Any] = component.render()
    return {str(prop).partition(":")[0].strip('"') for prop in rendered["props"]}


def done() -> rx.Var[Any]:
    """A handler that stays in the browser."""
    return rx.Var("() => undefined").to(rx.EventChain)


@pytest.mark.parametrize(
    ("component", "expected"),
    [
        (
            pairing_qr(logo="l", name="n", on_copied=done(), on_retry=done()),
            {"logo", "name", "onCopied", "onRetry"},
        ),
        (
            pairing_link(
                kind="web", link="l", name="n", namespace="solana", on_opened=done(), on_failed=done(), on_retry=done()
            ),
            {"kind", "link", "name", "namespace", "onOpened", "onFailed", "onRetry"},
        ),
        (pairing_copy(on_copied=done()), {"onCopied"}),
        (qr_code(uri="u", alt="a", logo="l", arena_clear=True), {"uri", "alt", "logo", "arenaClear"}),
        (paste_button(field="f", limit=9, on_pasted=done()), {"field", "limit", "onPasted"}),
        (wallet_bridge(pairing={"relayUrl": "", "projectId": "", "verifyUrl": ""}), {"pairing"}),
    ],
)
def test_every_property_arrives(component: rx.Component, expected: set[str]) -> None:
    assert names(component) == expected
