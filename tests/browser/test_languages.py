"""The modal in another language than English."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import expect
from starlette.applications import Starlette
from starlette.testclient import TestClient

from tests.browser.visits import Visiting
from walletmodal.commands.build import static_directory
from walletmodal.reflex_internals.view_texts import view_texts
from walletmodal.services.languages import Languages
from walletmodal.services.pseudo_language import PSEUDO
from walletmodal.web.texts import PATH, TextsEndpoint, texts_routes

MOST_BYTES = 10_000
"""Compressed, of all that a language brings: its texts, the script that says them, and what mirrors the views."""


def test_a_visitor_gets_the_language_of_the_browser(shared_visit: Visiting) -> None:
    visitor = shared_visit(locale=PSEUDO)
    expect(visitor.modal.connect_button).to_have_text("[Cøññéçt Wållét one two]")
    visitor.modal.connect_button.click()
    expect(visitor.modal.title).to_have_text("[Cøññéçt Wållét one two]")
    expect(visitor.modal.part("w3m-wallet-guide-get-started")).to_have_text("[Gét štårtéd one two]")


def test_the_language_of_the_host_comes_first_and_changes_without_a_reload(shared_visit: Visiting) -> None:
    visitor = shared_visit(options={"locale": PSEUDO})
    visitor.modal.connect_button.click()
    expect(visitor.modal.title).to_have_text("[Cøññéçt Wållét one two]")
    visitor.modal.api("setLocale", "en")
    expect(visitor.modal.title).to_have_text("Connect Wallet")
    expect(visitor.modal.connect_button).to_have_text("Connecting...")
    expect(visitor.modal.part("w3m-wallet-guide-get-started")).to_have_text("Get started")


def test_a_browser_whose_language_is_not_offered_loads_nothing_for_another(shared_visit: Visiting) -> None:
    loaded = []
    for locale, title in ((PSEUDO, "[Cøññéçt Wållét one two]"), ("ca", "Connect Wallet")):
        visitor = shared_visit(locale=locale)
        visitor.modal.connect_button.click()
        expect(visitor.modal.title).to_have_text(title)
        names = visitor.modal.card.evaluate("() => performance.getEntriesByType('resource').map(({ name }) => name)")
        loaded.append(any("/other-" in name for name in names))
    assert loaded == [True, False]


def test_without_the_script_of_another_language_views_and_server_speak_english(visit: Visiting) -> None:
    visitor = visit(locale=PSEUDO, load=False)
    visitor.page.route("**/assets/other-*.js", lambda route: route.abort())
    visitor.go()
    visitor.modal.connect_button.click()
    expect(visitor.modal.title).to_have_text("Connect Wallet")
    expect(visitor.modal.part("w3m-wallet-guide-get-started")).to_have_text("Get started")


def compressed(file: Path) -> int:
    """Bytes of a file on its way to a browser."""
    return len(gzip.compress(file.read_bytes(), 9))


# Which has the views built: their texts are known then.
@pytest.mark.usefixtures("stack")
def test_no_language_costs_more_than_ten_thousand_bytes() -> None:
    assert view_texts()
    languages = Languages()
    client = TestClient(Starlette(routes=[*texts_routes(TextsEndpoint(lambda: languages, {"": view_texts}))]))
    answers = {tag: client.get(PATH, params={"locales": tag}) for tag in languages.tags}
    assert answers["ar"].headers["content-encoding"] == "gzip"
    script, mirrored = (
        sum(map(compressed, static_directory().glob(f"assets/{name}"))) for name in ("other-*.js", "rtl-*.css")
    )
    sizes = {
        tag: int(answer.headers["content-length"]) + script + (mirrored if answer.json()["rtl"] else 0)
        for tag, answer in answers.items()
    }
    assert script > 0 < mirrored
    assert {tag: size for tag, size in sizes.items() if size > MOST_BYTES} == {}
