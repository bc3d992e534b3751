"""With which Python the commands are set up."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from scripts.lock import PYTHONS
from scripts.project import ROOT
from scripts.setup import require_supported_python
from walletmodal.commands.project import CommandError

SCRIPT = ROOT / "scripts" / "find_python.sh"


class Machine:
    """A machine with the programs of one folder, and no others but the shell's."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def has(self, name: str, version: str, *, whole: bool = True) -> None:
        """Puts a Python there: `whole` where it can make virtual environments."""
        self._put(name, f'case "$2" in *ensurepip*) exit {0 if whole else 1} ;; *) echo {version} ;; esac')

    def has_broken(self, name: str) -> None:
        """Puts a program there that runs no Python, as version managers do."""
        self._put(name, "echo 'command not found' >&2; exit 127")

    def _put(self, name: str, body: str) -> None:
        file = self._folder / name
        file.write_text(f"#!/bin/sh\n{body}\n")
        file.chmod(0o755)

    def found(self) -> tuple[int, str, str]:
        """Exit status, and what is said on the two streams."""
        done = subprocess.run(
            ["/bin/sh", SCRIPT], env={"PATH": str(self._folder)}, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout.strip(), done.stderr.strip()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_the_newest_that_is_supported_is_taken(machine: Machine) -> None:
    machine.has("python3", "3.11")
    machine.has("python3.12", "3.12")
    machine.has("python3.14", "3.14")
    machine.has("python3.15", "3.15")
    assert machine.found() == (0, "python3.14", "")


def test_python3_is_taken_where_it_is_the_newest(machine: Machine) -> None:
    machine.has("python3", "3.13")
    machine.has("python3.11", "3.11")
    assert machine.found() == (0, "python3", "")


def test_an_older_one_is_taken_where_python3_is_too_new(machine: Machine) -> None:
    machine.has("python3", "3.15")
    machine.has("python3.12", "3.12")
    assert machine.found() == (0, "python3.12", "")


def test_a_name_that_runs_nothing_is_passed_over(machine: Machine) -> None:
    machine.has_broken("python3.14")
    machine.has("python3", "3.11")
    assert machine.found() == (0, "python3", "")


def test_one_that_makes_virtual_environments_is_preferred(machine: Machine) -> None:
    machine.has("python3.14", "3.14", whole=False)
    machine.has("python3.12", "3.12")
    assert machine.found() == (0, "python3.12", "")


def test_one_that_lacks_that_is_taken_rather_than_none(machine: Machine) -> None:
    machine.has("python3", "3.11", whole=False)
    assert machine.found() == (0, "python3", "")


@pytest.mark.parametrize("version", ["3.15", "3.20"])
def test_of_a_python_that_is_too_new_a_sentence_says_so(machine: Machine, version: str) -> None:
    machine.has("python3", version)
    status, found, told = machine.found()
    assert (status, found) == (1, "")
    assert "Python 3.11 to 3.14 is needed" in told
    assert f"Not every package that is locked has a wheel for {version} yet" in told


def test_of_a_python_that_is_too_old_a_sentence_says_so(machine: Machine) -> None:
    machine.has("python3", "3.9")
    status, found, told = machine.found()
    assert (status, found) == (1, "")
    assert told.endswith("python3 is 3.9.")


def test_it_looks_for_those_that_are_locked_for() -> None:
    (supported,) = re.findall(r'^supported="(.+)"', SCRIPT.read_text("utf-8"), re.MULTILINE)
    assert tuple(reversed(supported.split())) == PYTHONS


@pytest.mark.parametrize("version", [(3, 11, 0), (3, 14, 2)])
def test_the_setup_runs_on_what_is_supported(version: tuple[int, ...]) -> None:
    require_supported_python(version)


@pytest.mark.parametrize(("version", "told"), [((3, 10, 9), "this is 3.10.9"), ((3, 15, 0), "has a wheel for it yet")])
def test_the_setup_refuses_others_with_a_sentence(version: tuple[int, ...], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        require_supported_python(version)
