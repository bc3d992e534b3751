"""The normal forms of names, held against those of the reference implementation, which npm has."""

import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pyunormalize
from ens_normalize.normalization import NORMALIZATION

from walletmodal.services.names.ensip15 import ensip15

_PROGRAM: Final = Path(__file__).parent / "ens_reference.mjs"
_PACKAGES: Final = Path(__file__).parents[2] / "sandbox" / "package.json"
_SURROGATES: Final = range(0xD800, 0xE000)
_RARE: Final = "_-'’·‧・\u200c\u200d\ufe0f\u00ad.$0123456789"
# Emoji of Unicode 17.
_NEW: Final = "\U0001facd\U0001fa8e\U0001faef"


def reference(*arguments: str, names: list[str] | None = None) -> list[tuple[str, str | None]]:
    given = None if names is None else json.dumps(names)
    command = ["node", str(_PROGRAM), str(_PACKAGES), *arguments]
    found: list[Any] = json.loads(
        subprocess.run(command, input=given, capture_output=True, check=True, text=True).stdout
    )
    return [(name, form) for name, form in found]


def different(forms: list[tuple[str, str | None]]) -> list[str]:
    return [ascii(name) for name, form in forms if ensip15(name) != (form or None)]


def mixed(letters: list[str]) -> Iterator[str]:
    """Names of letters that stand beside each other in Unicode, with marks, ASCII and what has rules of its own among them."""
    chance = random.Random(15)
    for _ in range(4000):
        near = ord(chance.choice(letters))
        kinds = (
            lambda near=near: (
                chr(near + chance.randint(-20, 20)) if near > 0x100 and near - 20 not in _SURROGATES else "a"
            ),
            lambda: chance.choice("abcxyz"),
            lambda: chr(chance.choice((0x300, 0x591, 0x64B)) + chance.randrange(0x15)),
            lambda: chance.choice(_RARE),
            lambda: chr(0x370 + chance.randrange(0x200)),
            lambda: chance.choice(letters),
        )
        yield "".join(chance.choice(kinds)() for _ in range(chance.randint(1, 8)))


def test_all_emoji_are_those_of_the_reference() -> None:
    forms = reference("--emoji")
    assert set(_NEW) <= {form for _, form in forms}
    assert different(forms) == []


def test_letters_and_mixtures_of_them_have_the_forms_of_the_reference() -> None:
    # A prime step over all of Unicode; every letter takes half a minute, and has been tried with this version of the table.
    letters = [chr(point) for point in range(1, 0x110000, 61) if point not in _SURROGATES]
    forms = reference(names=letters)
    assert different(forms) == []
    assert different(reference(names=list(mixed([name for name, form in forms if form])))) == []


def test_the_table_and_the_normal_forms_are_of_one_unicode() -> None:
    assert NORMALIZATION.unicode_version.split()[0] == pyunormalize.UNICODE_VERSION == "17.0.0"
