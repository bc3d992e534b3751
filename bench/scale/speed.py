"""How fast the machine is meanwhile: the same work takes a virtual processor twice as long when a neighbour has the other half of its core."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Final

from bench.figures import Figure, figure

_EVERY_SECONDS: Final = 5.0
_TIMES: Final = 5
_MS: Final = 1000.0
_TREE: Final = [{str(place): [place, {"name": f"of {place}"}] for place in range(20)} for _ in range(50)]
"""About what the states of a visitor consist of."""


@contextmanager
def watched_speed() -> Iterator[list[float]]:
    """Processor time of one piece of Python in ms, every five seconds for the length of the block."""
    samples, over = list[float](), threading.Event()

    def watch() -> None:
        while True:
            samples.append(_work())
            if over.wait(_EVERY_SECONDS):
                return

    watching = threading.Thread(target=watch, name="speed")
    watching.start()
    try:
        yield samples
    finally:
        over.set()
        watching.join()


def speed_figure(samples: Sequence[float]) -> Figure:
    """A row of the report."""
    note = "the machine's own: processor times of two runs can be compared where this is the same"
    return figure("scale_speed_ms", "processor time of a fixed piece of Python meanwhile", "ms", samples, note=note)


def _work() -> float:
    began = time.thread_time()
    for _ in range(_TIMES):
        deepcopy(_TREE)
    return _MS * (time.thread_time() - began)
