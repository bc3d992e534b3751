"""Pictures in memory: the least recently used go first, and each is fetched again after its time."""

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.services.images.errors import ImageError, ImageRefusal
from walletmodal.services.images.formats import ImageType

MAX_STORE_BYTES: Final = 64 * 1024 * 1024
FAILURE_SECONDS: Final = 30.0
MAX_FAILURES: Final = 4096
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


class FailureMemory:
    """Which pictures could not be had a moment ago, so that a stranger's slow server is not asked again by each visitor.

    Args:
        clock: what the time is measured with.
        seconds: for how long one is remembered.
    """

    def __init__(self, clock: Clock | None = None, *, seconds: float = FAILURE_SECONDS) -> None:
        self._clock, self._seconds = clock or SystemClock(), seconds
        self._failures: OrderedDict[str, tuple[float, ImageRefusal]] = OrderedDict()

    def put(self, key: str, refusal: ImageRefusal) -> None:
        """Remember why. The error itself would keep what it went through, all that was received included."""
        self._failures[key] = (self._clock.monotonic() + self._seconds, refusal)
        self._failures.move_to_end(key)
        while len(self._failures) > MAX_FAILURES:
            self._failures.popitem(last=False)

    def check(self, key: str) -> None:
        """Nothing, or the failure again.

        Raises:
            ImageError: as it was.
        """
        until, refusal = self._failures.get(key, (0.0, None))
        if refusal is not None and until > self._clock.monotonic():
            raise ImageError(refusal, "a moment ago")
        self._failures.pop(key, None)


class ImageMemory:
    """Keeps pictures of a process.

    Args:
        clock: what their time is measured with.
        max_bytes: how many bytes all of them take.
    """

    def __init__(self, clock: Clock | None = None, *, max_bytes: int = MAX_STORE_BYTES) -> None:
        self._clock, self._max_bytes = clock or SystemClock(), max_bytes
        self._entries: OrderedDict[str, tuple[float, Image]] = OrderedDict()
        self._bytes = 0

    @property
    def bytes_held(self) -> int:
        """How many bytes are taken."""
        return self._bytes

    def get(self, key: str) -> Image | None:
        """The picture, or None."""
        entry = self._entries.get(key)
        if entry is None:
            return None
        if entry[0] <= self._clock.monotonic():
            self._drop(key)
            return None
        self._entries.move_to_end(key)
        return entry[1]

    def put(self, key: str, picture: Image, ttl: float) -> None:
        """Keep a picture for `ttl` seconds."""
        self._drop(key)
        self._entries[key] = (self._clock.monotonic() + ttl, picture)
        self._bytes += _size(picture)
        while self._bytes > self._max_bytes:
            self._drop(next(iter(self._entries)))

    def _drop(self, key: str) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._bytes -= _size(entry[1])


def _size(picture: Image) -> int:
    return len(picture.content) + _ENTRY_BYTES
