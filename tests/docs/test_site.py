"""The documentation site: whole, and read without any other host."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.docs import build_docs
from tests.docs.pages import PAGES

FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|embed)\b[^>]*\bsrc=["']((?:https?:)?//[^"']*)"""
    r"""|<link\b(?![^>]*rel=["'](?:canonical|search)["'])[^>]*\bhref=["']((?:https?:)?//[^"']*)"""
    r"""|@import\s+(?:url\()?["']?((?:https?:)?//[^"')]*)|url\(\s*["']?((?:https?:)?//[^"')]*)"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_docs(tmp_path_factory.mktemp("docs"))


def test_every_page_is_on_it(site: Path) -> None:
    assert len(list(site.rglob("*.html"))) > len(PAGES)


def test_reading_it_asks_no_other_host(site: Path) -> None:
    found = {
        (file.relative_to(site).as_posix(), "".join(names))
        for file in site.rglob("*")
        if file.suffix in {".html", ".css"}
        for names in FETCHED.findall(file.read_text("utf-8"))
    }
    assert found == set()


def test_what_a_docstring_says_can_be_looked_for(site: Path) -> None:
    index = (site / "searchindex.js").read_text("utf-8")
    assert "connect_row" in index
    assert "userrejectedrequesterror" in index.lower()
