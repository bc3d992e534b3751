"""Two words that a mail and the page both show, so that people see that they belong together."""

import secrets
from pathlib import Path
from typing import Final

WORDS: Final = tuple(Path(__file__).with_name("words.txt").read_text("utf-8").split())


def two_words() -> str:
    """Such as `amber fjord`."""
    return f"{secrets.choice(WORDS)} {secrets.choice(WORDS)}"
