"""Baselines: committed pictures of the entries, and how a new picture is held against one."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageFilter

from scripts.project import ROOT
from tests.gallery.stage import Look
from walletmodal.features.gallery.entries import Entry

BASELINES: Final = Path(__file__).parent / "baselines"
RESULTS: Final = ROOT / "test-results" / "gallery"
CHANNEL_TOLERANCE: Final = 32
AREA_TOLERANCE: Final = 0.0008
"""Part of the pixels that may differ: the rims of letters differ between versions of the rasteriser, a word does not."""


def baseline(entry: Entry, look: Look) -> Path:
    """The committed picture."""
    return BASELINES / f"{entry.id}-{look.name}.png"


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
    soft = [image.filter(ImageFilter.GaussianBlur(0.8)) for image in (expected, actual)]
    bands = ImageChops.difference(*soft).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    differing = sum(worst.histogram()[CHANNEL_TOLERANCE + 1 :])
    if differing <= AREA_TOLERANCE * actual.width * actual.height:
        return ""
    return f"{differing} pixels of {actual.width * actual.height} look different"
