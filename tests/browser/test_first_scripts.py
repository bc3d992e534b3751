"""What the built frame loads until the modal can be used: whatever a view adds comes with that view."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from scripts.build import build
from walletmodal.commands.build import static_directory

MOST_BYTES = 118_330
"""Compressed, of all that `index.html` names and of itself; 23 of them are the state of a change of address, 45 that of Farcaster and the place of a passkey in Connect, 200 the states of smart accounts, of logins that leave the page, and of sites of AppKit's; 60 the lookup of texts. A view that makes this fail belongs into a chunk of its own (`lazy_view`)."""


@pytest.fixture(scope="module")
def client() -> Path:
    """The built front end."""
    build()
    return static_directory()


@pytest.fixture(scope="module")
def first(client: Path) -> dict[str, str]:
    """Scripts and styles that the page names, in its order."""
    page = (client / "index.html").read_text()
    return {name: (client / "assets" / name).read_text() for name in re.findall(r'="/assets/([^"]+)"', page)}


def test_the_first_files_keep_their_size(client: Path, first: dict[str, str]) -> None:
    texts = [(client / "index.html").read_text(), *first.values()]
    assert sum(len(gzip.compress(text.encode(), 9)) for text in texts) <= MOST_BYTES


def test_they_are_few_enough_to_be_fetched_at_once(first: dict[str, str]) -> None:
    assert len(first) <= 6


def test_the_event_loop_runs_before_what_is_larger_has_come(client: Path, first: dict[str, str]) -> None:
    page = (client / "index.html").read_text()
    name = next(name for name in first if name.startswith("events-"))
    assert f'<script type="module" async crossorigin src="/assets/{name}">' in page
    assert "hydrate_and_load" in first[name]
    assert "frame-" not in first[name]


@pytest.mark.parametrize(
    "trace", ["__reactRouter", "data-emotion", "eval(", "whileHover", "WebTransport", "Microsoft.XMLHTTP"]
)
def test_what_the_frame_does_without_is_not_in_them(first: dict[str, str], trace: str) -> None:
    assert [name for name, text in first.items() if trace in text] == []


@pytest.mark.parametrize("view", ["nfts-none", "wm-gallery"])
def test_no_later_view_is_in_them(first: dict[str, str], view: str) -> None:
    assert [name for name, text in first.items() if view in text] == []


def test_what_is_nowhere_loads_nothing(client: Path) -> None:
    page = (client / "404.html").read_text()
    assert "404: Page not found" in page
    assert "<script" not in page
