"""The messages in Python and in TypeScript have the same fields."""

import re
from pathlib import Path

import pytest

from tests.cases import every_case
from walletmodal.core.protocol.limits import MAX_BYTES
from walletmodal.core.protocol.messages import COMMAND_PARAMS, FIELDS, PROTOCOL_VERSION

ROOT = Path(__file__).parents[3]
TYPESCRIPT = re.sub(r"/\*.*?\*/|//[^\n]*", "", (ROOT / "loader/src/protocol.ts").read_text("utf-8"), flags=re.DOTALL)
DOCUMENT = (ROOT / "docs/protocol.md").read_text("utf-8")


def fields_of(body: str) -> tuple[str, ...]:
    """Names of the fields at the first level of an object type."""
    while "{" in body[1:-1]:
        body = body[0] + re.sub(r"\{[^{}]*\}", "", body[1:-1]) + body[-1]
    return tuple(re.findall(r"(\w+)\??:", body))


def object_type(start: int) -> str:
    """The object type whose brace opens at or after the position."""
    start = TYPESCRIPT.index("{", start)
    depth = 0
    for end in range(start, len(TYPESCRIPT)):
        depth += {"{": 1, "}": -1}.get(TYPESCRIPT[end], 0)
        if depth == 0:
            return TYPESCRIPT[start : end + 1]
    raise AssertionError("a brace is not closed")


@every_case("name", FIELDS)
def test_a_message_has_the_same_fields_on_both_sides(name: str) -> None:
    parent, _, member = name.partition(".")
    start = TYPESCRIPT.index(f"export type {parent} =")
    if member:
        found = re.compile(rf"\b{member}\??:").search(TYPESCRIPT, start)
        assert found is not None
        start = found.start()
    assert fields_of(object_type(start)) == FIELDS[name]


@pytest.mark.parametrize(("method", "fields"), COMMAND_PARAMS.items())
def test_the_parameters_of_a_command_are_those_of_the_document(method: str, fields: tuple[str, ...]) -> None:
    row = next(line for line in DOCUMENT.splitlines() if line.startswith(f"| `{method}`"))
    listed = re.search(r"\{([^}]*)\}", row)
    assert listed is not None
    assert tuple(name.strip().removesuffix("?") for name in listed[1].split(",")) == fields


def test_version_and_size_are_the_same_on_both_sides() -> None:
    assert f"VERSION = {PROTOCOL_VERSION};" in TYPESCRIPT
    assert MAX_BYTES == 256 * 1024
    assert "MAX_PAYLOAD = 256 * 1024;" in TYPESCRIPT
