"""What Bitcoin writes down in bytes, read strictly: numbers, lengths, strings."""

from walletmodal.core.decoding.byte_reader import ByteReader


class BitcoinReader(ByteReader):
    """Where it stands in some bytes. Raises ValueError where they end too early, or are written in another way than the one that counts."""

    def number(self, size: int) -> int:
        """An unsigned number of so many bytes."""
        return int.from_bytes(self.take(size), "little")

    def size(self) -> int:
        """A length in its shortest form, which is the only one that all readers take."""
        first = self.number(1)
        if first < 0xFD:
            return first
        found = self.number(1 << first - 0xFC)
        if found < (0xFD, 1 << 16, 1 << 32)[first - 0xFD]:
            raise ValueError("a length is longer than it needs to be")
        return found

    def string(self) -> bytes:
        """As many bytes as the length before them says."""
        return self.take(self.size())

    def peek(self, size: int) -> bytes:
        """The next ones, which stay the next ones; fewer at the end."""
        return self._data[self._at : self._at + size]

    def since(self, start: int) -> bytes:
        """What was read from a place on."""
        return self._data[start : self._at]

    @property
    def at(self) -> int:
        """How many were read."""
        return self._at

    def end(self) -> None:
        """Raises ValueError where there is more to read."""
        if self._at != len(self._data):
            raise ValueError("there are bytes behind the end")
