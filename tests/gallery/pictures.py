"""Baselines: committed pictures of the entries, and how a new picture is held against one."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageFilter

from scripts.project import ROOT
from tests.gallery.stage import Look, Wanted
from walletmodal.features.gallery.entries import Entry

BASELINES: Final = Path(__file__).parent / "baselines"
RESULTS: Final = ROOT / "test-results" / "gallery"
CHANNEL_TOLERANCE: Final = 32
AREA_TOLERANCE: Final = 0.0008
"""Part of the pixels that may differ: the rims of letters differ between versions of the rasteriser, a word does not."""


def baseline(entry: Entry, look: Look) -> Path:
    """The committed picture."""
    return BASELINES / f"{entry.id}-{look.name}.png"


def expected(entry: Entry, look: Look) -> Wanted | None:
    """Tells whether a picture is like the entry's baseline; None when there is none."""
    path = baseline(entry, look)
    return (lambda picture: not difference(path, picture)) if path.exists() else None


def write(path: Path, picture: bytes) -> None:
    """Keeps a picture in 256 colours, a quarter of the size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.open(BytesIO(picture)).convert("RGB")
    image.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)


def difference(path: Path, picture: bytes) -> str:
    """What tells a picture from its baseline, "" when nothing of weight does."""
    expected, actual = Image.open(path).convert("RGB"), Image.open(BytesIO(picture)).convert("RGB")
    if expected.size != actual.size:
        return f"{actual.size[0]}x{actual.size[1]} instead of {expected.size[0]}x{expected.size[1]} pixels"
    # Blurring evens out, and takes ten times as long as looking.
    if _differing(expected, actual) == 0:
        return ""
    blur = ImageFilter.GaussianBlur(0.8)
    differing = _differing(expected.filter(blur), actual.filter(blur))
    if differing <= AREA_TOLERANCE * actual.width * actual.height:
        return ""
    return f"{differing} pixels of {actual.width * actual.height} look different"


def _differing(expected: Image.Image, actual: Image.Image) -> int:
    bands = ImageChops.difference(expected, actual).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    return sum(worst.histogram()[CHANNEL_TOLERANCE + 1 :])
