"""Pictures in memory: the least recently used go first, and each is fetched again after its time."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from walletmodal.core.clock import Clock
from walletmodal.services.expiring import Expiring
from walletmodal.services.images.formats import ImageType

MAX_STORE_BYTES: Final = 64 * 1024 * 1024
_ENTRY_BYTES: Final = 512
"""What an entry takes besides its bytes: without it, tiny pictures would be without number."""


@dataclass(frozen=True, slots=True)
class Image:
    """A picture: its bytes, its type as its bytes say it, and a name for exactly these bytes (an entity tag without quotes)."""

    content: bytes
    media_type: ImageType
    tag: str


def image(content: bytes, media_type: ImageType) -> Image:
    """A picture with its tag."""
    return Image(content, media_type, sha256(content).hexdigest()[:32])


class ImageMemory:
    """Keeps pictures of a process.

    Args:
        clock: what their time is measured with.
        max_bytes: how many bytes all of them take.
    """

    def __init__(self, clock: Clock | None = None, *, max_bytes: int = MAX_STORE_BYTES) -> None:
        self._kept = Expiring[Image](clock, max_size=max_bytes, size_of=_size)

    @property
    def bytes_held(self) -> int:
        """Bytes that are taken."""
        return self._kept.size

    def get(self, key: str) -> Image | None:
        """The picture, or None."""
        return self._kept.get(key)

    def put(self, key: str, picture: Image, ttl: float) -> None:
        """Keep a picture for `ttl` seconds."""
        self._kept.put(key, picture, ttl)


def _size(picture: Image) -> int:
    return len(picture.content) + _ENTRY_BYTES
