"""Every entry looks as it did when someone last looked at it. `python -m tests.gallery.update` renews what was meant to change."""

from __future__ import annotations

import pytest

from tests.gallery.examination import Examiner
from tests.gallery.looks import IN_EVERY_LOOK, PICTURES, id_of
from tests.gallery.pictures import RESULTS, baseline, difference, write
from tests.gallery.stage import LOOKS, Look, Stage
from walletmodal.features.gallery.entries import BY_ID, ENTRIES, Entry


@pytest.mark.parametrize(("look", "entry"), PICTURES, ids=id_of)
def test_entry_looks_like_its_baseline(entry: Entry, look: Look, examiner: Examiner) -> None:
    path = baseline(entry, look)
    picture = examiner.examine(entry, look).picture
    found = difference(path, picture)
    if found:
        write(RESULTS / path.name, picture)
        # The second try is a second look.
        examiner.forget(entry, look)
    assert not found, f"{found}; the new picture is test-results/gallery/{path.name}"


def test_every_part_is_seen_in_every_look(examiner: Examiner) -> None:
    dark, elsewhere = (
        LOOKS[0],
        {part for name in IN_EVERY_LOOK for part in examiner.examine(BY_ID[name], LOOKS[0]).parts},
    )
    missing = {entry.id: sorted(examiner.examine(entry, dark).parts - elsewhere) for entry in ENTRIES}
    assert {name: parts for name, parts in missing.items() if parts} == {}, "add one of these to tests/gallery/looks.py"


def test_the_expected_picture_is_waited_for_though_another_rests_before(stages: dict[str, Stage]) -> None:
    looked: list[bytes] = []

    def comes_late(picture: bytes) -> bool:
        looked.append(picture)
        return len(looked) == 5

    assert stages["dark"].turn_to(BY_ID["what-is-a-network"], comes_late) == looked[4]
