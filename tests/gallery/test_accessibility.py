"""axe finds nothing serious in any entry, with no rule switched off, and nothing breaks the content policy."""

from __future__ import annotations

import pytest

from tests.gallery.examination import Examiner
from tests.gallery.stage import LOOKS, Look
from walletmodal.features.gallery.entries import ENTRIES, Entry


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_entry_has_no_grave_barrier(entry: Entry, look: Look, examiner: Examiner) -> None:
    assert examiner.examine(entry, look).barriers == ()


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_entry_keeps_to_the_content_policy(entry: Entry, look: Look, examiner: Examiner) -> None:
    assert [error for error in examiner.examine(entry, look).errors if "Content Security Policy" in error] == []
