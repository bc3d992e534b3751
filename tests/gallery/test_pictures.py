"""A picture is held against its baseline: the rims of letters may differ, what someone would see may not."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tests.gallery.pictures import difference, write

_SIZE = (362, 480)
_PAPER = 24
_LETTERS = (40, 60, 110, 72)
"""Where a word stands."""


def _png(*, word: int = _PAPER, size: tuple[int, int] = _SIZE) -> bytes:
    image = Image.new("L", size, _PAPER)
    ImageDraw.Draw(image).rectangle(_LETTERS, fill=word)
    made = BytesIO()
    image.convert("RGB").save(made, "PNG")
    return made.getvalue()


@pytest.fixture
def before(tmp_path: Path) -> Path:
    """A baseline with a word in it."""
    path = tmp_path / "before.png"
    write(path, _png(word=230))
    return path


def test_the_same_picture_does_not_differ(before: Path) -> None:
    assert difference(before, _png(word=230)) == ""


def test_a_tone_that_nobody_sees_does_not_differ(before: Path) -> None:
    assert difference(before, _png(word=205)) == ""


def test_a_word_that_is_missing_differs(before: Path) -> None:
    assert "look different" in difference(before, _png())


def test_a_word_that_has_half_appeared_differs(before: Path) -> None:
    assert "look different" in difference(before, _png(word=127))


def test_a_card_of_another_height_differs(before: Path) -> None:
    assert difference(before, _png(word=230, size=(362, 470))) == "362x470 instead of 362x480 pixels"
