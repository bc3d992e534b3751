"""The list of what the views say, beside the scripts that say it: a server sends a page the translations of these texts alone.

Why: which texts are in the scripts is known when they have been compiled.
Test: `test_the_texts_of_views_are_listed_beside_their_scripts`.
Dropped when: never; it is a plugin of Reflex's public kind, but for where the scripts are.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import reflex as rx
from reflex.utils.prerequisites import get_web_dir

from walletmodal.reflex_internals.mode import is_development
from walletmodal.reflex_internals.text_vars import in_views
from walletmodal.reflex_internals.web_folder import built_pages

_PUBLIC: Final = "public"
_FILE: Final = "view_texts.json"
_SCRIPTS: Final = Path("assets") / "external"
_SAID: Final = re.compile(
    r"""\b(?:t\(\s*|new (?:Link|Pairing)Error\(\s*(?:[-\w]+,\s*)?(?="[A-Z]))("(?:[^"\\\n]|\\.)+")"""
)


class ViewTexts(rx.plugins.Plugin):
    """Writes the list."""

    def get_static_assets(self, **_context: Any) -> Sequence[tuple[Path, str]]:
        """Called by Reflex when all pages are compiled."""
        found = {*in_views, *texts_of_scripts(Path.cwd() / _SCRIPTS)}
        return [(Path(_PUBLIC) / _FILE, json.dumps(sorted(found), ensure_ascii=False))]


def texts_of_scripts(folder: Path) -> set[str]:
    """What the React components of a folder say by `t("…")`, and their errors that a visitor reads."""
    files = (file for suffix in ("*.ts", "*.tsx") for file in folder.rglob(suffix))
    return {json.loads(text) for file in files for text in _SAID.findall(file.read_text(encoding="utf-8"))}


def view_texts() -> list[str]:
    """The names in a catalogue of what the views say; none before they are compiled."""
    file = (get_web_dir() / _PUBLIC if is_development() else built_pages()) / _FILE
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except OSError:
        return []
    return [text for text in found if isinstance(text, str)]
