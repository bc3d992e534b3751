"""The product's own pictures and scripts among the public files of a project's front end.

Why: Reflex copies the project's `assets/` alone, and what a plugin may add must be text.
Test: `test_a_project_gets_the_pictures_of_the_product_and_keeps_its_own`.
Dropped when: a package can name a folder of assets, or `get_static_assets` takes bytes.
"""

import shutil
from pathlib import Path
from typing import Any, Final

import reflex as rx
from reflex.utils.prerequisites import get_web_dir

BUNDLED: Final = Path(__file__).resolve().parents[1] / "assets"

_LINKED: Final = "external"


class BundledAssets(rx.plugins.Plugin):
    """Copies them before the pages are compiled; a file of the same name in the project's `assets/` takes the place of one."""

    def pre_compile(self, **_context: Any) -> None:
        """Copy what the project does not have itself."""
        own, public = Path.cwd() / "assets", Path.cwd() / get_web_dir() / "public"
        for file in BUNDLED.rglob("*"):
            name = file.relative_to(BUNDLED)
            if not file.is_file() or name.parts[0] == _LINKED or (own / name).exists():
                continue
            (public / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, public / name)
