"""Image formats by their own bytes: what a server says about them is not believed."""

import re
from typing import Final, Literal

ImageType = Literal["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml"]

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_JPEG: Final = b"\xff\xd8\xff"
_GIF: Final = (b"GIF87a", b"GIF89a")
_AVIF_BRANDS: Final = frozenset({b"avif", b"avis"})
_SVG_HEAD: Final = 4096
_SVG_PROLOG: Final = re.compile(
    # Possessive: a prolog that leads nowhere is read once.
    rb"(?:\s++|<\?xml[^>]{0,200}\?>|<!--.{0,2000}?-->|<!DOCTYPE\s++svg[^>\[]{0,300}>)*+<svg[\s>/]",
    re.DOTALL,
)
_UTF8_MARK: Final = b"\xef\xbb\xbf"


def image_type(content: bytes) -> ImageType | None:
    """The media type of an image that browsers show, or None for everything else: pages, scripts, archives, other encodings of XML."""
    if content.startswith(_PNG):
        return "image/png"
    if content.startswith(_JPEG):
        return "image/jpeg"
    if content.startswith(_GIF):
        return "image/gif"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if content[4:8] == b"ftyp" and content[8:12] in _AVIF_BRANDS:
        return "image/avif"
    head = content[:_SVG_HEAD].removeprefix(_UTF8_MARK)
    return "image/svg+xml" if _SVG_PROLOG.match(head) else None
