"""The style sheets hold together: every token that is used is defined, and everything that moves can stand still."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import walletmodal.ui
from scripts.project import ROOT
from tests.cases import every_case
from walletmodal.core.protocol.theme_variables import THEME_VARIABLES

_KIT = Path(walletmodal.ui.__file__ or "").parent
_SHEETS = sorted([*_KIT.glob("*.css"), *(ROOT / "components").glob("*/*.css")])


def _defined() -> set[str]:
    return {
        name for sheet in _SHEETS for name in re.findall(r"(?<![\w-])(--wm-[\w-]+)\s*:", sheet.read_text("utf-8"))
    } | {name for sheet in _SHEETS for name in re.findall(r"@property\s+(--wm-[\w-]+)", sheet.read_text("utf-8"))}


@every_case("sheet", _SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.name}")
def test_a_sheet_uses_only_tokens_that_exist(sheet: Path) -> None:
    assert set(re.findall(r"var\(\s*(--wm-[\w-]+)", sheet.read_text("utf-8"))) <= _defined()


_OF_THE_LOADER = {"--w3m-z-index"}
"""Where the frame stands in the host page: nothing in the frame reads it."""
_OF_OTHER_SITES = {"--w3m-background"}
"""What a secure site of AppKit's is told of our looks."""
_IN_THE_FRAME = [name for name in THEME_VARIABLES if name not in _OF_THE_LOADER]


def test_the_tokens_take_up_every_host_variable_of_the_frame_and_no_other() -> None:
    read = set(re.findall(r"var\(\s*(--w3m-[\w-]+)", (_KIT / "tokens.css").read_text("utf-8")))
    assert read == set(_IN_THE_FRAME), "a theme variable is read in walletmodal/ui/tokens.css"


def test_the_frame_applies_the_variables_that_the_server_checks() -> None:
    listed = re.search(r"const NAMES = \[(.*?)\];", (ROOT / "components/bridge/theme.ts").read_text("utf-8"), re.DOTALL)
    assert listed
    assert re.findall(r'"([^"]+)"', listed[1]) == _IN_THE_FRAME, "list it in components/bridge/theme.ts"


def test_every_variable_that_is_set_is_read() -> None:
    folders = [ROOT / folder for folder in ("walletmodal", "components", "loader/src")]
    kinds = {".css", ".py", ".ts", ".tsx"}
    texts = [path.read_text("utf-8") for folder in folders for path in folder.rglob("*") if path.suffix in kinds]
    sources = "\n".join(texts)
    named = set(re.findall(r"(?<![\w-])--(?:wm|w3m)-[a-z0-9-]*[a-z0-9]", sources))
    read = set(re.findall(r"""(?:var\(\s*|variables\[")(--(?:wm|w3m)-[a-z0-9-]*[a-z0-9])""", sources))
    assert named - read == _OF_OTHER_SITES, "delete them, or read them by var()"


def test_both_themes_define_the_same_tokens() -> None:
    text = (_KIT / "tokens.css").read_text("utf-8")
    themes = re.findall(r'\[data-theme="(?:dark|light)"\] \{(.*?)\n\}', text, re.DOTALL)
    dark, light = (set(re.findall(r"(--wm-[\w-]+)\s*:", theme)) for theme in themes)
    assert dark == light


@every_case("sheet", _SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.name}")
def test_a_sheet_that_moves_something_minds_those_who_want_it_still(sheet: Path) -> None:
    text = sheet.read_text("utf-8")
    moves = re.search(r"(?<![\w-])(animation|transition)(-property)?:", text)
    assert not moves or "prefers-reduced-motion: reduce" in text


@pytest.mark.parametrize("path", walletmodal.ui.STYLESHEETS)
def test_a_listed_sheet_lies_below_assets(path: str) -> None:
    assert (ROOT / "assets" / path.lstrip("/")).exists()


_OF_VIEWS = sorted((ROOT / "walletmodal" / "features").glob("*/*.css"))
"""These come with their views, after whichever other views the visitor has seen."""


def _styled_classes(sheet: Path) -> set[str]:
    """The classes that a sheet gives a look of their own, wherever they stand."""
    bare = re.sub(r"/\*.*?\*/", "", sheet.read_text("utf-8"), flags=re.DOTALL)
    selectors = [one.strip() for rule in re.findall(r"([^{}]+)\{", bare) for one in rule.split(",")]
    return {one[1:] for one in selectors if re.fullmatch(r"\.[\w-]+", one)}


@pytest.mark.parametrize("sheet", _OF_VIEWS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.name}")
def test_what_was_seen_before_changes_the_look_of_no_view(sheet: Path) -> None:
    elsewhere = {name for other in {*_SHEETS, *_OF_VIEWS} - {sheet} for name in _styled_classes(other)}
    assert _styled_classes(sheet) & elsewhere == set()
