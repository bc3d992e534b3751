"""What the examples' README and requirements tell is so."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.examples.clubs import COMMANDS, EXAMPLES

README = (EXAMPLES / "README.md").read_text("utf-8")
FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/app.py"))
PIN = re.compile(r"^([a-z]+)==(\S+)", re.MULTILINE)


def test_every_example_is_in_the_table() -> None:
    assert sorted(re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE)) == FOLDERS


@pytest.mark.parametrize("framework", COMMANDS)
def test_it_is_started_as_it_is_tested(framework: str) -> None:
    command = " ".join(("python", *(part.format(port=8000) for part in COMMANDS[framework])))
    assert f"| `{framework}` | `{command}` |" in README


@pytest.mark.parametrize("framework", FOLDERS)
def test_its_pins_are_the_versions_that_are_tested(framework: str) -> None:
    pins = PIN.findall((EXAMPLES / framework / "requirements.txt").read_text("utf-8"))
    assert pins
    assert dict(pins) == {name: version(name) for name, _ in pins}


def test_every_linked_file_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert [link for link in links if not (EXAMPLES / link).exists()] == []


def test_a_key_of_the_readme_is_long_enough_for_the_modal() -> None:
    assert {len(key) >= 24 for key in re.findall(r"API_KEY=(\S+)", README)} == {True}


def test_the_root_readme_leads_here() -> None:
    assert "(examples/README.md)" in Path(EXAMPLES.parent / "README.md").read_text("utf-8")
