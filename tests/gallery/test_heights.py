"""A view has its height from the first frame in which it can be seen."""

from __future__ import annotations

import pytest

from tests.gallery.examination import Examiner
from tests.gallery.stage import LOOKS, Look
from walletmodal.features.gallery.entries import ENTRIES, Entry


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_a_view_has_one_height(entry: Entry, look: Look, examiner: Examiner) -> None:
    assert len(examiner.examine(entry, look).heights) == 1
