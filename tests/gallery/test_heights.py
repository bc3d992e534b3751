"""A view has its height from the first frame in which it, or its skeleton, can be seen."""

from __future__ import annotations

import pytest

from tests.gallery.examination import Examiner
from tests.gallery.looks import VISITS, id_of
from tests.gallery.stage import Look, Stage
from walletmodal.features.gallery.entries import BY_ID, Entry


# Of a view that is lost there is no script at any time.
@pytest.mark.parametrize(("look", "entry"), [visit for visit in VISITS if not visit[1].lost], ids=id_of)
def test_a_view_has_one_height(entry: Entry, look: Look, examiner: Examiner) -> None:
    assert len(examiner.examine(entry, look).heights) == 1


def test_the_skeleton_of_the_account_is_as_high_as_the_account_on_a_phone(stages: dict[str, Stage]) -> None:
    phone, entry = stages["phone"], BY_ID["account-full"]
    # In a page just loaded the script is still on its way.
    phone.show(entry)
    assert len(phone.heights(entry)) == 1
