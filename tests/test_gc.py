"""How often a worker looks for cyclic garbage."""

import gc
import weakref

from walletmodal.gc import YOUNG, rare_collections


class Knot:
    """An object that points to itself."""

    def __init__(self) -> None:
        self.itself = self


async def test_what_was_there_at_the_start_is_looked_at_no_more() -> None:
    async with rare_collections():
        assert gc.get_freeze_count() > 0


async def test_young_objects_are_looked_at_rarely() -> None:
    async with rare_collections():
        assert gc.get_threshold()[0] == YOUNG


async def test_knots_made_later_are_still_untied() -> None:
    async with rare_collections():
        gone = weakref.ref(Knot())
        gc.collect()
        assert gone() is None


async def test_afterwards_everything_is_as_before() -> None:
    before = gc.get_threshold()
    async with rare_collections():
        pass
    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)
