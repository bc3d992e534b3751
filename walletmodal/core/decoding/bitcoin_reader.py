"""Strict reader of Bitcoin's serialization: numbers, lengths, strings."""

from walletmodal.core.decoding.byte_reader import ByteReader


class BitcoinReader(ByteReader):
    """Reads bytes from front to back. Raises ValueError where they end too early, or are written in another way than the one that counts."""

    def number(self, size: int) -> int:
        """Reads an unsigned number of so many bytes."""
        return int.from_bytes(self.take(size), "little")

    def size(self) -> int:
        """Reads a length in its shortest form, which is the only one that all readers take."""
        first = self.number(1)
        if first < 0xFD:
            return first
        found = self.number(1 << first - 0xFC)
        if found < (0xFD, 1 << 16, 1 << 32)[first - 0xFD]:
            raise ValueError("a length is longer than it needs to be")
        return found

    def string(self) -> bytes:
        """Reads as many bytes as the length before them says."""
        return self.take(self.size())

    def peek(self, size: int) -> bytes:
        """Returns the next bytes, which stay the next ones; fewer at the end."""
        return self._data[self._at : self._at + size]

    def since(self, start: int) -> bytes:
        """Returns what was read from a place on."""
        return self._data[start : self._at]

    @property
    def at(self) -> int:
        """Returns how many bytes were read."""
        return self._at

    def end(self) -> None:
        """Raises ValueError where there is more to read."""
        if self._at != len(self._data):
            raise ValueError("there are bytes behind the end")
