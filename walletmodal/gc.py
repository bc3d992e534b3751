"""When this process looks for cyclic garbage. Every visitor's state is a tree of some thousand objects that point to each other."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

YOUNG: Final = 20_000
"""Objects between two looks at the young ones: a click makes about a thousand, nearly all of which are gone before anyone looks."""


@asynccontextmanager
async def rare_collections() -> AsyncIterator[None]:
    """A lifespan task: what the libraries have made at the start is never looked through again, and the rest less often.

    With Python's own settings a worker of 500 visitors stands still for a third of a second at every full look.
    """
    before = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
