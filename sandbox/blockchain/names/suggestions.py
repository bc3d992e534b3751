"""Names that are still free, made of what was typed and a list of words."""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Final

from walletmodal.sandbox.blockchain.failures import RefusedError
from walletmodal.sandbox.blockchain.names.rules import LABEL_LENGTH, ZONES

MAX_FREE: Final = 4
_TYPED: Final = re.compile(r"[a-z0-9-]+")


@cache
def dictionary() -> tuple[str, ...]:
    """The words."""
    words: list[str] = json.loads(
        files("walletmodal.sandbox.blockchain.names").joinpath("words.json").read_text(encoding="utf-8")
    )
    return tuple(words)


def suggestions(typed: str, zone: str, is_taken: Callable[[str], bool]) -> list[dict[str, object]]:
    """The typed name with its zone and whether it is registered, then up to four free ones.

    Raises:
        RefusedError: 400, too short, too long, wrong signs, or no such zone.
    """
    if not _TYPED.fullmatch(typed):
        raise RefusedError(400, "name", "A name has lower case letters, digits and hyphens only")
    if len(typed) not in LABEL_LENGTH:
        raise RefusedError(400, "name", "A name is 3 to 64 characters long")
    if zone not in ZONES:
        raise RefusedError(400, "zone", f"The zone is one of {', '.join(ZONES)}")
    exact = f"{typed}.{zone}"
    listed: list[dict[str, object]] = [{"name": exact, "registered": is_taken(exact)}]
    for label in _candidates(typed):
        name = f"{label}.{zone}"
        if len(label) in LABEL_LENGTH and name != exact and not is_taken(name):
            listed.append({"name": name, "registered": False})
        if len(listed) > MAX_FREE:
            break
    return listed


def _candidates(typed: str) -> Iterator[str]:
    words = dictionary()
    yield from (word for word in words if word.startswith(typed) and word != typed)
    # The same words for the same name at every asking, others for another.
    start = int.from_bytes(sha256(typed.encode()).digest()[:4], "big") % len(words)
    for step in range(len(words)):
        word = words[(start + step * 11) % len(words)]
        yield f"{typed}-{word}" if step % 2 else f"{word}-{typed}"
