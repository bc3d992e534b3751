"""A host's own pytest, in a process of its own, on a machine that has neither the modal's server nor what it runs on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
NOT_INSTALLED = ("reflex", "reflex_base", "web3", "eth_account", "sqlmodel", "sqlalchemy", "alembic", "starlette", "granian", "pydantic_settings")  # fmt: skip

NOT_OF_THE_EXTRA = ("coincurve", "solders", "sr25519", "eth_abi", "eth_utils", "pydantic", "redis", "httpx", "base58")
SANDBOX = """
def test_sandbox(walletmodal_sandbox):
    pass
"""


def documented(file: str) -> str:
    """A file of docs/testing.md."""
    found = re.search(rf"```python\n# {file}\n(.*?)```", (ROOT / "docs" / "testing.md").read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found[1]


def without(names: tuple[str, ...]) -> str:
    """Code after which they are not installed."""
    return f"import sys\n\nfor name in {names!r}:\n    sys.modules[name] = None\n"


def hosts_run(folder: Path, conftest: str, tests: str) -> str:
    """What a host's pytest says, with nothing of this run's environment that concerns pytest or the modal."""
    (folder / "conftest.py").write_text(conftest)
    (folder / "test_login.py").write_text(tests)
    (folder / "pytest.ini").write_text("[pytest]\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "WALLETMODAL_"))}  # fmt: skip
    command = [sys.executable, "-m", "pytest", "-p", "walletmodal.pytest_plugin", "-p", "no:cacheprovider"]
    ended = subprocess.run(
        [*command, "-p", "no:xdist", "-rA", "--color=no"],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=PATIENCE * 2,
        check=False,
    )
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """With the extra."""
    conftest = without(NOT_INSTALLED) + documented("conftest.py")
    return hosts_run(tmp_path_factory.mktemp("host"), conftest, documented("test_login.py") + SANDBOX)


def test_a_host_tests_its_login_without_the_server(said: str) -> None:
    passed = set(re.findall(r"PASSED test_login\.py::(\w+)", said))
    assert passed == set(re.findall(r"def (test_\w+)", documented("test_login.py"))), said


def test_without_a_checkout_a_test_of_the_sandbox_fails_and_says_what_to_set(said: str) -> None:
    assert "ERROR test_login.py::test_sandbox" in said
    assert "set WALLETMODAL_HOME to a checkout" in said


def test_without_the_extra_pytest_runs_and_the_fixtures_say_what_to_install(tmp_path: Path) -> None:
    of_their_own = "def test_own():\n    pass\n\ndef test_login(walletmodal_modal):\n    pass\n"
    told = hosts_run(tmp_path, without((*NOT_INSTALLED, *NOT_OF_THE_EXTRA)), of_their_own)
    assert "PASSED test_login.py::test_own" in told
    assert "ERROR test_login.py::test_login" in told
    assert "pip install 'walletmodal[testing]'" in told


def test_the_extra_registers_the_plugin() -> None:
    found = (ROOT / "pyproject.toml").read_text("utf-8")
    assert 'walletmodal = "walletmodal.pytest_plugin"' in found
    assert import_module("walletmodal.pytest_plugin").walletmodal_modal
