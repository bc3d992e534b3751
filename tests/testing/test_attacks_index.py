"""The index of attacks in docs/testing.md leads to tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LINKS = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", (ROOT / "docs" / "testing.md").read_text("utf-8"))


def test_every_test_of_the_index_is_there() -> None:
    missing = [
        (file, name)
        for file, name in LINKS
        if not re.search(rf"^(async )?def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE)
    ]
    assert LINKS
    assert missing == []
