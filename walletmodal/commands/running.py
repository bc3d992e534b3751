"""Which process serves: a file beside the data that it holds locked for as long as it lives, so that a stale number is told from a real one."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from walletmodal.commands.project import DATA


def _file(port: int) -> Path:
    return DATA / f"serve-{port}.pid"


@contextmanager
def noted(port: int) -> Iterator[None]:
    """Note this process as the server on `port` until the block ends."""
    DATA.mkdir(exist_ok=True)
    with _file(port).open("a+") as file:
        # Another server on the same port is told by the port itself.
        fcntl.flock(file, fcntl.LOCK_EX)
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield
        file.truncate(0)


def process_on(port: int) -> int | None:
    """The process id of the server on `port`; None when none runs."""
    try:
        with _file(port).open() as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return int(file.read() or "0") or None
            return None
    except FileNotFoundError:
        return None
