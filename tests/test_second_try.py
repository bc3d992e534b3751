"""Tests with a browser are tried twice, at most three of them in a run; others once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts.project import ROOT
from tests.patience import PATIENCE
from tests.second_try import MOST

_TESTS = """
import pytest

seen = set()

@pytest.fixture
def chromium():
    pass

def fail_once(name):
    first = name not in seen
    seen.add(name)
    assert not first

@pytest.mark.parametrize("number", range({unsteady}))
def test_unsteady(chromium, number):
    fail_once(number)

{more}
"""


def _run(folder: Path, unsteady: int, more: str = "") -> tuple[int, str]:
    (folder / "test_it.py").write_text(_TESTS.format(unsteady=unsteady, more=more))
    plugins = [part for name in ("xdist", "pytest_rerunfailures", "tests.second_try") for part in ("-p", name)]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, "-p", "no:cacheprovider", "-n", "1", "."],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout


def test_a_test_that_passes_at_its_second_try_is_named(tmp_path: Path) -> None:
    status, said = _run(tmp_path, MOST)
    assert (status, said.count("test_it.py::test_unsteady"), said.count("assert not first")) == (0, MOST, MOST), said


def test_more_than_a_few_fail_the_run(tmp_path: Path) -> None:
    status, said = _run(tmp_path, MOST + 1)
    assert (status, "4 needed a second try (at most 3 may)" in said, "failed" in said) == (1, True, False), said


def test_where_everything_fails_a_second_try_is_not_given_for_ever(tmp_path: Path) -> None:
    status, said = _run(tmp_path, 10)
    assert (status, "6 failed, 4 passed, 4 rerun" in said) == (1, True), said


def test_what_fails_twice_or_needs_no_browser_fails(tmp_path: Path) -> None:
    twice = "def test_never(chromium):\n    raise AssertionError\n"
    once = "def test_without_a_browser():\n    fail_once('other')\n"
    status, said = _run(tmp_path, 0, twice + once)
    assert (status, "2 failed" in said) == (1, True), said
