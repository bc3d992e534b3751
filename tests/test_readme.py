"""What the README shows is so."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

from walletmodal.core.version import VERSION

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_pinned_script_has_the_hash_that_the_readme_tells() -> None:
    script = (ROOT / "assets" / "v" / VERSION / "walletmodal.js").read_bytes()
    digest = base64.b64encode(hashlib.sha384(script).digest()).decode()
    assert f'integrity="sha384-{digest}"' in README


def test_the_pinned_script_pins_the_second_one() -> None:
    folder = ROOT / "assets" / "v" / VERSION
    digest = base64.b64encode(hashlib.sha384((folder / "walletmodal-wallets.js").read_bytes()).digest()).decode()
    assert f"sha384-{digest}" in (folder / "walletmodal.js").read_text("utf-8")


def test_the_pinned_path_is_of_this_version() -> None:
    assert re.findall(r"/v/([\d.]+)/walletmodal\.js", README) == [VERSION]


def test_every_command_is_one_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    assert set(re.findall(r"`make ([a-z-]+)`", README)) <= targets


def test_every_linked_file_is_there() -> None:
    missing = [link for link in re.findall(r"\]\(([^)#:]+)\)", README) if not (ROOT / link).exists()]
    assert missing == []


def test_the_changes_of_this_version_are_told() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## ([\d.]+)", changes, re.MULTILINE)[0] == VERSION
    assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")
