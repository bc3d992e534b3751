"""Reader of untrusted bytes, from front to back."""


class ByteReader:
    """Reads bytes. Raises ValueError where they end too early."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, size: int) -> bytes:
        """Reads the next bytes."""
        part = self._data[self._at : self._at + size]
        if len(part) != size:
            raise ValueError("the bytes end too early")
        self._at += size
        return part
