"""The style sheets hold together: every token that is used is defined, and everything that moves can stand still."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import walletmodal.ui
from scripts.project import ROOT

_KIT = Path(walletmodal.ui.__file__ or "").parent
_SHEETS = sorted([*_KIT.glob("*.css"), *(ROOT / "components").glob("*/*.css")])
_HOST_VARIABLES = {
    "--w3m-font-family",
    "--w3m-accent",
    "--w3m-color-mix",
    "--w3m-color-mix-strength",
    "--w3m-font-size-master",
    "--w3m-border-radius-master",
    "--w3m-z-index",
    "--w3m-qr-color",
}


def _defined() -> set[str]:
    return {
        name for sheet in _SHEETS for name in re.findall(r"(?<![\w-])(--wm-[\w-]+)\s*:", sheet.read_text("utf-8"))
    } | {name for sheet in _SHEETS for name in re.findall(r"@property\s+(--wm-[\w-]+)", sheet.read_text("utf-8"))}


@pytest.mark.parametrize("sheet", _SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.name}")
def test_a_sheet_uses_only_tokens_that_exist(sheet: Path) -> None:
    assert set(re.findall(r"var\(\s*(--wm-[\w-]+)", sheet.read_text("utf-8"))) <= _defined()


def test_the_tokens_take_up_all_eight_host_variables_and_no_other() -> None:
    assert set(re.findall(r"var\(\s*(--w3m-[\w-]+)", (_KIT / "tokens.css").read_text("utf-8"))) == _HOST_VARIABLES


def test_both_themes_define_the_same_tokens() -> None:
    text = (_KIT / "tokens.css").read_text("utf-8")
    themes = re.findall(r'\[data-theme="(?:dark|light)"\] \{(.*?)\n\}', text, re.DOTALL)
    dark, light = (set(re.findall(r"(--wm-[\w-]+)\s*:", theme)) for theme in themes)
    assert dark == light


@pytest.mark.parametrize("sheet", _SHEETS, ids=lambda sheet: f"{sheet.parent.name}/{sheet.name}")
def test_a_sheet_that_moves_something_minds_those_who_want_it_still(sheet: Path) -> None:
    text = sheet.read_text("utf-8")
    moves = re.search(r"(?<![\w-])(animation|transition)(-property)?:", text)
    assert not moves or "prefers-reduced-motion: reduce" in text


@pytest.mark.parametrize("path", walletmodal.ui.STYLESHEETS)
def test_a_listed_sheet_lies_below_assets(path: str) -> None:
    assert (ROOT / "assets" / path.lstrip("/")).exists()
