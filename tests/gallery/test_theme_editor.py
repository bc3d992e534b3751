"""The editor of themes: an edit shows in the view at once, and the Python that it prints is the theme of a project."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.gallery.stage import Stage
from walletmodal.features.gallery.theme_draft import draft_css
from walletmodal.reflex_internals.theme_assets import load_theme


@pytest.fixture
def editor(stages: dict[str, Stage]) -> Iterator[Page]:
    """The editor, with the account in the default theme, light."""
    page = stages["light"].page.context.new_page()
    page.goto(f"{stages['light'].url}/gallery/?edit=default&theme=light")
    expect(page.get_by_test_id("w3m-modal-card")).to_be_visible()
    yield page
    page.close()


def test_an_edit_shows_in_the_view_and_the_python_makes_its_theme_in_a_project(
    editor: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = editor.get_by_test_id("w3m-modal-card")
    editor.get_by_label("Card width (px)").fill("400")
    expect(card).to_have_css("width", "400px")
    before = str(card.evaluate("card => getComputedStyle(card).backgroundColor"))
    editor.locator("[name='light.background']").fill("#fdf6e3")
    expect(card).not_to_have_css("background-color", before)
    editor.get_by_label("Font (").fill("Inter")
    expect(card).to_have_css("font-family", re.compile("Inter fallback"))
    (tmp_path / "edited_theme.py").write_text(editor.locator("pre").inner_text())
    monkeypatch.syspath_prepend(tmp_path)
    theme = load_theme("edited_theme")
    assert (theme.card_width, theme.light.background) == (400, "#fdf6e3")
    assert draft_css(theme) == editor.locator("main > style").inner_text()


def test_what_no_theme_can_have_is_told_and_the_last_theme_stays(editor: Page) -> None:
    card = editor.get_by_test_id("w3m-modal-card")
    editor.get_by_label("Card width (px)").fill("400")
    expect(card).to_have_css("width", "400px")
    editor.locator("[name='light.text']").fill("#fffffe")
    problem = editor.locator(".wm-editor-problem")
    expect(problem).to_contain_text("light: text #fffffe on background #ffffff")
    expect(card).to_have_css("width", "400px")
    editor.locator("[name='light.text']").fill("")
    expect(problem).to_be_empty()
