"""`make test` leaves the slow tests out, and only what is still there is listed as slow."""

import subprocess

import pytest

from scripts.project import ROOT, VENV_PYTHON
from scripts.test import DEFAULT_SELECTION
from tests.slow import SLOW
from walletmodal.commands.project import tool_environment

LISTED = sorted(beginning for several in SLOW.values() for beginning in several)


@pytest.mark.parametrize("beginning", LISTED)
def test_what_is_listed_is_there(beginning: str) -> None:
    path, _, name = beginning.partition("::")
    assert (ROOT / "tests" / path).exists()
    function = name.partition("[")[0]
    assert f"def {function}" in (ROOT / "tests" / path).read_text() if name else True


def test_a_slow_test_is_left_out() -> None:
    ran = subprocess.run(
        [
            VENV_PYTHON,
            "-m",
            "pytest",
            "-q",
            "-n",
            "0",
            "--collect-only",
            *DEFAULT_SELECTION,
            "tests/test_scripts_audit.py",
        ],
        cwd=ROOT,
        env=tool_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, ran.stdout + ran.stderr
