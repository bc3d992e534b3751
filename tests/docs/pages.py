"""The pages of the documentation, and the code that they show."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scripts.project import ROOT

FOLDERS: Final = (".", "bench", "docs", "docs/api", "examples", "examples/own_views", "loader", "sandbox")
PAGES: Final = tuple(sorted(page for folder in FOLDERS for page in (ROOT / folder).glob("*.md")))
_BLOCK: Final = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code.

    Attributes:
        page: its path from the root.
        line: of its first line of code.
        language: what stands behind the fence.
        code: its text.
    """

    page: str
    line: int
    language: str
    code: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def _blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    name = page.relative_to(ROOT).as_posix()
    return [Block(name, text.count("\n", 0, found.start(2)) + 1, found[1], found[2]) for found in _BLOCK.finditer(text)]


BLOCKS: Final = tuple(block for page in PAGES for block in _blocks(page))


def blocks(language: str, page: str = "") -> list[Block]:
    """The blocks of a language, of one page or of all."""
    return [block for block in BLOCKS if block.language == language and page in ("", block.page)]
