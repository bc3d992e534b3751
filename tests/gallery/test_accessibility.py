"""axe finds nothing in any entry, with no rule switched off, and nothing breaks the content policy."""

from __future__ import annotations

import pytest

from tests.gallery.examination import Examiner
from tests.gallery.looks import VISITS, id_of
from tests.gallery.stage import Look
from walletmodal.features.gallery.entries import Entry


@pytest.mark.parametrize(("look", "entry"), VISITS, ids=id_of)
def test_entry_has_no_barrier(entry: Entry, look: Look, examiner: Examiner) -> None:
    assert examiner.examine(entry, look).barriers == ()


@pytest.mark.parametrize(("look", "entry"), VISITS, ids=id_of)
def test_entry_keeps_to_the_content_policy(entry: Entry, look: Look, examiner: Examiner) -> None:
    assert [error for error in examiner.examine(entry, look).errors if "Content Security Policy" in error] == []
