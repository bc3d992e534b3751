"""What the README shows is so."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES
from walletmodal.core.version import VERSION

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


def test_the_pinned_script_has_the_hash_that_the_readme_tells() -> None:
    script = (ROOT / "assets" / "v" / VERSION / "walletmodal.js").read_bytes()
    digest = base64.b64encode(hashlib.sha384(script).digest()).decode()
    assert f'integrity="sha384-{digest}"' in README


@pytest.mark.parametrize(
    ("pinned", "by"),
    [("walletmodal-wallets.js", "walletmodal.js"), ("walletmodal-onramp.js", "walletmodal-wallets.js")],
)
def test_the_pinned_script_pins_those_that_come_later(pinned: str, by: str) -> None:
    folder = ROOT / "assets" / "v" / VERSION
    digest = base64.b64encode(hashlib.sha256((folder / pinned).read_bytes()).digest()).decode()
    assert f"sha256-{digest}" in (folder / by).read_text("utf-8")


def test_the_pinned_path_is_of_this_version() -> None:
    assert re.findall(r"/v/([\d.]+)/walletmodal\.js", README) == [VERSION]


def headings(page: Path) -> set[str]:
    """The fragments that lead to the headings of a page."""
    found = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", one.lower()).strip().replace(" ", "-") for one in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_to_a_file_or_a_heading_leads_there(page: Path) -> None:
    dead = []
    for link in re.findall(r"\]\(([^):]+)\)", page.read_text("utf-8")):
        path, _, fragment = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (fragment and target.suffix == ".md" and fragment not in headings(target)):
            dead.append(link)
    assert dead == []


def test_the_changes_of_this_version_are_told() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.findall(r"^## ([\d.]+)", changes, re.MULTILINE)[0] == VERSION
    assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")
