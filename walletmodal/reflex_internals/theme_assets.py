"""The project's theme in its front end: the style sheet, the font's file, and the project's own rules.

Why: what a plugin adds is text, and stands before the sheets of the app; rules of its own must stand after those that come with a view.
Test: `test_a_theme_is_compiled_into_the_front_end`.
Dropped when: Reflex takes a plugin's files as bytes, and orders its style sheets.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import reflex as rx
from reflex.config import get_config
from reflex.utils.prerequisites import get_web_dir

from walletmodal.core.errors import ThemeError
from walletmodal.core.theming.stylesheet import stylesheet
from walletmodal.core.theming.theme import Theme
from walletmodal.reflex_internals.bundled_assets import BUNDLED

MAX_FONT_BYTES: Final = 300_000
MAX_CSS_BYTES: Final = 100_000
_WOFF2: Final = b"wOF2"
_REACHES_OUT: Final = re.compile(r"@import|url\(\s*['\"]?\s*(?:[a-z]+:)?//", re.IGNORECASE)

_STYLES: Final = Path("styles")
_THEME: Final = "walletmodal_theme.css"
_OWN_CSS: Final = "walletmodal_own.css"
_OWN_SCRIPT: Final = "walletmodal_own.js"
_ADOPT: Final = f"""import css from "./{_OWN_CSS}?inline";

// Adopted sheets come after all others, also those that are loaded with a view.
if (typeof document !== "undefined") {{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}}
"""


class ThemeAssets(rx.plugins.Plugin):
    """Brings a theme.

    Raises:
        ThemeError: a file that it names is missing, too large, or not what it should be.
    """

    def __init__(self, theme: Theme) -> None:
        self._fonts = [_font_file(file) for file in theme.font.files] if theme.font else []
        self._css = _own_css(theme)
        self._text = stylesheet(theme)

    @property
    def has_own_css(self) -> bool:
        """Whether the project has rules of its own."""
        return bool(self._css)

    def get_stylesheet_paths(self, **_context: Any) -> Sequence[str]:
        """The theme's style sheet, where it changes anything."""
        return [f"./{_THEME}"] if self._text else []

    def get_static_assets(self, **_context: Any) -> Sequence[tuple[Path, str]]:
        """The texts among its files."""
        texts = {_THEME: self._text, _OWN_CSS: self._css, _OWN_SCRIPT: _ADOPT if self._css else ""}
        return [(_STYLES / name, text) for name, text in texts.items() if text]

    def pre_compile(self, **_context: Any) -> None:
        """Copy the font to where the style sheet will be."""
        folder = Path.cwd() / get_web_dir() / _STYLES
        for font in self._fonts:
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(font, folder / font.name)


def load_theme(module: str) -> Theme:
    """The `theme` of a module as it is written now: a development server's processes inherit what was imported before an edit.

    Raises:
        ThemeError: the module holds none.
    """
    if not module:
        return Theme()
    sys.modules.pop(module, None)
    theme = getattr(import_module(module), "theme", None)
    if not isinstance(theme, Theme):
        raise ThemeError(f"{module}: its `theme` is {theme!r}, no walletmodal.theme.Theme")
    return theme


def own_rules() -> list[rx.Component]:
    """What brings the project's own rules into a page; nothing where there are none."""
    if not any(isinstance(plugin, ThemeAssets) and plugin.has_own_css for plugin in get_config().plugins):
        return []

    class OwnRules(rx.Fragment):  # type: ignore[misc]  # Reflex loads it late, and gives it no type
        """Imports the script that adopts them."""

        def add_imports(self) -> dict[str, Any]:
            """The script."""
            return {"": [f"$/{_STYLES}/{_OWN_SCRIPT}"]}

    return [OwnRules.create()]


def _asset(name: str, what: str) -> Path:
    """The project's file, or the product's."""
    for folder in (Path.cwd() / "assets", BUNDLED):
        if (folder / name).is_file():
            return folder / name
    raise ThemeError(f"{what}: there is no {name!r} in {Path.cwd() / 'assets'}")


def _font_file(file: str) -> Path:
    path = _asset(file, "font.file")
    size = path.stat().st_size
    if size > MAX_FONT_BYTES:
        raise ThemeError(
            f"font.file: {file} has {size:,} bytes, more than the {MAX_FONT_BYTES:,} that a visitor can wait for: "
            "take a subset of its letters (pyftsubset), or one weight"
        )
    with path.open("rb") as opened:
        if opened.read(len(_WOFF2)) != _WOFF2:
            raise ThemeError(f"font.file: {file} is no WOFF2 font")
    return path


def _own_css(theme: Theme) -> str:
    if not theme.css:
        return ""
    data = _asset(theme.css, "css").read_bytes()
    if len(data) > MAX_CSS_BYTES:
        raise ThemeError(f"css: {theme.css} has {len(data):,} bytes, more than {MAX_CSS_BYTES:,}")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise ThemeError(f"css: {theme.css} is no UTF-8 text") from error
    if reaches := _REACHES_OUT.search(text):
        raise ThemeError(f"css: {theme.css} has {reaches[0]!r}: the frame loads nothing from other files or hosts")
    return text
