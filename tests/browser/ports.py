"""Ports that nobody uses, so that two runs of the suite stand side by side."""

import os
import socket

_REACH = 1000

FIRST = int(os.environ.get("BROWSER_TESTS_PORT", "18890")) + _REACH * int(
    os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
)
"""Where the search starts: the processes of one run each have a range of their own."""

_taken: set[int] = set()


def free_ports(count: int) -> int:
    """The first of `count` free ports in a row on loopback; each call gives others.

    Raises:
        RuntimeError: there is no such row.
    """
    for first in range(FIRST, FIRST + _REACH):
        row = range(first, first + count)
        if _taken.isdisjoint(row) and all(_is_free(port) for port in row):
            _taken.update(row)
            return first
    raise RuntimeError(f"no {count} free ports in a row above {FIRST}")


def _is_free(port: int) -> bool:
    for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
        try:
            with socket.socket(family) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((host, port))
        except OSError:
            return False
    return True
