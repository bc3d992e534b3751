"""What code and pages name is in the repository."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import pytest

from scripts.project import ROOT

FOLDERS = (
    *(
        "alembic",
        "assets",
        "bench",
        "components",
        "docs",
        "examples",
        "loader",
        "sandbox",
        "scripts",
        "secure",
        "tests",
    ),
    "walletmodal",
)
TEXTS = {".css", ".md", ".mjs", ".py", ".toml", ".ts", ".tsx"}
IGNORED = {"__pycache__", "node_modules", "external"}
PLACEHOLDER = re.compile(r"<\w+>|…")


def files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file())
    for folder in FOLDERS:
        for place, below, names in os.walk(ROOT / folder):
            below[:] = [name for name in below if name not in IGNORED]
            yield from (Path(place, name) for name in names)


@cache
def paths() -> list[str]:
    """Of every file, from the root."""
    return sorted(path.relative_to(ROOT).as_posix() for path in files())


def exists(name: str) -> bool:
    pattern = f"*/{PLACEHOLDER.sub('*', name)}{'*' if name.endswith('/') else ''}"
    return any(fnmatchcase(f"/{path}", pattern) for path in paths())


def test_a_page_that_is_referred_to_can_be_read_here() -> None:
    named = {
        (path, page)
        for path in paths()
        if Path(path).suffix in TEXTS
        for page in re.findall(r"\b(?:[\w-]+/)*[\w-]+\.md\b", (ROOT / path).read_text("utf-8"))
    }
    assert len(named) > 50
    assert {(path, page) for path, page in named if not exists(page)} == set()


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_the_files_that_a_contributor_is_led_to_are_there(page: str) -> None:
    quoted = re.findall(r"`([\w./<>…*-]+(?:\.(?:css|json|mjs|py|toml|tsx?)|/))`", (ROOT / page).read_text("utf-8"))
    assert len(quoted) > 30
    assert [name for name in quoted if not exists(name)] == []
