"""Every entry looks as it did when someone last looked at it. `python -m tests.gallery.update` renews what was meant to change."""

from __future__ import annotations

import pytest

from tests.gallery.examination import Examiner
from tests.gallery.pictures import RESULTS, baseline, difference, write
from tests.gallery.stage import LOOKS, Look
from walletmodal.features.gallery.entries import ENTRIES, Entry


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.photographed], ids=lambda entry: entry.id)
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_entry_looks_like_its_baseline(entry: Entry, look: Look, examiner: Examiner) -> None:
    path = baseline(entry, look)
    picture = examiner.examine(entry, look).picture
    found = difference(path, picture)
    if found:
        write(RESULTS / path.name, picture)
    assert not found, f"{found}; the new picture is test-results/gallery/{path.name}"
