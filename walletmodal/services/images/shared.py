"""Pictures of the directory in the cache that all workers share, so that it is asked for each of them once, and not once by each worker."""

import base64
import binascii
from typing import Final

from walletmodal.services.cache import Cache
from walletmodal.services.lookups import lookup_key

MAX_SHARED_CHARACTERS: Final = 16 * 1024 * 1024
"""Of all that one worker has put there."""
_MAX_BYTES: Final = 64 * 1024
"""More than a logo has. Redis keeps visitors' states, and what is larger is in each worker's memory alone."""


class SharedImages:
    """Pictures by their path in one directory.

    Args:
        cache: closed by its owner.
        directory: base URL.
        seconds: for which they are kept.
    """

    def __init__(self, cache: Cache, directory: str, seconds: float) -> None:
        self._cache, self._directory, self._seconds = cache, directory, seconds

    async def get(self, path: str) -> bytes | None:
        """The bytes that a worker has received; None where none has lately."""
        found = await self._cache.get(self._key(path))
        try:
            return base64.b64decode(found, validate=True) if found else None
        except (binascii.Error, ValueError):
            return None

    async def put(self, path: str, content: bytes) -> None:
        """Keep the bytes of a picture, unless they are too many."""
        if len(content) <= _MAX_BYTES:
            await self._cache.set(self._key(path), base64.b64encode(content).decode(), self._seconds)

    def _key(self, path: str) -> str:
        return lookup_key("image", self._directory, path)
