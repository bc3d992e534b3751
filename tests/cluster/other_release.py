"""Another release of the product, to run beside this one: that of a commit, or this one with another version."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from scripts.project import ROOT
from walletmodal.core.version import VERSION

PREVIOUS_REF: Final = os.environ.get("PREVIOUS_REF", "")
"""A tag or commit; "": this tree, as another version."""
OTHER_VERSION: Final = "0.0.1"

_PARTS: Final = ("walletmodal", "components", "sandbox", "secure", "alembic", "assets", "rxconfig.py", "pyproject.toml")
_UNUSED: Final = shutil.ignore_patterns("node_modules", "__pycache__")


def other_release(folder: Path) -> Path:
    """A project of it in a folder, with the front end of this one, since no browser looks at it."""
    if PREVIOUS_REF:
        folder.mkdir()
        packed = subprocess.run(["git", "archive", PREVIOUS_REF, *_PARTS], cwd=ROOT, check=True, capture_output=True)
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
    else:
        for part in _PARTS:
            _copy(ROOT / part, folder / part)
        version = folder / "walletmodal" / "core" / "version.py"
        version.write_text(version.read_text().replace(VERSION, OTHER_VERSION))
    for part in (".web/build", ".web/backend", ".web/reflex.json"):
        _copy(ROOT / part, folder / part)
    return folder


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        ignored = None if ".web" in source.parts else _UNUSED
        shutil.copytree(source, target, symlinks=True, ignore=ignored)
    elif source.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
