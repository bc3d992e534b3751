"""Bytes of a stranger, read from front to back."""


class ByteReader:
    """Where it stands in some bytes. Raises ValueError where they end too early."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0

    def take(self, size: int) -> bytes:
        """The next ones."""
        part = self._data[self._at : self._at + size]
        if len(part) != size:
            raise ValueError("the bytes end too early")
        self._at += size
        return part
