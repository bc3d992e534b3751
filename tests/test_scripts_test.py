"""What `make test` promises of a run as a whole."""

import importlib.util
import subprocess
from pathlib import Path

import pytest

from scripts.project import ROOT, VENV_PYTHON
from scripts.test import compile_packages, distribution, environment_of_tests
from tests.patience import START_SECONDS
from walletmodal.commands.project import tool_environment

_CRASHING = """
import os
import pytest

@pytest.mark.parametrize("number", range(8))
def test_it(number):
    if number == 3:
        os._exit(1)
"""
_HARMLESS = """
import pytest

@pytest.mark.parametrize("number", range(8))
def test_it(number):
    pass
"""
_CONFTEST = "from tests.distribution import pytest_xdist_make_scheduler as pytest_xdist_make_scheduler\n"


def test_a_test_that_ends_its_process_ends_the_run_with_a_failure(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(_CONFTEST)
    (tmp_path / "pytest.ini").write_text("[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    for number in range(6):
        (tmp_path / f"test_{number}.py").write_text(_CRASHING if number == 1 else _HARMLESS)
    environment = tool_environment({"PYTHONPATH": str(ROOT)})
    # What the run that this test is part of says of itself.
    for name in [name for name in environment if name.startswith("PYTEST_")]:
        del environment[name]
    done = subprocess.run(
        [VENV_PYTHON, "-m", "pytest", "-q", *distribution(3)],
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=START_SECONDS,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "crashed while running" in done.stdout


def test_a_package_is_compiled_before_the_tests_start_it(tmp_path: Path) -> None:
    module = tmp_path / "package" / "module.py"
    module.parent.mkdir()
    module.write_text("answer = 42\n")
    compile_packages([module.parent])
    assert Path(importlib.util.cache_from_source(str(module))).is_file()


def test_the_tests_keep_what_they_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert "PYTHONDONTWRITEBYTECODE" not in environment_of_tests()
