"""Output of commands: a table for people, or one JSON value for machines."""

import json
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final, TextIO

from walletmodal.core.sign_in.message import iso_text

# What is shown comes from host pages, wallets and policies, and the terminal obeys some of it.
_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_GAP: Final = "  "


class Printer:
    """Prints what a command has found.

    Args:
        machine: JSON instead of tables.
        out: where to; default standard output.
    """

    def __init__(self, *, machine: bool = False, out: TextIO | None = None) -> None:
        self._machine, self._out = machine, out or sys.stdout

    def rows(self, names: Sequence[str], rows: Sequence[Sequence[Any]], *, empty: str) -> None:
        """Prints several things alike.

        Args:
            names: of the columns, and of the members in JSON.
            rows: their values; text, numbers, truths, times or None.
            empty: what people are told when there are none.
        """
        if self._machine:
            self._write(json.dumps([_members(names, row) for row in rows], indent=2))
        elif rows:
            cells = [[name.replace("_", " ") for name in names], *([_cell(value) for value in row] for row in rows)]
            widths = [max(len(row[n]) for row in cells) for n in range(len(names))]
            for row in cells:
                padded = (text.ljust(width) for text, width in zip(row, widths, strict=True))
                self._write(_GAP.join(padded).rstrip())
        else:
            self._write(empty)

    def entry(self, names: Sequence[str], row: Sequence[Any]) -> None:
        """Prints one of a stream of things: a line, without aligning it to others; in JSON an object on a line."""
        line = json.dumps(_members(names, row)) if self._machine else _GAP.join(filter(None, map(_cell, row)))
        self._write(line)

    def told(self, text: str, **members: Any) -> None:
        """Prints one result: a sentence for people, its members for machines."""
        self._write(json.dumps(members, default=_plain) if self._machine else _safe(text))

    def _write(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()


def complain(text: str) -> None:
    """Says on standard error why a command cannot do what it was asked."""
    sys.stderr.write(f"error: {_safe(text, keep_lines=True)}\n")


def _members(names: Sequence[str], row: Sequence[Any]) -> dict[str, Any]:
    return {name: _plain(value) for name, value in zip(names, row, strict=True)}


def _plain(value: Any) -> Any:
    return iso_text(value) if isinstance(value, datetime) else value


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return value.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
    return "" if value is None else _safe(str(value))


def _safe(text: str, *, keep_lines: bool = False) -> str:
    parts = text.split("\n") if keep_lines else [text]
    return "\n".join(
        _UNSAFE.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), part) for part in parts
    )
