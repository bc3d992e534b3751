"""What a node wrote down of its chain (`anvil_dumpState`), as far as the next start has to understand it."""

import gzip
import json


class BrokenStateError(Exception):
    """What was saved is no chain; the text says why."""


def genesis_time(state: bytes) -> int:
    """When block 0 of a saved chain was made, in seconds since 1970.

    A node makes its block 0 before it loads anything. Made at another time it is another block, and the loaded ones stand on none.

    Args:
        state: as `anvil_dumpState` gives it: JSON, gzipped.

    Raises:
        BrokenStateError: it cannot be read, or does not have exactly one block of each number.
    """
    try:
        headers = [block["header"] for block in json.loads(gzip.decompress(state))["blocks"]]
        times = sorted((int(header["number"], 16), int(header["timestamp"], 16)) for header in headers)
    except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
        raise BrokenStateError(f"it cannot be read: {error!r}") from error
    if [number for number, _ in times] != list(range(len(times))) or not times:
        raise BrokenStateError("it does not have exactly one block of each number")
    return times[0][1]
