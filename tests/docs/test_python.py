"""The code of a team's project, as the pages show it, runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
import reflex as rx

from tests.docs.pages import blocks
from tests.views.conftest import own as own
from walletmodal.core.language import _, ngettext
from walletmodal.core.protocol.views import VIEWS
from walletmodal.services.languages import BUNDLED, Languages
from walletmodal.ui.own_parts import Own

Written = Callable[[str, str], ModuleType]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Written]:
    """Writes a module into a project, and imports it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "assets").mkdir()

    def write(name: str, code: str) -> ModuleType:
        (tmp_path / f"{name}.py").write_text(code, "utf-8")
        return import_module(name)

    yield write
    # Other tests have a theme of this name too. All others stay: Reflex finds a state by the name of its module.
    sys.modules.pop("my_modal_theme", None)


def test_the_first_view_of_a_team_has_at_most_fifteen_lines(own: Own, written: Written) -> None:
    (block,) = blocks("python", "docs/start.md")
    module = written("first_view_of_a_team", block.code)
    own.check()
    assert isinstance(module.loyalty(), rx.Component)
    assert len([line for line in block.code.splitlines() if line]) <= 15


def test_the_own_views_of_the_documentation_can_be_drawn(own: Own, written: Written, tmp_path: Path) -> None:
    (script,) = blocks("jsx", "docs/own-views.md")
    (tmp_path / "hold.jsx").write_text(script.code, "utf-8")
    for number, block in enumerate(blocks("python", "docs/own-views.md")):
        module = written(f"own_views_of_the_docs_{number}", block.code)
        drawn = [getattr(module, name)() for name in ("loyalty", "vault") if hasattr(module, name)]
        assert all(isinstance(one, rx.Component) for one in drawn)
    own.check()
    assert {"Loyalty", "Vault"} <= VIEWS.keys()


def test_a_project_is_given_the_theme_of_the_documentation(written: Written) -> None:
    settings, theme, _ = blocks("python", "docs/themes.md")
    shown = written("my_modal_theme", theme.code).theme
    config = written("rxconfig_of_the_docs", settings.code).config
    assert isinstance(config, rx.Config)
    assert shown.dark.accent == "#3ddc97"


def test_a_font_of_a_teams_own_is_described(written: Written) -> None:
    *_, font = blocks("python", "docs/themes.md")
    assert written("font_of_the_docs", font.code).theme.font.family == "Own Sans"


async def test_own_texts_of_the_documentation_are_translated(written: Written, tmp_path: Path) -> None:
    (block,), (catalogue,) = blocks("python", "docs/languages.md"), blocks("po", "docs/languages.md")
    module = written("own_texts_of_the_docs", block.code)
    file = tmp_path / "locale" / "de" / "LC_MESSAGES" / "walletmodal.po"
    file.parent.mkdir(parents=True)
    own = 'msgid "Your points"\nmsgstr "Deine Punkte"\n\nmsgid "You have {count} point"\nmsgid_plural "You have {count} points"\n'
    file.write_text(
        f'{catalogue.code}\n{own}msgstr[0] "Du hast {{count}} Punkt"\nmsgstr[1] "Du hast {{count}} Punkte"\n', "utf-8"
    )
    german = await Languages((), (BUNDLED, tmp_path / "locale")).load("de")
    counted = ngettext("You have {count} point", "You have {count} points", 2)
    assert 't("Your points")' in str(module.points().render())
    assert [text.said_in(german) for text in (_("Connect Wallet"), counted)] == ["Anmelden", "Du hast 2 Punkte"]
