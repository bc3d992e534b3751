"""The journal of Solana: every transaction that landed, in a file that only grows, so that a sudden end loses none."""

from collections.abc import Callable
from hashlib import sha256
from io import BufferedWriter
from pathlib import Path

from solders.account import Account
from solders.pubkey import Pubkey

from walletmodal.sandbox.solana.record import Accounts, Landed, from_line, to_line


class SolanaJournal:
    """A file of lines.

    Args:
        file: where it is; nothing is kept when None.
        world: what the chain begins with; a journal of another world is not taken.
        say: told in one line what the person at the terminal should know.
    """

    def __init__(self, file: Path | None, world: str, say: Callable[[str], None]) -> None:
        self._file = file
        self._first = f"solana journal 1 {sha256(world.encode()).hexdigest()}\n".encode()
        self._say = say
        self._open: BufferedWriter | None = None

    def read(self) -> list[tuple[Landed, dict[Pubkey, Account]]]:
        """All that was written, oldest first; the file is ready to be written to afterwards.

        Raises:
            OSError: the file cannot be read or written.
        """
        if self._file is None:
            return []
        self._file.parent.mkdir(parents=True, exist_ok=True)
        lines = self._file.read_bytes().splitlines(keepends=True) if self._file.exists() else []
        if lines and lines[0] != self._first:
            self._say("Solana has other tokens or accounts than before; it begins anew")
            lines = []
        kept: list[tuple[Landed, dict[Pubkey, Account]]] = []
        for line in lines[1:]:
            try:
                kept.append(from_line(line))
            except (ValueError, KeyError, TypeError):
                # A line that a sudden end tore; nothing can follow it.
                break
        if not lines or len(kept) + 1 < len(lines):
            fresh = self._file.with_suffix(".new")
            fresh.write_bytes(b"".join(lines[: len(kept) + 1]) or self._first)
            fresh.replace(self._file)
        self._open = self._file.open("ab")
        return kept

    def add(self, record: Landed, accounts: Accounts) -> None:
        """Write one transaction down, at once."""
        if self._open is not None:
            self._open.write(to_line(record, accounts))
            self._open.flush()

    def clear(self) -> None:
        """Begin a new journal."""
        if self._open is not None and self._file is not None:
            self._open.close()
            self._open = self._file.open("wb")
            self._open.write(self._first)
            self._open.flush()

    def close(self) -> None:
        """Close the file."""
        if self._open is not None:
            self._open.close()
            self._open = None
