"""What importing web3 does to the process is undone, and it is imported in one place only and only where it is needed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import walletmodal

SOURCES = Path(walletmodal.__file__).parent
PLACES = {SOURCES / "services" / "rpc" / "web3_library.py", SOURCES / "host" / "eth_accounts.py"}
"""Of the server, and of hosts, which do not have web3."""
RAISERS = {"web3", "eth_account", "eth_keyfile", "py_ecc", "ens"}


def run(program: str) -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"ended with {done.returncode}: {done.stderr[-500:]}"
    return done.stdout.strip()


@pytest.fixture(scope="module")
def after_import() -> list[str]:
    """What happens in a process that has imported everything."""
    program = """
import json, sys
before = sys.getrecursionlimit()
import walletmodal.services.rpc.web3_provider
import web3, eth_account, eth_keyfile
print("kept" if before == sys.getrecursionlimit() else sys.getrecursionlimit(), flush=True)
for text in ("[" * 100_000, '{"a":' * 100_000, "[" * 10_000_000):
    try:
        json.loads(text)
    except RecursionError:
        print("refused", flush=True)
"""
    return run(program).split()


def test_the_recursion_limit_is_what_it_was(after_import: list[str]) -> None:
    assert after_import[0] == "kept"


def test_nested_json_of_strangers_ends_no_process(after_import: list[str]) -> None:
    assert after_import[1:] == ["refused"] * 3


def test_the_recursion_limit_of_hosts_is_what_it_was() -> None:
    program = "import sys; before = sys.getrecursionlimit(); import walletmodal.host.permissions; print(before == sys.getrecursionlimit())"
    assert run(program) == "True"


def test_the_transports_do_without_web3() -> None:
    program = """
import sys
import walletmodal.services.rpc
print("web3" in sys.modules or "eth_account" in sys.modules)
"""
    assert run(program) == "False"


def imported(file: Path) -> set[str]:
    found = set[str]()
    for statement in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(statement, ast.Import):
            found |= {name.name.partition(".")[0] for name in statement.names}
        elif isinstance(statement, ast.ImportFrom) and statement.module and not statement.level:
            found.add(statement.module.partition(".")[0])
    return found


def test_one_module_alone_imports_web3_and_its_like() -> None:
    others = [file for file in SOURCES.rglob("*.py") if file not in PLACES and imported(file) & RAISERS]
    assert not others, f"import these names from walletmodal.services.rpc.web3_library: {others}"
